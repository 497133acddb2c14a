/* expect: reject: spin: Error, using np_ outside never claim */
/* np_ is for claims only. */
byte g;
active proctype P() { do :: g < 3 -> progress: g++ :: g == 3 -> break od }
active proctype Q() { byte n; do :: np_ && n < 2 -> n++ :: !np_ -> break od; assert(n < 2) }
