/* order.h: exploring processes and transitions in another order than SPIN's usual one.
 *
 * SPIN's options -p_permute, -p_rotateN, -p_randrot and its directives -DP_RAND and -DT_RAND change
 * what a depth-first search finds first, not what it finds in the end. A bounded number of context
 * switches (-DBCS) also needs to say which process does not take part. Other searches keep the
 * usual order. Everything here runs only if options.reorders is set.
 */
#ifndef HSFPY_ORDER_H
#define HSFPY_ORDER_H

#include "model.h"

typedef enum ProcessOrder { ORDER_USUAL, ORDER_PERMUTED, ORDER_ROTATED, ORDER_RANDOM_ROTATION } ProcessOrder;

/* How far an enumeration of processes has come: processes have an index in SPIN's usual order, and
 * the order of this state says which process an index stands for. */
typedef struct OrderMark {
    uint32_t seed;  /* decides the order of this state */
    uint16_t first; /* -DT_RAND: transition the current process begins with */
    uint8_t index;
    uint8_t left; /* processes still to be asked, with the current one */
    uint8_t skip; /* pid+1 of a process that is not asked, or 0 */
} OrderMark;

/* Begins a search: random choices start with the seed of the options. */
void order_start(void);
/* Begins with the processes of `s`, or with process `only` if it is not -1, leaving out process
 * `except` if that is not -1; returns the first. */
int order_begin(OrderMark *mark, const State *s, int only, int except);
/* The process after the current one; meaningless when mark->left is then 0. */
int order_next(OrderMark *mark, const State *s);
/* -DT_RAND: chooses the transition a process that stands at `at` begins with. */
void order_enter(OrderMark *mark, const Location *at);
/* -rhash: some order, chosen by the seed. */
void order_choose(uint32_t seed);

#endif
