/* expect: error: assertion violated (g!=21); depth: 15; errors: 4; stored: 187; transitions: 329 */
/* Processes started inside atomic wait until it ends. */
byte g, n;
proctype C(byte k) { g = g * 2 + k; n++ }
active proctype P()
{
	atomic { run C(0); g++; run C(1); g++; run C(2) }
	n == 3 -> assert(g != 21)
}
