/* expect: pan: -c1 */
/* expect: error: ref to uninitialized chan name (len); depth: 8; errors: 1; stored: 36; transitions: 46 */
/* Receiving from a channel that was never created. */
byte g;
chan real = [1] of { byte };

proctype P(chan c)
{
	byte x;
	do
	:: g < 3 -> g++
	:: g == 2 -> c?x
	:: g >= 3 -> break
	od
}

init { chan none; run P(real); run P(none) }
