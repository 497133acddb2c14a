/* expect: error: invalid end state; depth: 21; errors: 3; stored: 155; transitions: 263 */
/* Constants and eval() in a receive must match; variables take what comes. */
chan q = [2] of { byte, byte };
byte want = 2;

active proctype Sender()
{
	byte i;
	do
	:: i < 4 -> q!i,i + 1; i++
	:: i == 4 -> break
	od
}

active proctype Receiver()
{
	byte x;
	do
	:: q?0,x -> assert(x == 1)
	:: q?eval(want - 1),x -> want = 9
	:: q?x,eval(want) -> want++
	:: q?3,4 -> break
	:: want == 9 -> q?x,_ ; want = 2
	od
}
