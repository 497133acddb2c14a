/* expect: cc: -DNOREDUCE -DSAFETY */
/* expect: error: assertion violated  !((g==3)); depth: 13; errors: 4; stored: 19; transitions: 33 */
/* Atomic steps inside a claim, as SPIN's LTL translation writes them. */
byte g;

active [2] proctype P()
{
	do
	:: g < 5 -> g++
	:: g == 5 -> g = 0
	od
}

never {
T0:
	do
	:: atomic { (g == 3) -> assert(!(g == 3)) }
	:: (g < 3) -> goto T0
	od
}
