/* expect: error: none; errors: 0; stored: 14; transitions: 14 */
/* set_priority and get_priority change and read priorities while running. */
byte g;

active proctype A() priority 4
{
	g++;
	set_priority(_pid, 2);
	assert(get_priority(_pid) == 2);
	g = g + 2;
	set_priority(1, 9);
	g = g * 2
}

active proctype B() priority 3
{
	g = g + 10;
	assert(get_priority(_pid) >= 3);
	set_priority(_pid, 1);
	g = g + 20;
	assert(g != 26)
}
