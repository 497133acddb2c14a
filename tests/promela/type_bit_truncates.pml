/* expect: error: invalid end state; depth: 28; errors: 57; stored: 469; transitions: 869 */
/* A bit keeps the lowest bit of what is assigned to it. */
bit b, c;

active proctype Counter()
{
	int i;
	do
	:: i < 6 -> b = i; i++
	:: i < 6 -> b = i + 2; c = b + c; i++
	:: else -> break
	od;
	assert(b <= 1 && c <= 1)
}

active proctype Watcher()
{
	bit seen;
	do
	:: b == 1 -> seen = 3; b = 2
	:: seen && c -> break
	od;
	assert(seen != 1)
}
