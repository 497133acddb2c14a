#include "included.h"

active proctype P()
{
	x = 1
}
