/* expect: error: none; errors: 0; stored: 30; transitions: 37 */
/* q??[m] is true if a match stands anywhere in the queue. */
chan q = [3] of { byte };
bit late;

active proctype Sender()
{
	q!1; q!2; q!3
}

active proctype Receiver()
{
	do
	:: q??[3] && !q?[3] -> late = 1; q??3
	:: q?[1] -> q?1
	:: q?[2] && late -> break
	:: q?[2] && !late -> q?2
	:: q?[3] && !q??[1] -> q?3; break
	od;
	assert(!late || len(q) == 1)
}
