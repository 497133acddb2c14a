/* expect: pan: -c1; cc: -DNOREDUCE -DSAFETY -DNOCLAIM -DT_REVERSE */
/* expect: error: assertion violated (g!=4); depth: 4; errors: 1; stored: 11; transitions: 11 */
/* -DT_REVERSE tries the options of a selection in the other order. */
byte g;
active [2] proctype P() { if :: g = g + 1 :: g = g + 2 :: g = g + 3 fi; assert(g != 4) }
