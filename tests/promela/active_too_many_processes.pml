/* expect: cc: -DNOREDUCE -DSAFETY -DNOCLAIM -DVECTORSZ=32000 */
/* expect: error: too many processes; depth: 0; errors: 1; stored: 0; transitions: 0 */
/* The processes that are active from the start are too many: there is no state to begin with. */
active [200] proctype P() { skip }
active [56] proctype Q() { skip }
