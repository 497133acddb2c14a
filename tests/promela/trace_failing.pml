/* expect: error: event_trace error (no matching event); depth: 4; errors: 5; stored: 27; transitions: 51 */
/* A send that the trace does not allow. */
mtype = { a, b };
chan q = [2] of { mtype };

active [2] proctype S()
{
	if
	:: q!a
	:: q!b
	fi;
	q?_
}

trace {
	do
	:: q!a
	:: q!b; q!a
	od
}
