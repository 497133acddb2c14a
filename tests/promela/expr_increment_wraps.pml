/* expect: error: assertion violated (((b+y)+u)!=4); depth: 4; errors: 8; stored: 73; transitions: 129 */
/* ++ and -- on every type wrap like an assignment. */
bit b;
byte y = 255;
short s = -32768;
unsigned u : 2;

active [2] proctype P()
{
	b++; y++; s--; u--;
	assert(b + y + u != 4);
	u++; b--
}
