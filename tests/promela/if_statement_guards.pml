/* expect: error: none; errors: 0; stored: 579; transitions: 817 */
/* Assignments, prints, asserts, runs and sends as guards. */
byte g;
chan q = [1] of { byte };

proctype C() { g = g + 4 }

active proctype P()
{
	byte n;
	do
	:: n < 4 ->
		if
		:: g = g + 1 -> n++
		:: printf("n=%d\n", n) -> n = n + 2
		:: assert(g < 12) -> n++
		:: q!n -> n++
		:: q?n -> n++
		:: run C() -> n = n + 3
		fi
	:: n >= 4 -> break
	od
}
