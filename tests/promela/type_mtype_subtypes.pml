/* expect: error: none; errors: 0; stored: 982; transitions: 2496 */
/* Each named mtype numbers its constants on its own. */
mtype:fruit = { apple, pear, fig };
mtype:colour = { red, green };
mtype = { plain };
mtype:fruit f = pear;
mtype:colour c = red;
mtype p = plain;
chan q = [2] of { mtype:fruit, mtype:colour };

active proctype Sender()
{
	do
	:: len(q) < 2 -> q!f,c
	:: f = apple
	:: f = fig; c = green
	:: c == green -> break
	od
}

active proctype Receiver()
{
	mtype:fruit x;
	mtype:colour y;
	do
	:: q?x,y -> assert(x != fig || y == green || p == plain)
	:: q?eval(pear),y -> assert(y == red)
	:: timeout -> break
	od
}
