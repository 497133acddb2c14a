/* expect: pan: -m12 */
/* expect: error: none; errors: 0; stored: 23; transitions: 47 */
/* A depth limit cuts the search; states beyond it are not seen. */
byte g;
active [2] proctype P() { do :: g < 10 -> g++ :: g >= 10 -> break od; assert(g < 10) }
