/* expect: error: assertion violated (((_pid<2)&&(_nr_pr>0))&& !(((g==4)&&(q_len(q)==0)))); depth: 16; errors: 5; stored: 73; transitions: 129 */
/* Assertions over expressions of all kinds. */
byte g;
chan q = [1] of { byte };

active [2] proctype P()
{
	assert(true);
	assert(g < 3 && len(q) <= 1);
	g++;
	assert((g > 0));
	assert((g != 0 -> g : 1));
	atomic { assert(g > 0); g++ };
	assert(_pid < 2 && _nr_pr > 0 && !(g == 4 && len(q) == 0))
}
