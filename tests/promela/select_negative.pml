/* expect: error: assertion violated (s!= -(8)); depth: 8; errors: 5; stored: 561; transitions: 1025 */
/* select over a range that begins below zero. */
short s;

active [2] proctype P()
{
	short i;
	select (i : -2 .. 1);
	s = s * 3 + i;
	assert(s != -8)
}
