/* expect: error: assertion violated (a!=1); depth: 6; errors: 3; stored: 79; transitions: 157 */
/* Each proctype has its own names. */
byte g;

active proctype P() { byte v = 1; byte w[2]; w[1] = v; g = g + w[1] }
active proctype Q() { int v = 300; bit w; w = v; g = g + v / 100 + w }
active proctype R() { byte a; { byte v; v = g; a = v } assert(a != 1) }
