/* expect: reject: non_local jump in d_step sequence */
/* A jump out of a d_step is refused. */
byte g;
active proctype P()
{
	d_step { g = 1; if :: g == 1 -> goto out :: else fi; g = 3 }
	g = 2;
out:	g = 3
}
