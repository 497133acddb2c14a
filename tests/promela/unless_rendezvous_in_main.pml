/* expect: error: none; errors: 0; stored: 37; transitions: 52 */
/* A rendezvous in the main sequence against a local escape. */
chan q = [0] of { byte };
byte g;

active proctype P()
{
	byte x;
	do
	:: q?x -> g = g + x
	od unless { g > 3 };
	g = 0
}

active proctype Q()
{
	byte i;
	do
	:: i < 4 -> q!i; i++
	:: timeout -> break
	:: i == 4 -> break
	od
}
