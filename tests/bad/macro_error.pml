#define STEP	count = count + increment

byte count;

active proctype P()
{
	do
	:: count < 3 -> STEP
	:: else -> break
	od
}
