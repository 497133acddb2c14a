/* expect: error: invalid end state; depth: 12; errors: 1; stored: 44; transitions: 77 */
/* A blocked statement inside atomic gives up control; it is taken back when it can go on. */
byte g, turns;

active proctype P()
{
	atomic {
		turns++;
		g == 2;
		turns++;
		g = 0;
		turns++
	}
}

active [2] proctype Q()
{
	g++;
	assert(turns != 2);
	atomic { turns > 0 -> g++; g = g + turns }
}
