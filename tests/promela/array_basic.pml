/* expect: error: none; errors: 0; stored: 241; transitions: 451 */
/* Elements of an array are separate variables; the index is an expression. */
byte a[4];

active [2] proctype P()
{
	byte i;
	do
	:: i < 4 -> a[(i + _pid) % 4]++; i++
	:: i == 4 -> break
	od;
	assert(a[0] + a[1] + a[2] + a[3] <= 8 && a[_pid] > 0)
}
