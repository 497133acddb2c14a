/* expect: error: invalid end state; depth: 9; errors: 3; stored: 137; transitions: 212 */
/* A selection without an executable guard blocks until one becomes true. */
byte g;

active proctype P()
{
	if
	:: g == 3 -> g = 10
	:: g == 5 -> g = 20
	fi
}

active [2] proctype Q()
{
	g++;
	if
	:: g == 10 -> g = 0
	:: g < 10 -> g++
	fi;
	g++
}
