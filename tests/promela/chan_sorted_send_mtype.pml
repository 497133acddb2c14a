/* expect: error: none; errors: 0; stored: 102; transitions: 191 */
/* Sorted insertion of symbolic names goes by their numbers. */
mtype = { low, mid, high };
chan q = [3] of { mtype };

active [3] proctype S()
{
	if
	:: q!!mid
	:: q!!high
	:: q!!low
	fi
}

active proctype R()
{
	mtype a, b, c;
	full(q) -> q?a; q?b; q?c;
	assert(a <= b && b <= c);
	assert(!(a == low && b == mid && c == high))
}
