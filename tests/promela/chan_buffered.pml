/* expect: error: none; errors: 0; stored: 3605; transitions: 9089 */
/* A buffered channel blocks the sender when full and the receiver when empty. */
chan q = [2] of { byte, bit };
byte received;

active [2] proctype Sender()
{
	byte i;
	do
	:: i < 3 -> q!i,_pid; i++
	:: i == 3 -> break
	od
}

active proctype Receiver()
{
	byte x, last[2];
	bit who;
	do
	:: q?x,who -> assert(x >= last[who]); last[who] = x; received++
	:: received == 6 -> break
	od
}
