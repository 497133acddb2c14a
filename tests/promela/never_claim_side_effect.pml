/* expect: error: none; errors: 0; stored: 13; transitions: 19 */
/* A claim with a side effect gets a warning, no more. */
byte g, h;
active [2] proctype P() { g++; g++ }
never { do :: h = 1 :: g == 3 -> break od }
