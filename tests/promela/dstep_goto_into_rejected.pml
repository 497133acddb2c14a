/* expect: reject: jump into d_step sequence */
/* A jump into a d_step is refused. */
byte g;
active proctype P()
{
	if
	:: goto inside
	:: skip
	fi;
	d_step { g = 1; inside: g = 2; g = 3 }
}
