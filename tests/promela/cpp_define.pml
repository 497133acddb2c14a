/* expect: error: none; errors: 0; stored: 82; transitions: 137 */
/* Macros with and without parameters. */
#define N 3
#define MAX(a, b) ((a) > (b) -> (a) : (b))
#define bump(x)	x = x + 1; \
		sum = sum + x
byte sum, a[N];

active [2] proctype P()
{
	bump(a[_pid]);
	bump(a[N - 1]);
	sum = MAX(sum, a[2] + 2);
	assert(sum < 8)
}
