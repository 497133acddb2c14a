byte a[3];

active proctype P()
{
	a[a[1]] = 1
}
