/* expect: error: assertion violated ((up<250)||(down!=253)); depth: 13; errors: 6; stored: 193; transitions: 358 */
/* A byte wraps at 256 in both directions. */
byte up = 250, down = 3;

active proctype Up()
{
	do
	:: up != 4 -> up = up + 2
	:: up == 4 -> break
	od
}

active proctype Down()
{
	do
	:: down != 253 -> down--
	:: down == 253 -> break
	od;
	assert(up < 250 || down != 253)
}
