/* expect: reject: has unconditional self-loop */
/* An option that is nothing but skip makes a step from a state to itself: refused when the verifier starts. */
byte g;

active proctype P()
{
	do
	:: skip
	:: g > 1 -> break
	od
}
