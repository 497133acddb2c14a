/* expect: error: none; errors: 0; stored: 26; transitions: 39 */
/* A notrace that no run matches. */
mtype = { a, b };
chan q = [1] of { mtype };

active [2] proctype S()
{
	if
	:: q!a
	:: q!b
	fi;
	q?_
}

notrace {
	q!a; q!b; q!a
}
