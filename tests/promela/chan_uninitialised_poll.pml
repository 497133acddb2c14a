/* expect: pan: -c1 */
/* expect: error: ref to uninitialized chan name (len); depth: 7; errors: 1; stored: 35; transitions: 45 */
/* Polling a channel that was never created. */
byte g;
chan real = [1] of { byte };

proctype P(chan c)
{
	do
	:: g < 3 -> g++
	:: g == 2 && c?[1] -> break
	:: g >= 3 -> break
	od
}

init { chan none; run P(real); run P(none) }
