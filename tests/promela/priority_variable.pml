/* expect: error: none; errors: 0; stored: 84; transitions: 96 */
/* _priority reads and writes the priority of the process itself. */
byte g;

active [2] proctype P() priority 2
{
	g = g + _priority;
	_priority = _priority + _pid;
	g = g * 2;
	if
	:: _priority > 2 -> _priority = 1
	:: else
	fi;
	g++;
	assert(g < 20)
}
