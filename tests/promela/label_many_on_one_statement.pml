/* expect: error: none; errors: 0; stored: 45; transitions: 73 */
/* Several labels on one statement. */
byte g;

active [2] proctype P()
{
first:
second:
third:	g++;
	if
	:: g < 3 -> goto second
	:: g == 3 -> goto first
	:: g > 3 -> goto fourth
	fi;
fourth:
fifth:	assert(g > 3)
}
