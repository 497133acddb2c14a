/* expect: error: assertion violated (g<8); depth: 10; errors: 5; stored: 43; transitions: 73 */
/* true, false, skip, characters and names for numbers. */
#define TEN 10
byte g;

active [2] proctype P()
{
	g = g + true + false + 'A' - 65;
	g = g + TEN % 4;
	if
	:: true == 1 && false == 0 && 'a' < 'b' -> g++
	:: else -> assert(false)
	fi;
	assert(g < 8)
}
