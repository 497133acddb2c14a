/* directives.h: SPIN's compile-time directives. */
#ifndef HSFPY_DIRECTIVES_H
#define HSFPY_DIRECTIVES_H

#include <stdio.h>

/* Sets the options that directives set. */
void directives_read(void);
/* "cc -o pan -DBFS pan.c" */
void directives_print(FILE *out);
/* A sentence for each directive that SPIN would follow and this version does not. */
void directives_warn(FILE *out);

#endif
