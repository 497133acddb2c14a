/* expect: error: invalid end state; depth: 27; errors: 3; stored: 61; transitions: 84 */
/* Channels as run parameters. */
chan left = [1] of { byte };
chan right = [0] of { byte };

proctype Copy(chan in, out; byte limit)
{
	byte x;
	do
	:: in?x -> out!x; assert(x < limit)
	:: in?<eval(9)> -> break
	od
}

init {
	byte i, y;
	atomic {
		run Copy(left, right, 3)
	}
	do
	:: i < 3 -> left!i; i++
	:: right?y -> assert(y <= i)
	:: i == 3 && empty(left) -> break
	od;
	left!9
}
