/* expect: error: assertion violated (p<3); depth: 9; errors: 85; stored: 694; transitions: 1706 */
/* pid wraps like a byte. */
pid p, q;

active [3] proctype P()
{
	p = _pid - 1;
	q = p + 1;
	if
	:: p == 255 -> assert(q == 0 || q != _pid)
	:: p != 255 -> assert(p < 3)
	fi
}
