/* expect: pan: -c1 */
/* expect: error: ref to uninitialized chan name (qfull); depth: 8; errors: 1; stored: 36; transitions: 46 */
/* Sending to a channel that was never created is an error. */
byte g;
chan real = [1] of { byte };

proctype P(chan c)
{
	do
	:: g < 3 -> g++
	:: g == 2 -> c!1
	:: g >= 3 -> break
	od
}

init { chan none; run P(real); run P(none) }
