/* expect: error: none; errors: 0; stored: 142; transitions: 273 */
/* A struct may bring its own channel. */
typedef Box { chan c = [1] of { byte, bit }; byte n };
Box b;
Box more[2];

active [2] proctype P()
{
	byte v;
	bit w;
	b.c!_pid,1;
	more[_pid].c!_pid + 4,0;
	do
	:: more[1 - _pid].c?v,w -> b.n = b.n + v
	:: b.c?v,w -> b.n = b.n + v + w
	:: b.n > 10 -> break
	:: empty(b.c) && empty(more[0].c) && empty(more[1].c) -> break
	od
}
