active proctype P()
{
L:	skip
}

never {
	do
	:: P@M
	od
}
