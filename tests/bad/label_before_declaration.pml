active proctype P()
{
L:	byte x;
	x = 1
}
