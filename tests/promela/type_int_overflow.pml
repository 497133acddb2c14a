/* expect: error: none; errors: 0; stored: 61; transitions: 106 */
/* int arithmetic wraps at 32 bits. */
int a = 2147483640;
int b = -2147483640;

active proctype Up()
{
	do
	:: a > 0 -> a = a + 4
	:: a < 0 -> break
	od
}

active proctype Down()
{
	do
	:: b < 0 -> b = b - 4
	:: b > 0 -> break
	od;
	assert(a + b != 0)
}
