/* expect: error: assertion violated ((x>2)||(state<6)); depth: 9; errors: 122; stored: 1036; transitions: 1880 */
/* A channel of capacity 0: sender and receiver move together. */
chan q = [0] of { byte };
byte state;

active [2] proctype Sender()
{
	q!_pid + 1;
	state = state * 2;
	q!_pid + 3
}

active [2] proctype Receiver()
{
	byte x;
	q?x -> state = state + x;
	q?x -> assert(x > 2 || state < 6)
}
