/* expect: cc: -DNOREDUCE -DSAFETY */
/* expect: error: end state in claim reached; depth: 41; errors: 7; stored: 153; transitions: 271 */
/* P[i]:x reads a local variable of another process. */
byte g;

active [2] proctype P()
{
	byte x, a[2];
	do
	:: x < 3 -> x = x + 1 + _pid; a[_pid] = x
	:: x >= 3 -> break
	od;
	g = g + x
}

never {
	do
	:: P[0]:x == 2 && P[1]:x == 4 -> break
	:: else
	od;
	do
	:: g > 6 -> break
	:: P[0]:x < 9
	od
}
