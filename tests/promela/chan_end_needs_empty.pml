/* expect: pan: -q */
/* expect: error: invalid end state; depth: 5; errors: 4; stored: 38; transitions: 63 */
/* With pan -q a message left in a channel makes an end state invalid. */
chan q = [2] of { byte };

active [2] proctype P()
{
	q!_pid;
	if
	:: q?_
	:: skip
	fi
}
