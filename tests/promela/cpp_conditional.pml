/* expect: flags: -DFAST -UNEVER -DLIMIT=3 */
/* expect: error: assertion violated (g!=4); depth: 5; errors: 9; stored: 41; transitions: 65 */
/* #if, #ifdef, #else and definitions from the command line. */
#define NEVER
byte g;

active [2] proctype P()
{
	do
#ifdef FAST
	:: g < LIMIT -> g = g + 2
#else
	:: g < 200 -> g++
#endif
#if LIMIT > 2 && !defined(SLOW)
	:: g >= LIMIT -> break
#endif
	od;
	assert(g != 4)
}
