/* expect: error: invalid end state; depth: 14; errors: 6; stored: 282; transitions: 641 */
/* Without -m the same senders block. */
chan q = [2] of { byte };
byte got;

active [2] proctype Sender()
{
	byte i;
	do
	:: i < 3 -> q!i + 1; i++
	:: i == 3 -> break
	od
}

active proctype Receiver()
{
	byte x;
	q?x;
	got = x
}
