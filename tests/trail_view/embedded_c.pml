/* Embedded C changes what the assertion speaks of. */
int total;
byte i;

active proctype Count() {
	do
	:: i < 2 ->
		c_code { now.total += 3 * (now.i + 1); };
		i++
	:: else -> break
	od;
	d_step {
		total = total + 1;
		i = 0
	}
	if
	:: c_expr { now.total == 10 } -> assert(total != 10)
	fi
}
