/* expect: cc: -DNOREDUCE -DSAFETY */
/* expect: error: end state in claim reached; depth: 9; errors: 48; stored: 137; transitions: 208 */
/* A claim over _last: process 1 moved twice without process 0 in between. */
byte g;

active [2] proctype P()
{
	do
	:: g < 3 -> g = g + 1 + _pid
	:: g >= 3 -> break
	od
}

never {
	do
	:: _last == 1 -> break
	:: true
	od;
	do
	:: _last == 1 && g > 2 -> break
	:: _last == 1
	od
}
