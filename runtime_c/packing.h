/* packing.h: states as numbers.
 *
 * A vector is cut into leaves (tree_layout.h): frames of processes, channels, globals. In all of a search
 * each leaf takes few different values: tens, seldom thousands. These are numbered, leaf by leaf, and the
 * numbers written side by side, in as many bits as they need. So a state of a hundred bytes becomes a
 * number of some fifty bits that says all about it, and a step of a process is the exclusive or with a
 * constant.
 *
 * Numbers of values never change, but fields get wider when there are more values than expected. Then all numbers of
 * states that anybody keeps must be converted: whoever packs states looks at `overflows` before he keeps them, and if
 * it is set, lets the packing be laid out anew (packing_widen) and converts. Should 128 bits not be enough, leaves are
 * joined: values of parts that depend on each other are fewer than their combinations. Then the new leaves' values have
 * to be learnt first.
 */
#ifndef HSFPY_PACKING_H
#define HSFPY_PACKING_H

#include "packed.h"
#include "state.h"
#include "tree_layout.h"

/* Where the number of a value stands. */
typedef struct Field {
    uint8_t in_hi; /* in the second word, */
    uint8_t shift; /* from this bit on, */
    uint8_t width; /* so many */
} Field;

/* The values of a leaf, numbered from 0. */
typedef struct ValueTable {
    uint64_t *words; /* n_pairs for each, */
    uint64_t *sums;  /* and what each adds to the sum of a state */
    uint32_t *index; /* open addressing; numbers plus one */
    uint32_t count, capacity, n_index;
    uint32_t from, n_pairs; /* which part of the vector it is */
} ValueTable;

/* The states of one shape. The header is a leaf like others: slot 0. */
typedef struct PackedSlot {
    Field field, old_field;
    Packed mask;        /* the bits of the field */
    uint8_t most_width; /* more bits than these it never needs, as far as is known */
    ValueTable values;
} PackedSlot;

/* Where bits of a number go when fields are laid out anew: neighbours that stay neighbours go together. */
typedef struct FieldMove {
    uint64_t bits; /* of the word they are in, */
    uint8_t from_hi, to_hi;
    uint8_t left; /* to be turned left by so many */
} FieldMove;

typedef struct PackedLayout {
    const Shape *shape;
    TreeLayout *tree; /* which part of a vector belongs to which slot */
    PackedSlot *slots;
    uint32_t number;
    uint64_t used;              /* slots with values, one bit each */
    Packed *process_masks;      /* by pid: the fields of its frame */
    Packed *channel_masks;      /* by channel id less 1 */
    uint8_t *frame_slots;       /* by pid: the slot where its frame begins, and with it its location */
    FieldMove moves[MAX_SLOTS]; /* from the old fields to the new ones, */
    uint32_t n_moves;           /* so many, */
    uint32_t n_low_moves;       /* and so many of them inside the first word */
} PackedLayout;

typedef struct Packing {
    PackedLayout **layouts;     /* by number, in the order they were met */
    PackedLayout **old_layouts; /* those whose leaves were joined, until all states are converted */
    uint32_t n_layouts, capacity;
    uint32_t *by_shape; /* number of a shape's layout plus one */
    uint32_t n_by_shape;
    uint32_t layout_bits, old_layout_bits; /* the lowest bits are the layout's number */
    uint32_t lo_bits, hi_bits;             /* how many bits all numbers of states have */
    bool overflows;                        /* some field is too narrow */
} Packing;

#ifndef MOST_PACKED_BITS
#define MOST_PACKED_BITS 128
#endif

void packing_init(Packing *p);
void packing_free(Packing *p);

/* ---- packing and unpacking ---- */

/* The number of a state; if packing overflows, of no use. */
Packed packing_pack(Packing *p, const State *s);
/* The number of the value that a slot has in vector `v`; a new one makes the packing overflow if there are too many. */
uint32_t packing_value(Packing *p, PackedLayout *l, uint32_t slot, const unsigned char *v);
/* Makes `s` the state. */
void packing_unpack(const Packing *p, Packed state, State *s);
/* A linear hash of a state's vector: it does not depend on how the vector is cut and packed. */
uint64_t packing_sum(const Packing *p, Packed state);

static inline PackedLayout *packing_layout(const Packing *p, Packed state)
{
    return p->layouts[state.lo & ((UINT64_C(1) << p->layout_bits) - 1)];
}

static inline uint32_t field_get(Field f, Packed state)
{
    return (uint32_t)((f.in_hi ? state.hi : state.lo) >> f.shift & ((UINT64_C(1) << f.width) - 1));
}

static inline Packed field_put(Field f, uint64_t value)
{
    return f.in_hi ? (Packed){0, value << f.shift} : (Packed){value << f.shift, 0};
}

/* Writes what a slot holds into a vector. */
void packing_write_slot(const PackedLayout *l, uint32_t slot, Packed state, unsigned char *v);
/* The header of a state. */
Header packing_header(const Packing *p, Packed state);
/* The bits of all these slots. */
Packed packing_mask(const PackedLayout *l, uint64_t slots);

/* ---- wider fields ---- */

/* How many bits the numbers of states need at least, and how many of their fields have several values. */
uint32_t packing_needed_bits(const Packing *p);
uint32_t packing_varying_fields(const Packing *p);
/* Lays out all fields anew, for values met so far and more, in so many bits if that is possible. Returns true if leaves
 * were joined: then all states must be learnt, and this be called again. */
bool packing_widen(Packing *p, uint32_t bits);
/* Learns the values of a state, which is as it was before. */
void packing_learn(Packing *p, Packed old);
/* The number of a state that had number `old` before. */
Packed packing_convert(const Packing *p, Packed old);
/* Is that a matter of moving bits, for all states with the layout of this one? */
bool packing_moves_bits(const Packing *p, Packed old);
/* All states are converted. */
void packing_settle(Packing *p);

#endif
