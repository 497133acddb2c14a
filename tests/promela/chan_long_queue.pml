/* expect: error: assertion violated (q_len(q)!=21); depth: 159; errors: 1; stored: 2604; transitions: 3174 */
/* A long queue: the vector holds all its slots. */
chan q = [40] of { byte };

active proctype P()
{
	byte i;
	do
	:: i < 40 -> q!i; i++
	:: i >= 40 -> break
	:: i > 20 && nempty(q) -> q?_
	od;
	assert(len(q) != 21)
}
