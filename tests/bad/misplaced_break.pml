active proctype P()
{
	skip;
	break
}
