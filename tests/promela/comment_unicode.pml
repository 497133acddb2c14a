/* expect: error: none; errors: 0; stored: 13; transitions: 19 */
/* Comments may hold any character: « é → ». */
byte g; // a line comment — too
active [2] proctype P() { g++; /* in /* here */ assert(g < 3) }
