/* sanity.h: models SPIN's verifier refuses to run. */
#ifndef HSFPY_SANITY_H
#define HSFPY_SANITY_H

/* Prints what is wrong with the automata and exits with status 1, if anything is. */
void sanity_check_model(void);

#endif
