mtype = { red, green };

active proctype P()
{
	byte red;
	skip
}
