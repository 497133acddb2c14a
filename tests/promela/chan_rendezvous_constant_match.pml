/* expect: error: none; errors: 0; stored: 7; transitions: 8 */
/* A rendezvous only takes place if the constants of the receiver match. */
mtype = { ping, pong };
chan c = [0] of { mtype, byte };

active proctype A()
{
	byte v;
	do
	:: c!ping,v
	:: c?pong,v -> v = (v + 1) % 4
	od
}

active proctype B()
{
	byte w;
end:	do
	:: c?ping,w -> c!pong,w + 1
	:: w == 3 -> c?pong,w
	od
}
