/* expect: error: none; errors: 0; stored: 68; transitions: 127 */
/* A goto to a goto; a label at the end of the body. */
byte g;

active [2] proctype P()
{
	if
	:: g = 1; goto a
	:: g = 2; goto b
	fi;
a:	goto b;
b:	goto c;
	g = 5;
c:	if
	:: g == 1 -> goto end_of_body
	:: g == 2 -> g = 3
	:: g == 3
	fi;
end_of_body:
	skip
}
