/* expect: error: assertion violated (q_len(q)>=2); depth: 7; errors: 3; stored: 51; transitions: 72 */
/* q??<x> reads the first match anywhere and leaves it. */
chan q = [3] of { byte, byte };
byte seen;

active proctype Sender()
{
	q!1,10; q!2,20; q!1,30
}

active proctype Receiver()
{
	byte x;
	do
	:: q??<2,x> -> seen = seen + x; assert(len(q) >= 2); q??2,_
	:: q??<1,x> -> seen++; q?1,x
	:: q??[1,30] && seen > 20 -> break
	:: seen == 1 && empty(q) -> break
	od
}
