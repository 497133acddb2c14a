/* expect: error: assertion violated (log!=18); depth: 6; errors: 1; stored: 69; transitions: 101 */
/* The receiver of a rendezvous stands in atomic too: it keeps control, the sender gets it back later. */
chan q = [0] of { byte };
byte log;

active proctype Sender()
{
	atomic { log++; q!2; log = log * 2 }
}

active proctype Receiver()
{
	byte x;
	atomic { q?x; log = log + x; log = log * 3 }
	assert(log != 18)
}

active proctype Other()
{
	log = log + 4;
	log = log + 8
}
