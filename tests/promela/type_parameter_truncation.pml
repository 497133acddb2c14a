/* expect: error: assertion violated ((b==0)||(y<200)); depth: 3; errors: 4; stored: 17; transitions: 23 */
/* Run parameters are truncated to the type of the parameter. */
int sum;

proctype Child(bit b; byte y; short s; int i)
{
	atomic { sum = sum + b + y + s + i }
	assert(b == 0 || y < 200)
}

init {
	atomic {
		run Child(2, 257, 65537, 65537);
		run Child(3, -1, 40000, -5)
	}
	(_nr_pr == 1) -> assert(sum == 1)
}
