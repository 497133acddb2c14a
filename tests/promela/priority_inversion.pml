/* expect: error: assertion violated (n<3); depth: 14; errors: 1; stored: 18; transitions: 18 */
/* A high process blocked on a lock held by a low one, a busy one in between. */
mtype = { free, busy };
mtype lock = free;
byte n;

active proctype High() priority 10
{
	n > 0;
	atomic { lock == free -> lock = busy };
	assert(n < 3);
	lock = free
}

active proctype Middle() priority 5
{
	n > 1 -> do :: n < 4 -> n++ :: n == 4 -> break od
}

active proctype Low() priority 1
{
	atomic { lock == free -> lock = busy };
	n++; n++;
	lock = free
}
