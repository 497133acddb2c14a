/* expect: error: none; errors: 0; stored: 469; transitions: 993 */
/* A struct sent as a message field arrives field by field. */
typedef Rec { byte id; bit flag; byte d[2] };
chan q = [2] of { byte, Rec };

active [2] proctype Sender()
{
	Rec r;
	r.id = _pid;
	r.flag = 1;
	r.d[_pid] = 5;
	q!_pid + 1, r;
	r.flag = 0;
	q!_pid + 3, r
}

active proctype Receiver()
{
	Rec s;
	byte n, k;
	do
	:: k < 4 -> q?n,s; k++; assert(s.d[s.id] == 5 && n % 2 == 1 - s.id)
	:: k == 4 -> break
	od;
	assert(s.flag == 0)
}
