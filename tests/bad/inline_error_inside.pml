byte lock;

inline acquire(m)
{
	atomic { m == 0 -> m = owner }
}

inline both(m)
{
	acquire(m);
	skip
}

active proctype P()
{
	both(lock)
}
