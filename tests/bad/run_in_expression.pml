proctype Q() { skip }

active proctype P()
{
	run Q() > 0
}
