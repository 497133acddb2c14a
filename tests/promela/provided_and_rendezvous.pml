/* expect: error: none; errors: 0; stored: 19; transitions: 23 */
/* Both partners of a rendezvous need their provided clause. */
chan q = [0] of { byte };
bit a = 1, b;

active proctype S() provided (a)
{
	q!1; a = 0; q!2
}

active proctype R() provided (b)
{
	byte x;
	q?x; q?x; assert(x == 2)
}

active proctype C()
{
	b = 1;
	a == 0 -> a = 1;
	b = 0;
	b = 1
}
