proctype P() { skip }

init
{
	P()
}
