/* expect: error: assertion violated (sum!=18); depth: 30; errors: 11; stored: 725; transitions: 1313 */
/* for (i in a) runs over the indices of an array. */
byte a[3];
byte sum;

active [2] proctype P()
{
	byte i;
	for (i in a) {
		a[i] = a[i] + i + 1;
		sum = sum + a[i]
	}
	assert(sum != 18)
}
