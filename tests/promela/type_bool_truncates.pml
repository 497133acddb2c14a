/* expect: error: assertion violated ((v==2)||(v== -(1))); depth: 14; errors: 71; stored: 239; transitions: 373 */
/* bool is a bit too: 2 becomes false, 3 becomes true. */
bool flag[2];

active [2] proctype P()
{
	int v = 2;
	flag[_pid] = v;
	v++;
	flag[_pid] = v;
	if
	:: flag[1 - _pid] -> v = flag[_pid] + flag[1 - _pid]
	:: !flag[1 - _pid] -> v = -1
	fi;
	flag[_pid] = v;
	assert(v == 2 || v == -1)
}
