/* Robots in a warehouse: each moves to a free neighbouring place; the floor is a global array. */
#ifndef N
#define N 4
#endif
#ifndef WIDTH
#define WIDTH 6
#endif
#ifndef HEIGHT
#define HEIGHT 5
#endif

bool taken[WIDTH * HEIGHT];
byte started;

active [N] proctype Robot()
{
	byte at;

	d_step { at = _pid; taken[at] = true };
	started++;
	started == N;
	do
	:: d_step { at % WIDTH != 0 && !taken[at - 1] -> taken[at] = false; at = at - 1; taken[at] = true }
	:: d_step { at % WIDTH != WIDTH - 1 && !taken[at + 1] -> taken[at] = false; at = at + 1; taken[at] = true }
	:: d_step { at >= WIDTH && !taken[at - WIDTH] -> taken[at] = false; at = at - WIDTH; taken[at] = true }
	:: d_step { at < WIDTH * (HEIGHT - 1) && !taken[at + WIDTH] ->
		taken[at] = false; at = at + WIDTH; taken[at] = true }
	od
}
