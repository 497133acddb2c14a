/* expect: error: none; errors: 0; stored: 36; transitions: 52 */
/* A struct may be a run parameter; its fields are copied. */
typedef Pair { byte a; byte b };
byte sum;

proctype P(Pair p; byte n)
{
	p.a = p.a + n;
	sum = sum + p.a;
	assert(p.a == 3 + n && p.b == 4)
}

init {
	Pair x;
	x.a = 3; x.b = 4;
	run P(x, 1);
	run P(x, 2);
	(_nr_pr == 1) -> assert(x.a == 3 && sum == 9)
}
