/* expect: error: assertion violated ((((q*i)+r)==g)&&((r<=0)||(g>0))); depth: 6; errors: 54; stored: 424; transitions: 688 */
/* Division truncates toward zero; the remainder takes the sign of the dividend. */
int g = -7;

active proctype P()
{
	int q, r, i = -3;
	do
	:: i < 4 && i != 0 ->
		q = g / i;
		r = g % i;
		assert(q * i + r == g && (r <= 0 || g > 0));
		i++
	:: i == 0 -> i++
	:: i == 4 -> break
	od;
	assert(-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3 && 7 % -2 == 1)
}

active proctype Q() { g = 7; g = -8 }
