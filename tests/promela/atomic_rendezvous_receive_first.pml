/* expect: error: invalid end state; depth: 18; errors: 13; stored: 86; transitions: 102 */
/* A receive as guard of an atomic is executable when a sender offers. */
chan q = [0] of { byte };
byte served;

active [2] proctype Client()
{
	q!_pid;
	served++;
	q!_pid + 2
}

active proctype Server()
{
	byte x, y;
end:	do
	:: atomic { q?x -> y = y + x; served = served * 2 }
	:: atomic { y > 2 -> q?y; assert(served > 0) }
	od
}
