/* expect: error: none; errors: 0; stored: 27; transitions: 47 */
/* A trace assertion follows the sends and receives of its channels. */
mtype = { a, b };
chan q = [1] of { mtype };
chan r = [1] of { mtype };

active proctype S()
{
	do
	:: q!a; q!b
	:: break
	od
}

active proctype R()
{
	do
	:: q?a -> if :: r!a :: skip fi
	:: q?b
	:: nempty(r) -> r?a
	:: timeout -> break
	od
}

trace {
	do
	:: q!a; q?a; q!b; q?b
	od
}
