/* expect: error: none; errors: 0; stored: 2477; transitions: 4363 */
/* Initialisers may be constant expressions; an array gets its value in every element. */
#define N 3
byte a[N] = N + 1;
int b = (N << 2) - 1;
short c = -N;
bool d = true;
byte e = 'a';

active [2] proctype P()
{
	byte i;
	do
	:: i < N -> a[i] = a[i] + b; b--; i++
	:: i == N -> break
	od;
	assert(a[0] + a[1] + a[2] != 32 + c || e != 97)
}
