/* expect: error: none; errors: 0; stored: 51; transitions: 87 */
/* Hidden C data is not part of the state. */
c_state "int seen" "Hidden"
byte g;

active [2] proctype P()
{
	do
	:: g < 3 -> c_code { seen++; }; g++
	:: g >= 3 -> break
	od
}
