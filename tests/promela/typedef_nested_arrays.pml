/* expect: error: assertion violated (((g[0].r[0].sum+g[0].r[1].sum)+g[1].r[1].sum)<5); depth: 26; errors: 11; stored: 211; transitions: 393 */
/* Structs in arrays in structs in arrays. */
typedef Cell { byte v[2]; bit used };
typedef Row { Cell c[2]; byte sum };
typedef Grid { Row r[2] };
Grid g[2];

active [2] proctype P()
{
	byte i;
	for (i : 0 .. 1) {
		g[_pid].r[i].c[1 - i].v[_pid] = i + 1;
		g[1 - _pid].r[i].sum = g[1 - _pid].r[i].sum + g[_pid].r[i].c[1 - i].v[_pid];
		g[i].r[_pid].c[i].used = 1
	}
	assert(g[0].r[0].sum + g[0].r[1].sum + g[1].r[1].sum < 5)
}
