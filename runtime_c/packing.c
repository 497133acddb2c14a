/* packing.c: states as numbers; see packing.h. */
#include "packing.h"

#include <string.h>

#include "span_table.h"
#include "util.h"
#include "vector_diff.h"

enum {
    FIRST_VALUES = 4,
    WORD_BITS = 64,
    MOST_GLOBAL_LEAVES = 42 /* as many words as variables may have of their own, and some */
};

/* ---- values of a leaf ---- */

static void values_free(ValueTable *t)
{
    xfree(t->words);
    xfree(t->sums);
    xfree(t->index);
}

static const uint64_t *value_words(const ValueTable *t, uint32_t number)
{
    return t->words + (size_t)number * t->n_pairs;
}

static inline uint32_t value_place(const ValueTable *t, const uint64_t *words)
{
    return (uint32_t)(span_finish(span_sum(words, t->n_pairs)) >> 32) & (t->n_index - 1);
}

static void index_values(ValueTable *t, uint32_t n_index)
{
    xfree(t->index);
    t->n_index = n_index;
    t->index = xcalloc(n_index, sizeof *t->index);
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t place = value_place(t, value_words(t, i));
        while (t->index[place]) place = (place + 1) & (n_index - 1);
        t->index[place] = i + 1;
    }
}

/* The factor of word number i of a vector in the sum of a state. */
static uint64_t word_factor(uint32_t i)
{
    return mix64(span_factor(i) + i / N_SPAN_FACTORS * UINT64_C(0x9E3779B97F4A7C15)) | 1;
}

static uint64_t sum_of_words(const ValueTable *t, const uint64_t *words)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < t->n_pairs; i++) {
        sum += (uint32_t)words[i] * word_factor(2 * (t->from + i));
        sum += (words[i] >> 32) * word_factor(2 * (t->from + i) + 1);
    }
    return sum;
}

static uint32_t add_value(ValueTable *t, const uint64_t *words)
{
    if (t->count == t->capacity) {
        t->capacity = t->capacity ? 2 * t->capacity : FIRST_VALUES;
        t->words = xrealloc(t->words, (size_t)t->capacity * t->n_pairs * sizeof *t->words);
        t->sums = xrealloc(t->sums, t->capacity * sizeof *t->sums);
    }
    t->sums[t->count] = sum_of_words(t, words);
    memcpy(t->words + (size_t)t->count * t->n_pairs, words, t->n_pairs * sizeof *words);
    t->count++;
    if (2 * t->count > t->n_index)
        index_values(t, t->n_index ? 2 * t->n_index : 2 * FIRST_VALUES);
    else {
        uint32_t place = value_place(t, words);
        while (t->index[place]) place = (place + 1) & (t->n_index - 1);
        t->index[place] = t->count;
    }
    return t->count - 1;
}

static inline bool same_words(const uint64_t *a, const uint64_t *b, uint32_t n)
{
    uint64_t differ = 0;
    for (uint32_t i = 0; i < n; i++) differ |= a[i] ^ b[i];
    return differ == 0;
}

static uint32_t value_number(ValueTable *t, const uint64_t *words)
{
    if (LIKELY(t->n_index)) {
        uint32_t place = value_place(t, words), found;
        for (; (found = t->index[place]) != 0; place = (place + 1) & (t->n_index - 1))
            if (same_words(value_words(t, found - 1), words, t->n_pairs)) return found - 1;
    }
    return add_value(t, words);
}

/* ---- layouts ---- */

static const uint64_t *slot_words(const PackedLayout *l, uint32_t slot, const unsigned char *v)
{
    return (const uint64_t *)(const void *)(v + 8 * (size_t)l->slots[slot].values.from);
}

Packed packing_mask(const PackedLayout *l, uint64_t slots)
{
    Packed mask = {0, 0};
    for (slots &= l->used; slots; slots &= slots - 1) mask = packed_or(mask, l->slots[lowest_bit(slots)].mask);
    return mask;
}

/* Slots of the header are two in a tree, and one here. */
static uint64_t used_slots(const TreeLayout *tree) { return tree->leaves | 1; }

/* A variable in a word of its own has no more values than its type. */
static uint8_t most_width(const ValueTable *values)
{
    uint32_t at = 8 * values->from - HEADER_SIZE; /* of the header: beyond all variables */
    for (const GlobalRange *g = model.global_ranges; g->size && values->n_pairs == 1; g++)
        if (g->bits && at >= g->offset && at - g->offset < g->size) return (uint8_t)g->bits;
    return WORD_BITS / 2;
}

static PackedLayout *layout_new(const Shape *shape, uint32_t number, uint32_t most_leaves)
{
    PackedLayout *l = xcalloc(1, sizeof *l);
    l->shape = shape;
    l->number = number;
    l->tree = tree_layout_new(shape, most_leaves, MOST_GLOBAL_LEAVES);
    l->slots = xcalloc(l->tree->n_slots, sizeof *l->slots);
    l->used = used_slots(l->tree);
    for (uint64_t left = l->used; left; left &= left - 1) {
        uint32_t slot = lowest_bit(left);
        l->slots[slot].values.n_pairs = slot ? l->tree->leaf[slot].n_pairs : 1;
        l->slots[slot].values.from = slot ? l->tree->leaf[slot].from : 0;
        l->slots[slot].most_width = most_width(&l->slots[slot].values);
    }
    l->process_masks = xcalloc(shape->n_processes + 1u, sizeof *l->process_masks);
    l->channel_masks = xcalloc(shape->n_channels + 1u, sizeof *l->channel_masks);
    l->frame_slots = xcalloc(shape->n_processes + 1u, 1);
    for (uint32_t i = 0; i < shape->n_processes; i++) l->frame_slots[i] = l->tree->slot_of[shape->process_at[i] / 8];
    return l;
}

static void layout_free(PackedLayout *l)
{
    if (!l) return;
    for (uint32_t i = 0; i < l->tree->n_slots; i++) values_free(&l->slots[i].values);
    xfree(l->slots);
    xfree(l->process_masks);
    xfree(l->channel_masks);
    xfree(l->frame_slots);
    tree_layout_free(l->tree);
    xfree(l);
}

void packing_init(Packing *p) { memset(p, 0, sizeof *p); }

void packing_free(Packing *p)
{
    for (uint32_t i = 0; i < p->n_layouts; i++) layout_free(p->layouts[i]);
    xfree(p->layouts);
    xfree(p->old_layouts);
    xfree(p->by_shape);
    memset(p, 0, sizeof *p);
}

static bool place_beside(Packing *p, PackedLayout *l);

static PackedLayout *add_layout(Packing *p, const Shape *shape)
{
    if (p->n_layouts == p->capacity) {
        p->capacity = 2 * p->capacity + 8;
        p->layouts = xrealloc(p->layouts, p->capacity * sizeof *p->layouts);
        p->old_layouts = xrealloc(p->old_layouts, p->capacity * sizeof *p->old_layouts);
    }
    if (shape->id >= p->n_by_shape) {
        uint32_t n = shape->id + shape->id / 2 + 16;
        p->by_shape = xrealloc(p->by_shape, n * sizeof *p->by_shape);
        memset(p->by_shape + p->n_by_shape, 0, (n - p->n_by_shape) * sizeof *p->by_shape);
        p->n_by_shape = n;
    }
    PackedLayout *l = layout_new(shape, p->n_layouts, MAX_LEAVES);
    p->layouts[p->n_layouts] = l;
    p->old_layouts[p->n_layouts] = NULL;
    p->by_shape[shape->id] = ++p->n_layouts;
    if (!place_beside(p, l)) p->overflows = true; /* it has no fields yet */
    return l;
}

static PackedLayout *layout_of_shape(Packing *p, const Shape *shape)
{
    if (LIKELY(shape->id < p->n_by_shape && p->by_shape[shape->id])) return p->layouts[p->by_shape[shape->id] - 1];
    return add_layout(p, shape);
}

/* ---- packing and unpacking ---- */

uint32_t packing_value(Packing *p, PackedLayout *l, uint32_t slot, const unsigned char *v)
{
    PackedSlot *s = &l->slots[slot];
    uint32_t number = value_number(&s->values, slot_words(l, slot, v));
    if (UNLIKELY((uint64_t)number >> s->field.width)) p->overflows = true;
    return number;
}

Packed packing_pack(Packing *p, const State *s)
{
    PackedLayout *l = layout_of_shape(p, s->shape);
    Packed state = {l->number, 0};
    if (UNLIKELY((uint64_t)l->number >> p->layout_bits)) p->overflows = true;
    for (uint64_t left = l->used; left; left &= left - 1) {
        uint32_t slot = lowest_bit(left);
        state = packed_or(state, field_put(l->slots[slot].field, packing_value(p, l, slot, s->v)));
    }
    return state;
}

static void write_value(const PackedLayout *l, uint32_t slot, uint32_t number, unsigned char *v)
{
    const ValueTable *t = &l->slots[slot].values;
    memcpy(v + 8 * (size_t)l->slots[slot].values.from, value_words(t, number), 8 * (size_t)t->n_pairs);
}

void packing_write_slot(const PackedLayout *l, uint32_t slot, Packed state, unsigned char *v)
{
    write_value(l, slot, field_get(l->slots[slot].field, state), v);
}

static void prepare_vector(const PackedLayout *l, State *s)
{
    s->shape = l->shape;
    state_reserve(s, s->shape->size);
    s->size = s->shape->size;
}

void packing_unpack(const Packing *p, Packed state, State *s)
{
    const PackedLayout *l = packing_layout(p, state);
    prepare_vector(l, s);
    for (uint64_t left = l->used; left; left &= left - 1) packing_write_slot(l, lowest_bit(left), state, s->v);
}

Header packing_header(const Packing *p, Packed state)
{
    const PackedSlot *s = &packing_layout(p, state)->slots[0];
    Header header;
    memcpy(&header, value_words(&s->values, field_get(s->field, state)), sizeof header);
    return header;
}

uint64_t packing_sum(const Packing *p, Packed state)
{
    const PackedLayout *l = packing_layout(p, state);
    uint64_t sum = 0;
    for (uint64_t left = l->used; left; left &= left - 1) {
        const PackedSlot *s = &l->slots[lowest_bit(left)];
        sum += s->values.sums[field_get(s->field, state)];
    }
    return sum;
}

/* ---- wider fields ---- */

/* How many bits numbers below n need. */
static uint32_t bits_for(uint32_t n)
{
    uint32_t bits = 0;
    while (n > UINT64_C(1) << bits) bits++;
    return bits;
}

/* There may be more. */
static uint32_t bits_for_layouts(const Packing *p) { return bits_for(p->n_layouts + p->n_layouts / 2 + 1); }

static uint32_t needed_bits(const PackedLayout *l)
{
    uint32_t bits = 0;
    for (uint64_t left = l->used; left; left &= left - 1) bits += bits_for(l->slots[lowest_bit(left)].values.count);
    return bits;
}

/* Gives every field the bits it needs. */
static void set_least_widths(PackedLayout *l)
{
    for (uint64_t left = l->used; left; left &= left - 1) {
        PackedSlot *s = &l->slots[lowest_bit(left)];
        s->field.width = (uint8_t)bits_for(s->values.count);
    }
}

/* Gives bits away that are left: first to fields that have several values, since these will get more. */
static void spread_bits(PackedLayout *l, uint32_t spare)
{
    enum { MOST_EXTRA = 4 };
    for (uint32_t least = 2; least > 0; least--)
        for (uint32_t round = 0; round < MOST_EXTRA; round++)
            for (uint64_t left = l->used; left && spare; left &= left - 1) {
                PackedSlot *s = &l->slots[lowest_bit(left)];
                if (s->values.count < least || s->field.width > bits_for(s->values.count) + round) continue;
                if (s->field.width >= s->most_width) continue;
                s->field.width++;
                spare--;
            }
}

/* The slots by the widths of their fields, the widest first. Returns how many there are. */
static uint32_t sort_by_width(const PackedLayout *l, uint8_t *sorted)
{
    uint32_t n = 0;
    for (uint64_t left = l->used; left; left &= left - 1) {
        uint32_t slot = lowest_bit(left), i = n++;
        for (; i > 0 && l->slots[sorted[i - 1]].field.width < l->slots[slot].field.width; i--)
            sorted[i] = sorted[i - 1];
        sorted[i] = (uint8_t)slot;
    }
    return n;
}

/* Puts the fields side by side, none over the end of a word: what is narrow fills gaps. Returns false if they do not
 * fit. */
static bool place_fields(Packing *p, PackedLayout *l)
{
    uint32_t end[2] = {p->layout_bits, 0};
    uint8_t sorted[MAX_SLOTS];
    uint32_t n = sort_by_width(l, sorted);
    for (uint32_t i = 0; i < n; i++) {
        Field *f = &l->slots[sorted[i]].field;
        f->in_hi = end[0] + f->width > WORD_BITS;
        if (end[f->in_hi] + f->width > WORD_BITS) return false;
        f->shift = (uint8_t)(end[f->in_hi] < WORD_BITS ? end[f->in_hi] : 0); /* fields of no bits stand anywhere */
        end[f->in_hi] += f->width;
    }
    if (end[0] + end[1] > MOST_PACKED_BITS) return false;
    if (end[0] > p->lo_bits) p->lo_bits = end[0];
    if (end[1] > p->hi_bits) p->hi_bits = end[1];
    return true;
}

static void set_masks(PackedLayout *l)
{
    for (uint64_t left = l->used; left; left &= left - 1) {
        PackedSlot *s = &l->slots[lowest_bit(left)];
        s->mask = field_put(s->field, (UINT64_C(1) << s->field.width) - 1);
    }
    for (uint32_t i = 0; i < l->shape->n_processes; i++)
        l->process_masks[i] = packing_mask(l, l->tree->process_slots[i]);
    for (uint32_t i = 0; i < l->shape->n_channels; i++)
        l->channel_masks[i] = packing_mask(l, l->tree->channel_slots[i]);
}

/* Gives all fields as many bits as long as there are enough, but none more than it can need. */
static bool share_bits(PackedLayout *l, uint32_t bits)
{
    enum { MOST_WIDTH = 24 };
    for (uint64_t left = l->used; left; left &= left - 1) l->slots[lowest_bit(left)].field.width = 0;
    for (uint32_t width = 1; width <= MOST_WIDTH; width++)
        for (uint64_t left = l->used; left; left &= left - 1) {
            PackedSlot *s = &l->slots[lowest_bit(left)];
            if (s->most_width < width) continue;
            if (bits == 0) return width > 1;
            s->field.width++;
            bits--;
        }
    return true;
}

/* Places the fields of a layout if numbers do not get longer by that. */
static bool fits_beside(Packing *p, PackedLayout *l)
{
    uint32_t lo_bits = p->lo_bits, hi_bits = p->hi_bits;
    bool fits = place_fields(p, l) && p->lo_bits == lo_bits && p->hi_bits == hi_bits;
    p->lo_bits = lo_bits;
    p->hi_bits = hi_bits;
    return fits;
}

/* Gives a new layout fields without making numbers longer: then others can stay as they are. Shapes come late in a
 * search when processes end, and have few states. */
static bool place_beside(Packing *p, PackedLayout *l)
{
    enum { MOST_GAP = 16 }; /* bits that may be lost where one word ends */
    uint32_t bits = p->lo_bits + p->hi_bits, gap = 0;
    if (bits < p->layout_bits + MOST_GAP || (uint64_t)l->number >> p->layout_bits) return false;
    bits -= p->layout_bits;
    do {
        if (gap == MOST_GAP || !share_bits(l, bits - gap++)) return false;
    } while (!fits_beside(p, l));
    set_masks(l);
    for (uint64_t left = l->used; left; left &= left - 1) {
        PackedSlot *s = &l->slots[lowest_bit(left)];
        s->old_field = s->field;
    }
    return true;
}

/* Makes a layout with fewer leaves for one that needs too many bits. */
static void join_leaves(Packing *p, uint32_t i)
{
    PackedLayout *old = p->layouts[i];
    uint32_t n = 0;
    for (uint64_t left = old->tree->leaves; left; left &= left - 1) n++;
    if (n <= 1) die("a state needs more than %d bits", MOST_PACKED_BITS);
    p->layouts[i] = layout_new(old->shape, i, n - (n + 3) / 4);
    if (p->old_layouts[i]) {
        layout_free(old); /* nothing was converted to it */
    } else {
        p->old_layouts[i] = old;
    }
}

uint32_t packing_needed_bits(const Packing *p)
{
    uint32_t needed = 0;
    for (uint32_t i = 0; i < p->n_layouts; i++)
        if (needed_bits(p->layouts[i]) > needed) needed = needed_bits(p->layouts[i]);
    return needed + bits_for_layouts(p);
}

uint32_t packing_varying_fields(const Packing *p)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < p->n_layouts; i++) {
        uint32_t n = 0;
        for (uint64_t left = p->layouts[i]->used; left; left &= left - 1) {
            const PackedSlot *s = &p->layouts[i]->slots[lowest_bit(left)];
            n += s->values.count > 1 && bits_for(s->values.count) < s->most_width;
        }
        if (n > most) most = n;
    }
    return most;
}

/* Adds the bits of a field to those that move alike. */
static void plan_move(PackedLayout *l, const Field *from, const Field *to)
{
    uint64_t bits = ((UINT64_C(1) << from->width) - 1) << from->shift;
    uint8_t turn = (uint8_t)((to->shift - from->shift) & (WORD_BITS - 1));
    FieldMove *move = l->moves, *end = l->moves + l->n_moves;
    if (bits == 0) return;
    while (move < end && (move->from_hi != from->in_hi || move->to_hi != to->in_hi || move->left != turn)) move++;
    if (move == end) {
        *move = (FieldMove){0, from->in_hi, to->in_hi, turn};
        l->n_moves++;
    }
    move->bits |= bits;
}

/* Plans how numbers are converted: first what stays in the first word, which is mostly all. */
static void plan_moves(PackedLayout *l)
{
    l->n_moves = 0;
    for (int others = 0; others < 2; others++) {
        for (uint64_t left = l->used; left; left &= left - 1) {
            const PackedSlot *s = &l->slots[lowest_bit(left)];
            if ((s->old_field.in_hi || s->field.in_hi) == others) plan_move(l, &s->old_field, &s->field);
        }
        if (!others) l->n_low_moves = l->n_moves;
    }
}

static inline uint64_t turn_left(uint64_t bits, uint32_t by) { return bits << by | bits >> (-by & (WORD_BITS - 1)); }

bool packing_widen(Packing *p, uint32_t bits)
{
    bool joined = false;
    p->layout_bits = bits_for_layouts(p);
    p->lo_bits = p->hi_bits = 0;
    for (uint32_t i = 0; i < p->n_layouts; i++) {
        PackedLayout *l = p->layouts[i];
        uint32_t least = needed_bits(l) + p->layout_bits;
        set_least_widths(l);
        if (bits > least) spread_bits(l, bits - least);
        if (!place_fields(p, l)) {
            set_least_widths(l);
            if (!place_fields(p, l)) {
                join_leaves(p, i);
                joined = true;
                continue;
            }
        }
        set_masks(l);
        plan_moves(l);
    }
    p->overflows = false;
    return joined;
}

static const PackedLayout *old_layout(const Packing *p, Packed old)
{
    uint64_t number = old.lo & ((UINT64_C(1) << p->old_layout_bits) - 1);
    return p->old_layouts[number] ? p->old_layouts[number] : p->layouts[number];
}

static void unpack_old(const PackedLayout *l, Packed old, State *s)
{
    prepare_vector(l, s);
    for (uint64_t left = l->used; left; left &= left - 1) {
        uint32_t slot = lowest_bit(left);
        write_value(l, slot, field_get(l->slots[slot].old_field, old), s->v);
    }
}

void packing_learn(Packing *p, Packed old)
{
    State s;
    const PackedLayout *l = old_layout(p, old);
    if (!p->old_layouts[l->number]) return;
    state_init(&s);
    unpack_old(l, old, &s);
    packing_pack(p, &s);
    state_free(&s);
}

Packed packing_convert(const Packing *p, Packed old)
{
    const PackedLayout *l = old_layout(p, old);
    Packed state = {l->number, 0};
    if (UNLIKELY(p->old_layouts[l->number] != NULL)) {
        State s;
        state_init(&s);
        unpack_old(l, old, &s);
        state = packing_pack((Packing *)p, &s); /* all its values were learnt */
        state_free(&s);
        return state;
    }
    const FieldMove *move = l->moves;
    for (; move < l->moves + l->n_low_moves; move++) state.lo |= turn_left(old.lo & move->bits, move->left);
    for (; move < l->moves + l->n_moves; move++) {
        uint64_t bits = turn_left((move->from_hi ? old.hi : old.lo) & move->bits, move->left);
        *(move->to_hi ? &state.hi : &state.lo) |= bits;
    }
    return state;
}

bool packing_moves_bits(const Packing *p, Packed old) { return !p->old_layouts[old_layout(p, old)->number]; }

void packing_settle(Packing *p)
{
    p->old_layout_bits = p->layout_bits;
    for (uint32_t i = 0; i < p->n_layouts; i++) {
        PackedLayout *l = p->layouts[i];
        layout_free(p->old_layouts[i]);
        p->old_layouts[i] = NULL;
        for (uint64_t left = l->used; left; left &= left - 1) {
            PackedSlot *s = &l->slots[lowest_bit(left)];
            s->old_field = s->field;
        }
    }
}
