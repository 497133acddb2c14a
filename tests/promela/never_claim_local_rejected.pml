/* expect: reject: never_0 defines local n */
/* A claim has no variables of its own. */
byte x;

active proctype P()
{
	x = 1;
	x = 2
}

never {
	byte n;
	do
	:: x == 1 -> n++; break
	:: else
	od
}
