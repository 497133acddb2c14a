active proctype P()
{
	{ byte x; x = 1 };
	x = 2
}
