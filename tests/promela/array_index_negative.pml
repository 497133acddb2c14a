/* expect: pan: -c1 */
/* expect: error: assertion violated - invalid array index; depth: 6; errors: 1; stored: 7; transitions: 7 */
/* A negative index is an error, also when read. */
byte a[3];
int i = 1;

active proctype P()
{
	byte x;
	do
	:: i > -2 -> i--
	:: x = a[i] -> i = 1
	od
}
