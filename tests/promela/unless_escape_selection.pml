/* expect: error: assertion violated ((g!=20)|| !(a)); depth: 7; errors: 4; stored: 156; transitions: 284 */
/* The escape starts with a selection: any of its guards interrupts. */
byte g;
bit a, b;

active proctype P()
{
	{ g = 1; g = 2; g = 3 } unless {
		if
		:: a -> g = 10
		:: b -> g = 20
		fi
	};
	assert(g != 20 || !a)
}

active proctype Q() { a = 1 }
active proctype R() { b = 1; a = 0 }
