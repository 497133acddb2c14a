/* A request that may never be answered, under a never claim. */
bool asked, answered;

active proctype Client() {
	asked = true;
	do
	:: asked -> skip
	:: answered -> break
	od
}

active proctype Server() {
	asked -> answered = true
}

never {
	do
	:: true
	:: asked && !answered -> break
	od;
accept:
	do
	:: !answered
	od
}
