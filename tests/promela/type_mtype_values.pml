/* expect: error: assertion violated ((n!=9)||(m>1)); depth: 21; errors: 2; stored: 145; transitions: 214 */
/* mtype constants count from 1 in the order of declaration. */
mtype = { red, green, blue };
mtype = { black, white };
mtype m;

active proctype P()
{
	if
	:: m = red
	:: m = green
	:: m = blue
	:: m = black
	:: m = white
	fi;
	assert(m == red || m != 0)
}

active proctype Q()
{
	int n;
	n = m;
	do
	:: m != 0 && n < 9 -> n = n + m
	:: n >= 9 -> break
	od;
	assert(n != 9 || m > 1)
}
