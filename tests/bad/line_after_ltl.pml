byte x;

ltl p {
	[] (x == 0)
}

active proctype P()
{
	x = y
}
