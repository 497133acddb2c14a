byte x;

active proctype P()
{
	if
	:: else -> x = 1
	:: x == 2
	:: else -> x = 3
	fi
}
