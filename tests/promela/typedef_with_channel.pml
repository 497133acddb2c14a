/* expect: error: invalid end state; depth: 9; errors: 5; stored: 326; transitions: 588 */
/* A channel may be a field of a struct. */
typedef Link { chan c; byte count };
Link l[2];
chan wires[2] = [1] of { byte };

active [2] proctype P()
{
	byte x;
	l[_pid].c = wires[_pid];
	do
	:: l[1 - _pid].c != 0 && l[_pid].count < 2 -> l[1 - _pid].c!l[_pid].count; l[_pid].count++
	:: l[_pid].c?x -> assert(x < 2)
	:: l[_pid].count == 2 && empty(l[_pid].c) -> break
	od
}
