active proctype P()
{
	byte timeout;
	skip
}
