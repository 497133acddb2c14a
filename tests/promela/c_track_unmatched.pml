/* expect: error: none; errors: 0; stored: 109; transitions: 229 */
/* UnMatched data is restored when the search backs up but not compared. */
c_decl { int total; };
c_track "&total" "sizeof(int)" "UnMatched"
byte g;

active [2] proctype P()
{
	do
	:: g < 3 -> c_code { total++; }; g++
	:: g < 3 -> c_code { total = 0; }; g++
	:: g >= 3 -> break
	od
}
