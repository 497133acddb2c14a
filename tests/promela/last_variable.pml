/* expect: error: assertion violated (alternations!=3); depth: 17; errors: 38; stored: 610; transitions: 1042 */
/* _last is the pid of the process that moved last. */
byte g, alternations;

active [2] proctype P()
{
	do
	:: g < 4 && _last != _pid -> g++; alternations++
	:: g >= 4 -> break
	:: _last == _pid && g < 4 -> g++
	od;
	assert(alternations != 3)
}
