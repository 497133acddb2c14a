/* expect: error: invalid end state; depth: 19; errors: 1; stored: 31; transitions: 39 */
/* A possible rendezvous keeps timeout false. */
chan q = [0] of { bit };
byte lost;

active proctype S()
{
	do
	:: q!1
	:: lost > 1 -> break
	od
}

active proctype R()
{
	byte n;
	do
	:: n < 2 -> q?_; n++
	:: timeout -> lost++; n = 1
	:: lost == 2 -> break
	od
}
