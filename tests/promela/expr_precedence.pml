/* expect: error: assertion violated (a<120); depth: 11; errors: 995; stored: 2410; transitions: 3833 */
/* Operators bind as in C, with SPIN's exceptions. */
int a = 6, b = 3, c = 2;

active [2] proctype P()
{
	int r[8];
	r[0] = a - b - c;
	r[1] = a + b * c;
	r[2] = a & b == c;
	r[3] = a | b ^ c & 1;
	r[4] = a << 1 + c;
	r[5] = !a + b;
	r[6] = ~a & 7;
	r[7] = a > b == c < b || a && !c;
	a = r[0] + r[1] * 10 + r[2] * 100 + r[3];
	b = r[4] + r[5] - r[6];
	c = r[7] + c;
	assert(a < 120)
}
