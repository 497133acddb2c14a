/* expect: error: none; errors: 0; stored: 84; transitions: 165 */
/* ?? inside atomic, with eval of a local. */
chan q = [4] of { byte, byte };
byte done;

active [2] proctype Worker()
{
	byte job, k;
	do
	:: atomic { q??eval(_pid),job -> k = k + job; done++ }
	:: atomic { done >= 3 && !q??[eval(_pid),_] -> break }
	od;
	assert(k != 5)
}

active proctype Boss()
{
	q!0,2; q!1,3; q!0,4; q!1,1
}
