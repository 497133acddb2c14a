/* expect: error: assertion violated (order!=5); depth: 9; errors: 12; stored: 290; transitions: 326 */
/* Several processes wait for timeout: each may go. */
byte order, n;

active [3] proctype P()
{
	timeout;
	order = order * 3 + _pid;
	n++;
	if
	:: n < 3 -> timeout
	:: else
	fi;
	assert(order != 5)
}
