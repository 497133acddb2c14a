/* expect: error: event_trace error (no matching event); depth: 7; errors: 11; stored: 31; transitions: 42 */
/* A rendezvous counts as one event of the sender. */
chan q = [0] of { byte };

active proctype S() { q!1; q!2; q!1 }
active [2] proctype R() { byte x; do :: q?x :: x == 1 -> break od }

trace {
	do
	:: q!1
	:: q!2; q!2
	od
}
