/* One of the two is starved: the formula has a cycle against it. */
byte turn, in[2];

active [2] proctype User() {
	do
	:: turn == _pid || in[1 - _pid] == 0 ->
		in[_pid] = 1;
critical:	in[_pid] = 0;
		turn = 1 - turn
	od
}

ltl served { []<> (User[0]@critical) }
