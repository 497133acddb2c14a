/* expect: reject: too many channel types */
/* A channel is a byte: there can be 255. */
typedef Pair { chan c[2] = [1] of { byte } }
Pair p[100];
chan more[50] = [1] of { byte };

active proctype P()
{
	chan own[6] = [1] of { byte };
	own[5]!1
}
