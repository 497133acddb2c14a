/* expect: error: invalid end state; depth: 3; errors: 1; stored: 12; transitions: 14 */
/* A process cannot meet itself. */
chan q = [0] of { byte };
byte g;

active proctype P()
{
	byte x;
	if
	:: q!1
	:: q?x
	:: g == 2 -> skip
	fi
}

active proctype Q()
{
	g++; g++; g++
}
