/* expect: error: none; errors: 0; stored: 218; transitions: 438 */
/* _pid differs between processes and is constant in each. */
byte a[4];

active [3] proctype P()
{
	a[_pid]++;
	a[_pid + 1] = a[_pid] + _pid;
	assert(_pid < 3 && a[_pid] > 0)
}
