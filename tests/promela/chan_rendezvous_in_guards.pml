/* expect: error: invalid end state; depth: 386; errors: 9; stored: 7442; transitions: 11967 */
/* Rendezvous offers in selections: only pairs that match can move. */
chan a = [0] of { byte };
chan b = [0] of { byte };
byte n;

active proctype P()
{
	byte x;
	do
	:: a!1
	:: b?x -> n = n + x
	:: n > 4 -> break
	od
}

active proctype Q()
{
	byte x;
	do
	:: a?x -> n = n + x
	:: b!2
	:: n > 4 -> break
	od;
	assert(n != 5)
}
