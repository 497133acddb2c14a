/* expect: error: none; errors: 0; stored: 33; transitions: 49 */
/* #include of a file beside the model. */
#include "included.h"

active [2] proctype P()
{
	tick(shared);
	shared = shared * FACTOR;
	assert(shared != 9)
}
