active proctype P()
{
	atomic {
L:		skip;
		skip
	}
}
