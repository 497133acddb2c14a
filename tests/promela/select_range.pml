/* expect: error: assertion violated (i!=11); depth: 14; errors: 57; stored: 3536; transitions: 7395 */
/* select (i : a .. b) picks any value of the range. */
byte g;

active [2] proctype P()
{
	byte i;
	select (i : 2 .. 5);
	assert(i >= 2 && i <= 5);
	g = g + i;
	select (i : g .. g + 1);
	assert(i != 11)
}
