byte a;

active proctype P()
{
	a[2] = 1
}
