/* expect: error: none; errors: 0; stored: 83; transitions: 113 */
/* An atomic whose first statement is blocked is not entered. */
byte lock, in;

active [3] proctype P()
{
	atomic { lock == 0 -> lock = _pid + 1 }
	in++;
	assert(in == 1);
	in--;
	lock = 0
}
