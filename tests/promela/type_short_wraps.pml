/* expect: error: assertion violated (s<0); depth: 7; errors: 12; stored: 91; transitions: 163 */
/* A short holds 16 bits with sign. */
short s = 32760;
short t = -32760;

active proctype Up()
{
	do
	:: s > 0 -> s = s + 3
	:: s < 0 -> break
	od;
	assert(s == -32765 || t > 0)
}

active proctype Down()
{
	do
	:: t < 0 -> t = t - 3
	:: t > 0 -> break
	od;
	assert(s < 0)
}
