/* expect: error: assertion violated (i<3); depth: 12; errors: 17; stored: 204; transitions: 337 */
/* The right side and the index are evaluated with the old values. */
byte a[4], b[4];
byte i;

active [2] proctype P()
{
	a[i] = a[i] + 1;
	i = i + a[i];
	b[a[i]] = i;
	i = b[a[0] % 4] + i;
	i = i % 4;
	assert(i < 3)
}
