/* expect: error: too many fields in recv; depth: 1; errors: 1; stored: 2; transitions: 2 */
/* More variables than a message of several fields has: SPIN then stops for good. */
chan q = [1] of { byte, byte };

active proctype P()
{
	byte a, b, c;
	q!1,2;
	q?a,b,c;
	assert(false)
}
