/* expect: error: assertion violated (sum<8); depth: 24; errors: 1; stored: 233; transitions: 338 */
/* for (m in q) runs over the messages in a channel and leaves them there. */
typedef Msg { byte v; bit b };
chan q = [3] of { Msg };
byte sum;

active proctype Fill()
{
	Msg o;
	o.v = 1; q!o;
	o.v = 2; o.b = 1; q!o;
	o.v = 3; q!o
}

active proctype Sum()
{
	Msg m;
	byte before = len(q);
	for (m in q) {
		sum = sum + m.v + m.b
	}
	assert(sum < 8);
	assert(len(q) >= before)
}
