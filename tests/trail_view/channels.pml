/* Messages that are sent sorted, copied, taken from the middle, and left behind. */
mtype = { low, high };
typedef Box { byte n; mtype kind[2] };
chan q = [3] of { mtype, byte };
Box box;

active proctype Sender() {
	q!!high,2;
	q!!low,1;
	q!high,5
}

active proctype Receiver() {
	byte x;
	len(q) == 3;
	q?<box.kind[1],x>;
	q??high,5;
	q?box.kind[0],box.n;
	assert(false)
}
