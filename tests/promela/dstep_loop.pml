/* expect: error: none; errors: 0; stored: 33; transitions: 49 */
/* Loops inside a d_step run to their end in one step. */
byte a[4] = 4;
byte moves;

active [2] proctype Sorter()
{
	byte i;
	a[_pid] = 3 - _pid;
	d_step {
		i = 0;
		do
		:: i < 3 ->
			if
			:: a[i] > a[i + 1] ->
				a[i] = a[i] + a[i + 1];
				a[i + 1] = a[i] - a[i + 1];
				a[i] = a[i] - a[i + 1];
				moves++
			:: else
			fi;
			i++
		:: else -> break
		od;
		i = 0
	}
	assert(moves < 2)
}
