/* expect: error: assertion violated (x<8); depth: 7; errors: 1; stored: 10; transitions: 10 */
/* Directives of C behind a backslash: the preprocessor that reads the model does not see them. */
c_decl { \#define LIMIT 5
\#include <limits.h>
}
c_code {
\#define TWICE(x) (2 * (x))
}
byte x = 1;
active proctype P()
{
	do
	:: c_expr { now.x < LIMIT && CHAR_BIT > 7 } -> c_code { now.x = TWICE(now.x); }
	:: else -> break
	od;
	assert(x < 8)
}
