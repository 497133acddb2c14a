proctype Q(byte a) { a == 1 }

init
{
	run Q(1, 2)
}
