/* expect: error: invalid end state; depth: 7; errors: 2; stored: 35; transitions: 45 */
/* else beside a rendezvous receive. */
chan q = [0] of { byte };
byte n;

active proctype R()
{
	do
	:: q?_ -> n++
	:: n < 4 -> n = n + 2
	:: else -> break
	od
}

active proctype S() { q!1; q!2 }
