/* expect: error: none; errors: 0; stored: 86; transitions: 209 */
/* Channel names are numbers: they can be assigned and compared. */
chan a = [1] of { byte };
chan b = [1] of { byte };
chan c;

active proctype P()
{
	do
	:: c = a
	:: c = b
	:: c != 0 && nfull(c) -> c!_pid
	:: c == a && full(a) && full(b) -> break
	od
}

active proctype Q()
{
	byte x;
	c != 0;
	if
	:: c == a -> a?x
	:: c == b -> b?x
	:: a == b -> assert(false)
	fi
}
