/* store_options.h: choosing how states are kept. */
#ifndef HSFPY_STORE_OPTIONS_H
#define HSFPY_STORE_OPTIONS_H

#include "store.h"

void store_options_defaults(void);
/* A compile-time directive asks for a store. */
void store_directive(const char *directive, StoreKind kind);
/* Reads a one-letter option that belongs to bitstate searches. False if it is none of them. */
bool store_letter_read(const char *word);
/* Reads a long option, without its dashes. False if it is none of these. */
bool store_option_read(const char *name);
/* To be called when all options are known: refuses a store that does not go with the search if an option
 * asked for it; if only a directive did, states are stored exactly, with a warning. */
void store_options_finish(void);

#endif
