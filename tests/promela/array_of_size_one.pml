/* expect: error: assertion violated (b<=7); depth: 18; errors: 5; stored: 427; transitions: 729 */
/* An array of one element, and a scalar indexed with 0. */
byte a[1];
byte b;

active [2] proctype P()
{
	byte l[1];
	do
	:: a[0] < 3 -> a[0]++; l[0] = a[0]
	:: a[0] >= 3 -> break
	od;
	b = b + l[0];
	assert(b <= 7)
}
