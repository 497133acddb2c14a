/* The receiver stops listening after two messages, so the sender waits for ever. */
mtype = { data, ack };
chan line = [2] of { mtype, byte };
chan back = [0] of { mtype };
byte sum;
int last[2];

active proctype Sender() {
	byte k;
	do
	:: k < 3 -> line!data,k; k++; back?ack
	:: k == 3 -> break
	od
}

active proctype Receiver() {
	byte v;
	line?data,v -> sum = sum + v; last[0] = v; printf("got %d\n", v); back!ack;
	line?data,v -> sum = sum + v; last[1] = v; printf("got %d\n", v); back!ack
}
