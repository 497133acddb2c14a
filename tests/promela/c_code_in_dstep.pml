/* expect: error: assertion violated (g!=6); depth: 7; errors: 2; stored: 33; transitions: 49 */
/* Embedded C inside atomic and d_step. */
byte g, h;

active [2] proctype P()
{
	d_step { g++; c_code { now.h = now.g + now.h; }; h++ }
	atomic { c_code { now.g = now.h; }; g++; if :: c_expr { now.g > 5 } -> h = 0 :: else -> h = 1 fi }
	assert(g != 6)
}
