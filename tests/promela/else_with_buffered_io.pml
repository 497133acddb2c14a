/* expect: error: none; errors: 0; stored: 514; transitions: 966 */
/* else beside a buffered receive and send: allowed, it looks at the queue. */
chan q = [1] of { byte };
byte idle;

active proctype R()
{
	byte n;
	do
	:: q?_ -> n++
	:: else -> if :: n == 3 -> break :: n < 3 && idle < 4 -> idle++ :: idle == 4 -> skip fi
	od
}

active proctype S()
{
	byte i;
	do
	:: i < 3 ->
		if
		:: q!i -> i++
		:: else -> idle = 0
		fi
	:: i == 3 -> break
	od
}
