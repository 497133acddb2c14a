/* expect: reject: infinite goto loop */
/* A goto to itself leads nowhere. */
byte g;

active proctype P()
{
	g = 1;
spin:	goto spin
}

active proctype Q()
{
	g == 1 -> g = 2; assert(g == 2)
}
