/* expect: cc: -DNOREDUCE -DSAFETY */
/* expect: error: assertion violated ((n==0)||(q_len(q)==0)); depth: 8; errors: 2281; stored: 6850; transitions: 9382 */
/* enabled() sees whether a guard inside a selection is executable. */
chan q = [1] of { byte };
byte n;

active proctype P() { do :: q!1 :: n > 2 -> break od }
active proctype Q() { do :: q?_ -> n++ :: n > 2 -> break od }

never {
	do
	:: enabled(0) && !enabled(1) -> assert(n == 0 || empty(q))
	:: !enabled(0) && enabled(1)
	:: enabled(0) && enabled(1)
	:: !enabled(0) && !enabled(1) -> break
	od
}
