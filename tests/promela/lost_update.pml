/* expect: error: assertion violated (n!=2); depth: 31; errors: 1; stored: 1639; transitions: 2912 */
/* Two processes that add without protection. */
byte n;
proctype Adder()
{
	byte t, i;
	do
	:: i < 3 -> t = n; n = t + 1; i++
	:: i == 3 -> break
	od
}
init {
	atomic { run Adder(); run Adder() }
	_nr_pr == 1 -> assert(n != 2)
}
