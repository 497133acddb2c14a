/* expect: cc: -DNOREDUCE -DSAFETY */
/* expect: error: end state in claim reached; depth: 17; errors: 18; stored: 59; transitions: 115 */
/* A claim that reaches its end has matched: an error. */
byte g;

active [2] proctype P()
{
	do
	:: g < 4 -> g++
	:: g > 1 -> g--
	:: g == 4 -> break
	od
}

never {
	do
	:: g == 2 -> break
	:: g != 2
	od;
	do
	:: g == 4 -> break
	:: g < 4
	od
}
