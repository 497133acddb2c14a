/* expect: pan: -c1 error: assertion violated - invalid array index */
/* expect: error: assertion violated - invalid array index; depth: 15; errors: 1; stored: 16; transitions: 16 */
/* An index outside the array is an error. */
byte a[3];
byte i;

active proctype P()
{
	do
	:: i < 4 -> i++
	:: a[i] = i
	od
}

active proctype Q()
{
	i > 1 -> i = 0
}
