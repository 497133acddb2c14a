/* expect: pan: -c1 */
/* expect: error: block in d_step seq; depth: 4; errors: 1; stored: 5; transitions: 5 */
/* A statement that blocks inside a d_step is an error. */
byte g;

active proctype P()
{
	do
	:: g < 2 -> g++
	:: d_step { g > 0 -> g = g + 1; g == 2; g = 5 }
	:: g > 4 -> break
	od
}
