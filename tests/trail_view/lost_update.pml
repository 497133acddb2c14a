/* Two processes increment a counter in two steps each. */
byte counter;
byte finished;

active [2] proctype Increment() {
	byte old;
	old = counter;
	counter = old + 1;
	finished++;
	printf("%d has finished\n", _pid);
	(finished == 2);
	assert(counter == 2)
}
