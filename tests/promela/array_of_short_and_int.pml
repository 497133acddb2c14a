/* expect: error: assertion violated ((s[0]==s[1])||(n[0]==n[1])); depth: 3; errors: 4; stored: 65; transitions: 101 */
/* Arrays keep the width of their element type. */
short s[2] = 32767;
int n[2] = 32767;

active [2] proctype P()
{
	s[_pid]++;
	n[_pid]++;
	if
	:: s[1 - _pid] < 0 -> s[_pid] = n[1 - _pid]
	:: n[1 - _pid] > 40000 -> n[_pid] = s[1 - _pid]
	:: else
	fi;
	assert(s[0] == s[1] || n[0] == n[1])
}
