/* search_options.h: the long options of directed searches. */
#ifndef HSFPY_SEARCH_OPTIONS_H
#define HSFPY_SEARCH_OPTIONS_H

#include <stdbool.h>

/* Reads one long option (without its dashes); false if it is not one of these. */
bool search_option_read(const char *name);
/* After all options: defaults, and refusal of what cannot be done. */
void search_options_finish(void);

#endif
