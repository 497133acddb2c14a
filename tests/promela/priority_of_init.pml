/* expect: error: assertion violated (g!=10); depth: 4; errors: 1; stored: 8; transitions: 8 */
/* init has a priority too. */
byte g;
init priority 3 { g = 1; run C(); g = g + 1 }
proctype C() priority 9 { g = g * 5; assert(g != 10) }
