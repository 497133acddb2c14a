/* expect: error: none; errors: 0; stored: 43; transitions: 65 */
/* A channel sent through a channel is a name for the same queue. */
chan request = [1] of { chan, byte };
chan answers[2] = [1] of { byte };

active [2] proctype Client()
{
	byte r;
	request!answers[_pid],_pid * 10;
	answers[_pid]?r;
	assert(r == _pid * 10 + 1)
}

active proctype Server()
{
	chan back;
	byte n;
end:	do
	:: request?back,n -> back!n + 1
	od
}
