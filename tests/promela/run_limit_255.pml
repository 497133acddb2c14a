/* expect: cc: -DNOREDUCE -DSAFETY -DNOCLAIM -DVECTORSZ=8192 */
/* expect: error: too many processes; depth: 508; errors: 1; stored: 509; transitions: 509 */
/* There are at most 255 processes: one more run is an error. */
byte n;

proctype P() { n < 0 }

active proctype Q()
{
	byte k;
	do
	:: run P(); k++
	:: k == 253 -> break
	:: k == 254 -> break
	od;
	assert(k != 254)
}
