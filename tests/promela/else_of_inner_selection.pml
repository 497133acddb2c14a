/* expect: error: assertion violated (x!=3); depth: 8; errors: 5; stored: 55; transitions: 89 */
/* A selection as the guard of another: its else stands where it is written, and what follows it in the outer selection
   does not stop it. */
byte x;

active proctype P()
{
	if
	:: if
	   :: x == 1 -> x = 2
	   :: else -> x = 3
	   fi
	:: x == 0 -> x = 7
	fi;
	assert(x != 3)
}

active proctype Q()
{
	do
	:: x == 7 -> x = 1
	:: if
	   :: x == 5 -> skip
	   :: else -> x = 5
	   fi
	:: x == 5 -> break
	od
}
