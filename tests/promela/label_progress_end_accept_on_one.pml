/* expect: error: none; errors: 0; stored: 4; transitions: 4 */
/* One statement with end, progress and accept labels. */
byte g;
active proctype P()
{
	g = 1;
end_a:
progress_a:
accept_a:
	g == 5;
	g = 6
}
active proctype Q() { g == 1 -> g = 4; end: g == 9 }
