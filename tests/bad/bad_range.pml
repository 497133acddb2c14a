active proctype P()
{
	byte i;
	select (i : 4 .. 1)
}
