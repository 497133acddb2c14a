active proctype P()
{
again:	skip;
	goto agian
}
