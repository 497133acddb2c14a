/* expect: flags: -m */
/* expect: error: none; errors: 0; stored: 5206; transitions: 12857 */
/* With -m a send to a full channel loses the message instead of blocking. */
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
	do
	:: q?x -> got = got + x
	:: timeout -> break
	od;
	assert(got > 0)
}
