/* expect: error: none; errors: 0; stored: 2148; transitions: 5465 */
/* len, full, empty, nfull and nempty agree with each other. */
chan q = [3] of { byte };

active [2] proctype Sender()
{
	byte i;
	do
	:: nfull(q) && i < 3 -> q!i; i++
	:: i == 3 -> break
	od
}

active proctype Receiver()
{
	byte k;
	do
	:: nempty(q) -> q?_; k++
	:: full(q) -> assert(len(q) == 3)
	:: empty(q) && k == 6 -> assert(len(q) == 0); break
	od
}
