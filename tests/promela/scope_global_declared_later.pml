/* expect: error: assertion violated (x!=3); depth: 1; errors: 9; stored: 121; transitions: 325 */
/* A global declared after a proctype leaves the local of that name alone. */
active [2] proctype P()
{
	short x = -2;
	x = x * 3;
	assert(x == -6)
}

byte x = 1;

active [2] proctype Q()
{
	x = x + _pid;
	assert(x != 3)
}
