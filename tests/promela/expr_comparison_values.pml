/* expect: error: none; errors: 0; stored: 134; transitions: 209 */
/* Comparisons are numbers; equality of mixed types compares values. */
byte g = 255;
short s = -1;
bit b = 1;

active [2] proctype P()
{
	int n;
	n = (g > s) + (g == 255) * 2 + (b == true) * 4 + (s < b) * 8 + (g >= 256) * 16 + (s != -1) * 32;
	s = s + n;
	b = n;
	g = n;
	assert(n == 15 || s > 20)
}
