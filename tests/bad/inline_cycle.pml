inline ping(a) { pong(a) }
inline pong(a) { ping(a) }

byte x;

active proctype P()
{
	ping(x)
}
