/* expect: error: none; errors: 0; stored: 240; transitions: 425 */
/* Fields of every type, packed side by side. */
mtype = { on, off };
typedef All { bit b; bool o; unsigned u : 3; byte y; short s; int i; mtype m; pid p; unsigned v : 5 = 31 };
All g[2];

active [2] proctype P()
{
	g[_pid].b = 3; g[_pid].u = g[1 - _pid].v; g[_pid].v++;
	g[_pid].s = -1; g[_pid].y = g[_pid].s; g[_pid].i = g[_pid].y * 1000;
	g[_pid].m = off; g[_pid].p = _pid - 1;
	assert(g[0].u + g[1].u + g[_pid].v != 7 || g[1].p == 0)
}
