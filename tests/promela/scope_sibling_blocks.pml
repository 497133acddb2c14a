/* expect: error: none; errors: 0; stored: 91; transitions: 163 */
/* Variables of the same name in blocks side by side are different. */
byte g;

active [2] proctype P()
{
	{ byte t = 1; g = g + t; t = 7 }
	{ byte t; g = g + t; t = 2; g = g + t }
	assert(g <= 6)
}
