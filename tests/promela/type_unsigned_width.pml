/* expect: error: assertion violated (mine!=five); depth: 257; errors: 65; stored: 9235; transitions: 22565 */
/* unsigned x : n keeps n bits, on assignment and when counting. */
unsigned three : 3 = 6;
unsigned five : 5 = 30;
unsigned one : 1;

active proctype P()
{
	do
	:: three++; one = three
	:: five = five + three
	:: five == 1 && three == 7 -> break
	od
}

active proctype Q()
{
	unsigned mine : 2;
	mine = three;
	assert(mine < 4);
	mine = mine + 3;
	assert(mine != five)
}
