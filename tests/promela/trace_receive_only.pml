/* expect: error: none; errors: 0; stored: 90; transitions: 152 */
/* Only operations that occur in the trace are watched. */
chan q = [2] of { byte };

active [2] proctype S() { q!1; q!2 }

active proctype R()
{
	byte x, n;
	do
	:: n < 4 -> q?x; n++
	:: n == 4 -> break
	od
}

trace {
	q?1;
	do
	:: q?1; q?2
	:: q?2
	od
}
