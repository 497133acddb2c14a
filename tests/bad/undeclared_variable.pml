byte counter;

active proctype P()
{
	conter = 1
}
