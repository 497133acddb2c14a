#include "no_such_file.h"

active proctype P() { skip }
