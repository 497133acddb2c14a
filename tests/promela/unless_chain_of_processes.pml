/* expect: error: invalid end state; depth: 18; errors: 24; stored: 6023; transitions: 15030 */
/* Several processes with escapes that interrupt each other. */
byte token;

active [3] proctype P()
{
	byte work;
	do
	:: { work < 2 -> work++; token = (token + 1) % 3; work == 2 } unless { token == _pid -> token = 3 }
	:: work == 2 -> break
	:: token == 3 && work > 0 -> token = 0; break
	od
}
