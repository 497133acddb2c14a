/* expect: error: none; errors: 0; stored: 68; transitions: 99 */
/* While the escape is executable the main sequence cannot move. */
bit stop;
byte n;

active proctype P()
{
	do
	:: n < 3 -> n++
	:: n == 3 -> n = 0
	od unless { stop }
	assert(stop)
}

active proctype Q()
{
	n == 2 -> stop = 1;
	assert(n <= 3)
}
