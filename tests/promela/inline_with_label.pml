/* expect: error: none; errors: 0; stored: 79; transitions: 133 */
/* A label inside an inline that is called once in each proctype. */
byte g;

inline count(limit)
{
	skip;
again:	if
	:: g < limit -> g++; goto again
	:: g >= limit
	fi
}

active proctype P() { count(3); g = 0 }
active proctype Q() { count(4); assert(g >= 0) }
