/* expect: reject: misplaced break statement */
/* break needs a loop. */
byte g;
active proctype P() { g = 1; break }
