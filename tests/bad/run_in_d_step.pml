proctype Q() { skip }

active proctype P()
{
	d_step { skip; run Q() }
}
