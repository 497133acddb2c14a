/* expect: cc: -DNOREDUCE -DSAFETY */
/* expect: error: none; errors: 0; stored: 19; transitions: 33 */
/* Where the claim cannot move, the search goes no further. */
byte g;

active [2] proctype P()
{
	do
	:: g < 6 -> g++
	:: g == 6 -> break
	od;
	assert(g != 6)
}

never {
	do
	:: g < 4
	od
}
