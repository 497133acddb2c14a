/* expect: error: invalid end state; depth: 7; errors: 2; stored: 42; transitions: 61 */
/* Selections with buffered receives inside atomic. */
chan q = [2] of { byte };
byte n;

active [2] proctype P()
{
	byte x;
	atomic {
		if
		:: q?x -> n = n + x; q!x + 1
		:: empty(q) -> q!1
		:: nfull(q) -> q!2; q!3
		fi;
		n++
	}
	assert(n < 7)
}
