/* expect: error: invalid end state; depth: 4; errors: 2; stored: 16; transitions: 18 */
/* A d_step is executable iff its first statement is. */
byte g;
chan q = [1] of { byte };

active proctype P()
{
	do
	:: d_step { g < 4 -> g = g + 2 }
	:: d_step { g == 4 -> g = 0; q!1 } -> break
	:: d_step { nempty(q) -> q?_; g = 1 }
	od
}

active proctype Q()
{
	do
	:: d_step { q?1 -> g = 3 }
	:: d_step { g == 3 -> g = 5 } break
	:: g == 2 -> g++
	od
}
