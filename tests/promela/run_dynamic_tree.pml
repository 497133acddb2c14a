/* expect: error: none; errors: 0; stored: 744; transitions: 2036 */
/* A tree of processes that grows and dies. */
byte leaves;

proctype Node(byte depth)
{
	if
	:: depth == 0 -> leaves++
	:: depth > 0 -> run Node(depth - 1); run Node(depth - 1)
	fi
}

init {
	run Node(2);
	(_nr_pr == 1) -> assert(leaves == 4)
}
