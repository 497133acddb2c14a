/* expect: error: assertion violated (depth<6); depth: 12; errors: 5; stored: 96; transitions: 163 */
/* Names that mean something to C or to a verifier. */
byte fork, alarm, int_, State, main_, now_, depth, trpt_, printf_;
typedef struct_ { byte union_; byte this_ };
struct_ stack;

active [2] proctype Register()
{
	fork++; alarm = fork + 1; State = alarm; stack.union_ = State;
	depth = depth + stack.union_;
	assert(depth < 6)
}
