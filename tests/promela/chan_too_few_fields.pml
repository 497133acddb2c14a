/* expect: error: too few parameters in send stmnt; depth: 0; errors: 5; stored: 11; transitions: 13 */
/* Too few fields in a send: an error, the missing ones are zero. */
chan q = [2] of { byte, byte, byte };

active proctype Sender()
{
	q!1,2;
	q!3
}

active proctype Receiver()
{
	byte a = 9, b = 9, c = 9;
	q?a,b,c;
	assert(a == 1 && b == 2 && c == 0);
	q?a,b;
	assert(a == 3 && b == 0 && c == 0)
}
