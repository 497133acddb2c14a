/* expect: error: invalid end state; depth: 19; errors: 1; stored: 122; transitions: 192 */
/* q?[m] is true if q?m could be executed; it changes nothing. */
mtype = { go, stop };
chan q = [2] of { mtype, byte };
byte n;

active proctype Sender()
{
	do
	:: n < 4 -> q!go,n
	:: n == 4 -> q!stop,n; break
	od
}

active proctype Receiver()
{
	do
	:: q?[go,2] -> n = 4; q?go,_
	:: q?[go,eval(n)] && n != 2 -> q?go,_; n++
	:: q?[stop,_] -> break
	:: q?[go,_] && !q?[go,eval(n)] -> q?go,_
	od;
	assert(len(q) == 1)
}
