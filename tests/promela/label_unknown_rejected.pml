/* expect: reject: undefined label nowhere */
/* A jump to nowhere. */
byte g;
active proctype P() { g = 1; goto nowhere }
