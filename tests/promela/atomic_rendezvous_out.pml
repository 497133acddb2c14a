/* expect: error: assertion violated (log!=14); depth: 5; errors: 1; stored: 161; transitions: 254 */
/* A rendezvous inside atomic passes control to the receiver. */
chan q = [0] of { byte };
byte log;

active proctype Sender()
{
	atomic {
		log = log * 3 + 1;
		q!1;
		log = log * 3 + 2
	}
	log++
}

active proctype Receiver()
{
	byte x;
	q?x;
	log = log * 3 + x;
	assert(log != 14)
}

active proctype Other()
{
	log = log + 5
}
