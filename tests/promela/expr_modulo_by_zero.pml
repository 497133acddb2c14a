/* expect: spin: crash; pan: -c1; error: division by zero; depth: 5; errors: 1 */
/* A remainder by zero. */
int g = 1;
byte h;

active proctype P() { h++; h = 7 % g; h++ }
active proctype Q() { h++; assert(h < 3); g-- }
