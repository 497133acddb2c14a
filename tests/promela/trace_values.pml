/* expect: error: invalid end state; depth: 7; errors: 2; stored: 143; transitions: 229 */
/* Values in a trace event must match; _ matches anything. */
chan q = [2] of { byte, byte };

active [2] proctype S()
{
	byte i;
	do
	:: i < 2 -> q!i,_pid; i++
	:: i == 2 -> break
	od;
	do
	:: q?_,_
	:: empty(q) -> break
	od
}

trace {
	q!0,_;
	do
	:: q!0,_
	:: q!1,0
	:: q!1,1 -> break
	od;
	do
	:: q!_,_
	od
}
