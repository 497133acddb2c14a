active proctype P()
{
	np_
}
