/* expect: error: c_code line 7 precondition false: now.x == 1; depth: 3; errors: 5; stored: 11; transitions: 13 */
/* A statement whose precondition is false is an error, and is not executed. */
byte x;

active proctype P()
{
	c_code [now.x == 1] { now.x = 2; };
	assert(x != 2)
}

active proctype Q()
{
	x = 1;
	x = 0
}
