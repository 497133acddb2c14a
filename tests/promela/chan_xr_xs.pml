/* expect: error: none; errors: 0; stored: 106; transitions: 192 */
/* xr and xs assert exclusive use; they do not change the meaning. */
chan data = [2] of { byte };
chan ack = [1] of { byte };

active proctype Sender()
{
	xs data;
	xr ack;
	byte n;
	do
	:: n < 3 -> data!n; n++
	:: ack?_
	:: n == 3 && empty(data) -> break
	od
}

active proctype Receiver()
{
	xr data;
	xs ack;
	byte x;
	do
	:: data?x -> if :: ack!x :: skip fi
	:: x == 2 -> break
	od
}
