proctype Client() { skip }

init
{
	run Clint()
}
