byte x;

active proctype P()
{
	return x
}
