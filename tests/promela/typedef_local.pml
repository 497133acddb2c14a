/* expect: error: assertion violated (total>=m.kind); depth: 9; errors: 3; stored: 109; transitions: 177 */
/* Structs as locals, one copy for each process. */
typedef Msg { byte kind; short n[2] };
short total;

active [2] proctype P()
{
	Msg m;
	m.kind = _pid + 1;
	m.n[0] = total;
	m.n[1] = m.n[0] + m.kind;
	total = m.n[1];
	m.kind = m.n[1];
	assert(total >= m.kind)
}
