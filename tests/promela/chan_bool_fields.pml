/* expect: error: assertion violated (b!=c); depth: 8; errors: 6; stored: 96; transitions: 147 */
/* Messages of single bits and of short values side by side. */
chan q = [3] of { bit, bool, short };

active [2] proctype P()
{
	short s;
	bit b;
	bool c;
	q!_pid,1 - _pid,-300 * (_pid + 1);
	q?b,c,s;
	assert(b != c);
	assert(s == -300 - 300 * b);
	q!b + 1,c,s - 32767
}
