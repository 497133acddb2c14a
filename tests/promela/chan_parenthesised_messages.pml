/* expect: error: none; errors: 0; stored: 52; transitions: 80 */
/* m(a,b) is another spelling of m,a,b. */
mtype = { req, ack };
chan q = [1] of { mtype, byte, byte };

active proctype Sender()
{
	byte i;
	do
	:: i < 3 -> q!req(i,i + 1); i++
	:: i == 3 -> q!ack(0,0); break
	od
}

active proctype Receiver()
{
	byte a, b;
	do
	:: q?req(a,b) -> assert(b == a + 1)
	:: q?ack(_,_) -> break
	:: q?<req(1,b)> -> assert(b == 2); q?req,_,_
	od
}
