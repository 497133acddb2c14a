/* expect: error: assertion violated (b==((x+1)-(2*(x/2)))); depth: 17; errors: 12; stored: 132; transitions: 196 */
/* q?<x> reads the first message and leaves it there. */
chan q = [2] of { byte, bit };
byte peeks;

active proctype Sender()
{
	q!4,1; q!5,0; q!6,1
}

active proctype Receiver()
{
	byte x;
	bit b;
	do
	:: peeks < 3 && nempty(q) -> q?<x,b>; peeks++; assert(nempty(q))
	:: q?x,b -> assert(b == x + 1 - 2 * (x / 2))
	:: q?<6,b> -> break
	od
}
