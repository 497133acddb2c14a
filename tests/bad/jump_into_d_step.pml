active proctype P()
{
	goto L;
	d_step {
		skip;
L:		skip
	}
}
