/* expect: error: none; errors: 0; stored: 91; transitions: 163 */
/* ; and -> mean the same; both may stand before a closing brace; empty statements between them. */
byte g;

active [2] proctype P()
{
	g++;
	g == 1 || g > 1; g++ -> g--;
	{ g++; }
	if
	:: g > 0 -> g = g + 2;
	:: g == 0;
	fi;
	do
	:: g < 4 -> g++;
	:: g >= 4; break;
	od;
}
