/* expect: error: invalid end state; depth: 8; errors: 1; stored: 36; transitions: 57 */
/* A process may stop at a label that begins with end; elsewhere it is an invalid end state. */
chan q = [1] of { byte };

active proctype Server()
{
	byte x;
end_of_work:
	do
	:: q?x ->
endless:	if
		:: x == 1 -> q?x
		:: x == 2 -> skip
		fi
	od
}

active [2] proctype Client()
{
	q!_pid
}
