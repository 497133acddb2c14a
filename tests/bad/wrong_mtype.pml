mtype:fruit = { apple, pear };
mtype:colour = { red, green };

active proctype P()
{
	mtype:fruit f;
	f = red
}
