/* A sliding window protocol with go-back-N over channels that lose messages. */
#ifndef W
#define W 2
#endif
#ifndef SIZE
#define SIZE 4
#endif
#define M (W + 1)

chan data = [SIZE] of { byte, byte };
chan acks = [SIZE] of { byte };

active proctype Sender()
{
	byte base, next, sent, a;

	do
	:: (next + M - base) % M < W -> data!next,sent; next = (next + 1) % M; sent = (sent + 1) % 5
	:: acks?a ->
		do
		:: base != next && base != a -> base = (base + 1) % M
		:: else -> break
		od
	:: base != next ->
		sent = (sent + 5 - (next + M - base) % M) % 5;
		next = base
	od
}

active proctype Receiver()
{
	byte expected, wanted, s, v;

	do
	:: data?s,v ->
		if
		:: s == expected -> assert(v == wanted); expected = (expected + 1) % M; wanted = (wanted + 1) % 5
		:: else
		fi;
		acks!expected
	od
}

active proctype Loss()
{
	do
	:: data?_,_
	:: acks?_
	od
}
