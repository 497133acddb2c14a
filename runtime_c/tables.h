/* tables.h: the automata of the model as text. */
#ifndef HSFPY_TABLES_H
#define HSFPY_TABLES_H

/* pan -d, pan -D. */
void tables_print(void);

#endif
