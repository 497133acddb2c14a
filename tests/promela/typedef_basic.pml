/* expect: error: assertion violated ((q.y> -(9))||q.on); depth: 13; errors: 39; stored: 324; transitions: 557 */
/* A typedef groups fields; each variable has its own. */
typedef Point { byte x = 1; short y; bit on };
Point p, q;

active [2] proctype P()
{
	do
	:: p.x < 4 -> p.x++; q.y = q.y - p.x; q.on = p.x
	:: p.x >= 4 -> break
	od;
	assert(q.y > -9 || q.on)
}
