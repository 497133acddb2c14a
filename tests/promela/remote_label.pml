/* expect: cc: -DNOREDUCE -DSAFETY */
/* expect: error: end state in claim reached; depth: 9; errors: 3; stored: 11; transitions: 17 */
/* P[i]@label is true while process i stands at the label. */
byte in;

active [2] proctype P()
{
	do
	:: in == 0 ->
		in++;
critical:	in--
	od
}

never {
	do
	:: P[0]@critical && P[1]@critical -> break
	:: else
	od
}
