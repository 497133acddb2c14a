/* expect: spin: crash; pan: -c1; error: division by zero; depth: 5; errors: 1 */
/* A division by zero: SPIN's verifier is killed, an error says more. */
int g = 1;
byte h;

active proctype P() { h++; g = 5 / g; h++ }
active proctype Q() { h++; assert(h < 3); g-- }
