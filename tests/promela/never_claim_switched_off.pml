/* expect: error: none; errors: 0; stored: 13; transitions: 19 */
/* With -DNOCLAIM the claim plays no part. */
byte g;

active [2] proctype P() { g++; g++ }

never { do :: g == 1 -> break :: true od; assert(false) }
