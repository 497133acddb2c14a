mtype = { req, ack };
typedef Pair { byte n; short v[2] };
chan q = [2] of { mtype, byte };
chan r = [0] of { byte };
Pair pair;

active proctype Client() {
	byte got;
	q!req,3;
	q!ack,4;
	r?got;
	pair.v[1] = got;
	printf("got %d\n", got)
}

active proctype Server() {
	byte n;
	q?req,n;
	r!n + 1;
	q?ack,n;
	pair.n = n;
	assert(pair.v[1] == 0)
}
