/* expect: pan: -m12 -b */
/* expect: error: depth limit reached; depth: 12; errors: 4; stored: 23; transitions: 47 */
/* With pan -b exceeding the depth limit is an error. */
byte g;
active [2] proctype P() { do :: g < 10 -> g++ :: g >= 10 -> break od }
