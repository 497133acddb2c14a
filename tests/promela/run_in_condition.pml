/* expect: error: none; errors: 0; stored: 161; transitions: 381 */
/* run as a condition: true when the process could be started. */
byte n;

proctype P() { n++ }

active proctype Q()
{
	byte k;
	do
	:: k < 3 -> (run P()); k++
	:: k == 3 -> break
	od;
	if
	:: run P() -> n = n + 10
	:: n == 2 -> skip
	fi
}
