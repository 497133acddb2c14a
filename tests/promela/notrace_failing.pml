/* expect: error: event_trace error (all events matched); depth: 4; errors: 6; stored: 20; transitions: 33 */
/* A notrace that can be matched to its end is an error. */
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
	if
	:: q!a; q!b
	:: q!b; q!b
	fi
}
