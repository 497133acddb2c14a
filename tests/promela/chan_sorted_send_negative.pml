/* expect: error: assertion violated ((v<=w)&&(low!= -(1))); depth: 7; errors: 9; stored: 329; transitions: 578 */
/* Sorting compares values with their sign. */
chan q = [3] of { short };
short low = 9;

active [3] proctype Sender()
{
	q!!(_pid * 7) % 4 - 2;
	q!!-_pid
}

active proctype Receiver()
{
	short v, w;
	full(q);
	q?v; q?w;
	low = v;
	assert(v <= w && low != -1);
	do
	:: q?w
	:: timeout -> break
	od
}
