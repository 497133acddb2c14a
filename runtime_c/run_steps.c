/* run_steps.c: the steps of one process, found by running its guards and effects; see run_steps.h. */
#include "run_steps.h"

#include <string.h>

#include "chain.h"
#include "search.h"
#include "util.h"
#include "vector_diff.h"

/* ---- items ---- */

Fault item_fault(const Item *item)
{
    return item->flags & ITEM_FAULTY ? numbered_fault(item_name(item)->fault) : (Fault){0};
}

/* Gives a step its name, with what follows from it. */
static uint32_t name_step(StepName *like)
{
    Step step = named_step(like);
    like->owner = (int16_t)(step.pid == CLAIM_PID ? -1 : step_owner(&step));
    like->length = (uint16_t)step_length(&step);
    return step_name(like);
}

Item *list_item(Expansion *x, ItemKind kind, const Step *step, uint32_t channel)
{
    if (x->n_listed == x->list_capacity) {
        x->list_capacity = 2 * x->list_capacity + 16;
        x->list = xrealloc(x->list, x->list_capacity * sizeof *x->list);
    }
    StepName name = {.transition = (uint32_t)(step->transition - model.transitions),
                     .reply = step->reply ? (uint32_t)(step->reply - model.transitions) : NO_REPLY,
                     .pid = step->pid,
                     .reply_pid = step->reply_pid,
                     .fault = fault_number(&fault),
                     .is_step = kind == ITEM_STEP};
    if (kind == ITEM_STEP) name.chained = chain_length(step_last(step));
    if (kind == ITEM_OFFER) name.reply = channel;
    Item *item = &x->list[x->n_listed++];
    memset(item, 0, sizeof *item);
    item->name = name_step(&name);
    item->kind = (uint8_t)kind;
    item->flags = ITEM_LOOSE;
    if (!item_name(item)->is_reached) item->flags |= ITEM_UNREACHED;
    if (kind == ITEM_STEP)
        item->u.length = item_name(item)->length;
    else
        item->flags |= ITEM_OTHER;
    if (step_last(step)->flags & T_ATOMIC) item->flags |= ITEM_ATOMIC;
    if (name.fault) item->flags |= ITEM_FAULTY;
    fault = (Fault){0};
    return item;
}

void begin_list(Expansion *x) { x->n_listed = 0; }

ItemList set_list_aside(Expansion *x)
{
    Item *copy = items_take(&x->scratch, x->n_listed);
    if (x->n_listed) memcpy(copy, x->list, x->n_listed * sizeof *copy);
    return (ItemList){copy, x->n_listed, items_flags(copy, x->n_listed)};
}

/* ---- what a step changes ---- */

/* The slots in which the copy differs from `s`. */
static uint64_t changed_slots_of(const Expansion *x, const State *s)
{
    const TreeLayout *l = x->layout->tree;
    uint64_t slots = 0;
    for (uint32_t from = 0; from < l->n_pairs; from += 64)
        for (uint64_t changed = changed_pairs(s->v, x->work.v, from, l->n_pairs); changed; changed &= changed - 1)
            slots |= UINT64_C(1) << l->slot_of[from + lowest_bit(changed)];
    return slots;
}

/* Notes what the copy changes of `from`, which has this number. */
static void set_change(Expansion *x, Item *item, const State *from, Packed number)
{
    for (uint64_t slots = changed_slots_of(x, from); slots; slots &= slots - 1) {
        uint32_t slot = lowest_bit(slots);
        Field field = x->layout->slots[slot].field;
        const ValueTable *values = &x->layout->slots[slot].values;
        uint32_t before = field_get(field, number), after = packing_value(&x->packing, x->layout, slot, x->work.v);
        if (UNLIKELY(x->packing.overflows)) return; /* all will be found again */
        item->change = packed_xor(item->change, field_put(field, before ^ after));
        item->sum += values->sums[after] - values->sums[before];
    }
}

/* The copy has made a step. */
static inline void name_owner(Expansion *x, const Step *step)
{
    if (x->keeps_owner) state_header(&x->work)->owner = (uint8_t)(step_owner(step) + 1);
}

/* The copy has made a step away from `from`, which has this number. */
static void note_step(Expansion *x, ItemKind kind, const Step *step, const State *from, Packed number)
{
    if (kind == ITEM_STEP) name_owner(x, step);
    Item *item = list_item(x, kind, step, NO_CHANNEL);
    if (!x->seen || x->work.shape != from->shape)
        item->flags |= ITEM_EXECUTE;
    else
        set_change(x, item, from, number);
}

static void note_fault(Expansion *x, const Transition *t, int pid)
{
    if (LIKELY(!fault.text)) return;
    Step step = {t, NULL, (int16_t)pid, -1, 0};
    list_item(x, ITEM_FAULT, &step, NO_CHANNEL);
}

PackedState execute_item(Expansion *x, const Item *item)
{
    Step step = item_step(item);
    state_copy(&x->work, expansion_vector(x));
    expand_take(&x->work, &step);
    name_owner(x, &step);
    return expansion_pack(x, &x->work);
}

/* ---- guards and effects ---- */

static inline void move_chained(State *s, int pid, const Transition *t)
{
    step_move(s, pid, t);
    chain_take(s, pid, t);
}

/* The sender's half of a rendezvous; receivers are looked for later, if they are at all. */
static void note_offer(Expansion *x, int pid, const Transition *send, bool finds_receivers)
{
    Step step = {send, NULL, (int16_t)pid, -1, 0};
    step_move(&x->work, pid, send); /* channel_send names the offered channel */
    Item *item = list_item(x, ITEM_OFFER, &step, finds_receivers ? (uint32_t)step_context.offer : NO_CHANNEL);
    if (x->seen && x->work.shape == x->now->shape)
        set_change(x, item, x->now, x->at.number);
    else
        item->flags |= ITEM_EXECUTE;
    step_context.offer = 0;
    state_copy(&x->work, x->now);
}

/* The replies of one process, tried on the copy, which equals `middle`. Steps are noted as whole
 * ones, or, without a step to complete, only their second halves: changes of the state with number `middle`. */
static bool try_replies(Expansion *x, int pid, const Step *offer, Packed middle)
{
    const Location *at = process_location(&x->middle, pid);
    uint16_t escape = 0;
    bool accepted = false;
    for (uint16_t i = 0; i < at->count; i++) {
        const Transition *t = step_transition(at, i, NULL);
        if (escape && escape != t->escape) break;
        if (!(t->flags & T_RECEIVE)) continue;
        bool can = model_guard(&x->work, pid, t);
        if (!offer) note_fault(x, t, pid);
        if (!can) continue;
        Step step = {t, NULL, (int16_t)pid, -1, 0};
        if (offer) step = (Step){offer->transition, t, offer->pid, (int16_t)pid, 0};
        move_chained(&x->work, pid, t);
        note_step(x, ITEM_STEP, &step, offer ? x->now : &x->middle, middle);
        state_copy(&x->work, &x->middle);
        escape = t->escape;
        accepted = true;
    }
    return accepted;
}

/* A rendezvous with whoever takes part, at once. */
static bool try_offer(Expansion *x, int pid, const Transition *send)
{
    bool accepted = false;
    Step step = {send, NULL, (int16_t)pid, -1, 0};
    int n = state_n_processes(x->now), stride = options.reverse_processes ? 1 : -1;
    touched.others = true;
    note_offer(x, pid, send, false);
    step_move(&x->work, pid, send);
    fault = (Fault){0}; /* noted with the offer */
    state_copy(&x->middle, &x->work);
    for (int other = stride > 0 ? 0 : n - 1; other >= 0 && other < n; other += stride)
        if (other != pid && process_eligible(&x->middle, other)) accepted |= try_replies(x, other, &step, x->at.number);
    step_context.offer = 0;
    note_fault(x, send, pid);
    state_copy(&x->work, x->now);
    return accepted;
}

static int test_guard_of(const State *s, int pid, const Transition *t, bool moved)
{
    if (t->flags & (T_ELSE | T_SKIP)) return !(t->flags & T_ELSE) || !moved;
    if (t->flags & T_BLOCKED) return BLOCKED;
    step_context.else_blocked = moved;
    return model_guard(s, pid, t);
}

void list_steps(Expansion *x, int pid, const Location *at, uint16_t from, uint16_t end, bool splits)
{
    uint16_t escape = 0;
    bool moved = false;
    begin_list(x);
    state_copy(&x->work, x->now);
    if (pid != CLAIM_PID && !process_eligible(&x->work, pid)) return;
    for (uint16_t i = from; i < end; i++) {
        const Transition *t = step_transition(at, i, NULL);
        if (escape && escape != t->escape) break;
        int result = test_guard_of(&x->work, pid, t, moved);
        note_fault(x, t, pid);
        if (result == BLOCKED) continue;
        if (result == OFFER) {
            if (splits) {
                note_offer(x, pid, t, true);
            } else if (x->cuts_offers) {
                touched.others = true; /* not to be remembered */
                x->found->n_cut++;
            } else {
                escape = try_offer(x, pid, t) ? t->escape : 0;
            }
            continue;
        }
        if (moved && model.proctypes[t->proctype].deterministic && !(t->flags & T_ELSE))
            raise_error("non-determinism in D_proctype");
        Step step = {t, NULL, (int16_t)pid, -1, 0};
        move_chained(&x->work, pid, t);
        note_step(x, ITEM_STEP, &step, x->now, x->at.number);
        state_copy(&x->work, x->now);
        escape = t->escape;
        moved = true;
    }
}

static Packed touched_globals(const Expansion *x)
{
    const TreeLayout *l = x->layout->tree;
    uint32_t end = HEADER_SIZE / 8 + (model.globals_size + 7) / 8;
    uint64_t slots = 0;
    for (uint32_t pair = HEADER_SIZE / 8; pair < end; pair++) {
        uint32_t word = pair - HEADER_SIZE / 8;
        if (touched.globals[word / 64 % (TOUCHED_WORDS / 64)] >> word % 64 & 1)
            slots |= UINT64_C(1) << l->slot_of[pair];
    }
    return packing_mask(x->layout, slots);
}

Packed touched_fields(const Expansion *x)
{
    Packed fields = {0, 0};
    for (uint32_t block = 0; block < 4; block++)
        for (uint64_t left = touched.channels[block]; left; left &= left - 1) {
            uint32_t i = 64 * block + lowest_bit(left);
            if (i < x->layout->shape->n_channels) fields = packed_or(fields, x->layout->channel_masks[i]);
        }
    return touched.has_globals ? packed_or(fields, touched_globals(x)) : fields;
}

/* ---- rendezvous in two halves ---- */

/* Makes a list of replies one of whole steps. */
static void join_list(Expansion *x, const Item *offer)
{
    for (uint32_t i = 0; i < x->n_listed; i++) {
        Item *item = &x->list[i];
        StepName name = *item_name(item), *sender = item_name(offer);
        name.reply = item->kind == ITEM_FAULT ? NO_REPLY : name.transition;
        name.reply_pid = (int16_t)(item->kind == ITEM_FAULT ? -1 : name.pid);
        name.transition = sender->transition;
        name.pid = sender->pid;
        name.is_reached = false;
        item->name = name_step(&name);
        if (!item_name(item)->is_reached) item->flags |= ITEM_UNREACHED;
        if (item->kind == ITEM_STEP) item->u.length = item_name(item)->length;
        item->change = packed_xor(item->change, offer->change);
        item->sum += offer->sum;
    }
}

/* Makes the vector between the halves of a rendezvous. */
static void make_middle(Expansion *x, const Item *offer, Packed middle)
{
    state_copy(&x->middle, expansion_vector(x));
    for (uint64_t left = x->layout->used; left; left &= left - 1) {
        uint32_t slot = lowest_bit(left);
        if (packed_meet(x->layout->slots[slot].mask, offer->change))
            packing_write_slot(x->layout, slot, middle, x->middle.v);
    }
}

void list_replies(Expansion *x, const Item *offer, int pid)
{
    Packed middle = packed_xor(x->at.number, offer->change);
    begin_list(x);
    make_middle(x, offer, middle);
    state_copy(&x->work, &x->middle);
    step_context.offer = (int)item_name(offer)->reply;
    try_replies(x, pid, NULL, middle);
    step_context.offer = 0;
    join_list(x, offer);
}
