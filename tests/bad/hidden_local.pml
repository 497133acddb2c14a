active proctype P()
{
	hidden byte x;
	x = 1
}
