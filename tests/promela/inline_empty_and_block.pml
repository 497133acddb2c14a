/* expect: error: none; errors: 0; stored: 449; transitions: 937 */
/* An inline without parameters, used as an option. */
byte g;

inline tick() { g = (g + 1) % 3 }
inline nothing() { skip }

active [2] proctype P()
{
	byte n;
	do
	:: n < 2 -> tick(); n++
	:: n < 2 -> nothing(); n++
	:: else -> break
	od;
	assert(g != 2 || n == 2)
}
