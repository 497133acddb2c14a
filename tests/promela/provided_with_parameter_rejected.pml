/* expect: reject: invalid PROVIDED clause */
/* A provided clause sees globals and _pid only, no parameters. */
byte turn = 1, g;

proctype W(byte me) provided (turn == me || g > 5)
{
	g++; turn = 3 - turn; g = g + me
}

init { atomic { run W(1); run W(2) }; g = 0; _nr_pr == 1 -> assert(g != 4) }
