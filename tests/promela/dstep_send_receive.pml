/* expect: error: assertion violated (n!=4); depth: 3; errors: 2; stored: 27; transitions: 43 */
/* Buffered sends and receives inside a d_step. */
chan q = [3] of { byte };
byte n;

active [2] proctype P()
{
	byte x;
	d_step { nfull(q) -> q!_pid + 1; n++ }
	d_step { q?x; n = n + x; x = 0 }
	assert(n != 4)
}
