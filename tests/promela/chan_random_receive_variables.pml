/* expect: error: assertion violated ((x==3)&&(y==1)); depth: 9; errors: 10; stored: 94; transitions: 180 */
/* q??x with only variables behaves as q?x. */
chan q = [3] of { byte };

active proctype Sender()
{
	q!3; q!1; q!2
}

active proctype Receiver()
{
	byte x, y;
	q??x;
	q??y;
	assert(x == 3 && y == 1);
	q??eval(x - y);
	assert(empty(q) && x == 3)
}

active proctype Other()
{
	byte z;
	if
	:: q??1 -> z = 1
	:: q??2 -> z = 2
	:: skip
	fi;
	assert(z != 2)
}
