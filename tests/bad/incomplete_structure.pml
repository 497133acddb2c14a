typedef Point { byte x; byte y };
Point p, q;

active proctype P()
{
	p = q
}
