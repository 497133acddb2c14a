/* expect: error: assertion violated ((x!=4)||(b.x.y==2)); depth: 12; errors: 9; stored: 96; transitions: 163 */
/* Field names live in their own space: they may repeat variable and other field names. */
typedef A { byte x; byte y };
typedef B { A x; byte a };
byte x, y = 1;
A a;
B b;

active [2] proctype P()
{
	byte a2 = x;
	a.x = x + 1; b.x.x = a.x + y; x = b.x.x; b.a = a2; b.x.y = b.a;
	assert(x != 4 || b.x.y == 2)
}
