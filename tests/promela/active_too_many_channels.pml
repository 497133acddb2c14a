/* expect: cc: -DNOREDUCE -DSAFETY -DNOCLAIM -DVECTORSZ=32000 */
/* expect: error: too many queues; depth: 0; errors: 1; stored: 0; transitions: 0 */
/* Every process has three channels of its own, and there are only 255. */
active [100] proctype P()
{
	chan own[3] = [1] of { bit };
	own[2]!1
}
