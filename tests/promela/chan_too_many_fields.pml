/* expect: error: missing pars in receive; depth: 1; errors: 3; stored: 6; transitions: 6 */
/* More variables than a message has fields. */
chan one = [1] of { byte };
chan two = [0] of { byte };

active proctype P()
{
	byte a, b;
	if
	:: one!1; one?a,b
	:: two?a,b
	fi
}

active proctype Q()
{
	two!1
}
