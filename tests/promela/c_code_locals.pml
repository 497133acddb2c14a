/* expect: error: none; errors: 0; stored: 39; transitions: 57 */
/* c_code reads and writes locals through the name of the proctype. */
byte g;

active [2] proctype Worker()
{
	byte x = 3;
	int n;
	c_code { PWorker->x = PWorker->x + now.g; PWorker->n = -PWorker->x; };
	g = g + x;
	assert(n == -x && g != 10)
}
