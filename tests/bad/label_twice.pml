active proctype P()
{
L:	skip;
L:	goto L
}
