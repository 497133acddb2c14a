/* Two processes take two locks in different orders. */
chan left = [1] of { bit };
chan right = [1] of { bit };

proctype Worker(chan first, second; byte turns) {
	do
	:: turns > 0 ->
		first?_;
		second?_;
		second!1;
		first!1;
		turns--
	od
}

init {
	left!1;
	right!1;
	atomic {
		run Worker(left, right, 1);
		run Worker(right, left, 1)
	}
}
