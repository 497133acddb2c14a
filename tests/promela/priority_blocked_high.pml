/* expect: error: none; errors: 0; stored: 15; transitions: 15 */
/* A blocked process of high priority lets lower ones move. */
chan q = [1] of { byte };
byte g;
active proctype A() priority 5 { byte x; q?x; g = g + x; q?x; g = g * x }
active proctype B() priority 2 { q!3; g++; q!2; g++ }
active proctype C() priority 3 { g = 10; g > 12 -> g = 0 }
