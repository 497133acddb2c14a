/* expect: error: invalid end state; depth: 6; errors: 1; stored: 8; transitions: 8 */
/* A provided clause may look at the process itself. */
byte turn, steps;

active [3] proctype P() provided (turn == _pid)
{
	steps++;
	if
	:: turn = (turn + 1) % 3
	:: steps > 4 -> turn = 0
	fi;
	steps++
}
