/* expect: error: assertion violated ( !((P[0]._p==wait))||(g==3)); depth: 3; errors: 2; stored: 17; transitions: 21 */
/* A remote label reference inside a proctype. */
byte g;

active proctype P()
{
	g = 1;
wait:	g == 3;
	g = 4
}

active proctype Q()
{
	if
	:: P[0]@wait -> g = 3
	:: g == 1 -> g = 2
	fi;
	assert(!P[0]@wait || g == 3)
}
