/* expect: error: assertion violated (x!= -(6)); depth: 7; errors: 6; stored: 1012; transitions: 1717 */
/* Shifts and bit operators on int. */
int x = 1;

active [2] proctype P()
{
	x = x << (3 + _pid);
	x = x | 5;
	x = (x ^ 12) & 127;
	x = (x >> 1) + (~x & 3);
	x = -x;
	x = x >> 2;
	assert(x != -6)
}
