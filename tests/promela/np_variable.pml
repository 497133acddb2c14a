/* expect: cc: -DNOREDUCE -DSAFETY */
/* expect: error: none; errors: 0; stored: 44; transitions: 76 */
/* np_ is true while no process stands at a progress label. */
byte g;

active proctype P()
{
	do
	:: g < 3 -> g++
	:: g < 3 ->
progress:	g = g + 2
	:: else -> break
	od
}

active proctype Q() { g = 0 }

never {
	do
	:: !np_ && g == 1 -> break
	:: np_ || g != 1
	od
}
