inline swap(a, b) { t = a; a = b; b = t }

byte x, t;

active proctype P()
{
	swap(x)
}
