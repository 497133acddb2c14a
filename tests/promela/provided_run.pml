/* expect: error: invalid end state; depth: 7; errors: 4; stored: 22; transitions: 24 */
/* provided on processes started by run. */
byte turn = 1, g;

proctype W(byte me) provided (turn == _pid || g > 5)
{
	g++; turn = 3 - turn; g = g + me
}

init { atomic { run W(1); run W(2) }; g = 0; _nr_pr == 1 -> assert(g != 4) }
