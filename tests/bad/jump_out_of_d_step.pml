active proctype P()
{
	d_step {
		skip;
		if
		:: goto L
		:: skip
		fi
	};
	skip;
L:	skip
}
