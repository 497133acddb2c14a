/* expect: error: event_trace error (no matching event); depth: 4; errors: 3; stored: 35; transitions: 69 */
/* A trace over one of several channels leaves the others free. */
chan p = [1] of { byte };
chan q = [1] of { byte };

active [2] proctype S()
{
	if
	:: p!1; p?_
	:: q!1; q?_
	:: q!2; q?_
	fi
}

trace {
	do
	:: q!1; q!2
	:: q!2
	od
}
