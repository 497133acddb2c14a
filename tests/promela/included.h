/* Included by cpp_include.pml. */
#define FACTOR 3
byte shared;

inline tick(x)
{
	x = x + 1
}
