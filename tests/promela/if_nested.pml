/* expect: error: assertion violated (g!=2); depth: 6; errors: 12; stored: 97; transitions: 159 */
/* Selections directly within selections: the guards of the inner one are the guards. */
byte g;

active [2] proctype P()
{
	if
	:: if
	   :: g == 0 -> g = 1
	   :: if :: g == 1 -> g = 2 :: g == 2 -> g = 3 fi
	   fi
	:: do
	   :: g < 2 -> g++
	   :: g == 3 -> break
	   od
	fi;
	assert(g != 2)
}
