/* state.c: state vectors, shapes and channels.
 *
 * Models create few different shapes (often one or two after initialisation), so a shape holds
 * plain arrays of offsets and states only carry its number. Adding a frame follows a link of the
 * trie; the first time it builds the node. Nothing here allocates during a search once all
 * shapes are known and the buffers have grown.
 */
#include "state.h"

#include <stdlib.h>
#include <string.h>

#include "search.h"
#include "util.h"

StepContext step_context;
Fault fault;
Touched touched;

static Shape **shapes;
static uint32_t n_shapes;
static uint32_t shapes_capacity;
static size_t shapes_bytes;

/* With -A a failed assertion is none: it must not hide another fault of the same step. */
void raise_error(const char *text)
{
    if (options.ignore_asserts && strncmp(text, "assertion violated", 18) == 0) return;
    if (!fault.text) fault.text = text;
}

void raise_fatal(const char *text)
{
    if (!fault.text) fault.text = text;
    fault.fatal = true;
}

static uint32_t round_up(uint32_t n, uint32_t to) { return (n + to - 1) / to * to; }

static Shape *shape_new(void)
{
    if (n_shapes == MAX_SHAPES)
        die("the model makes more than %d different sets of processes and channels", MAX_SHAPES);
    if (n_shapes == shapes_capacity) {
        shapes_capacity = shapes_capacity ? 2 * shapes_capacity : 64;
        shapes = xrealloc(shapes, shapes_capacity * sizeof *shapes);
    }
    Shape *shape = xcalloc(1, sizeof *shape);
    size_t n_next = (size_t)(model.n_proctypes + model.n_chan_kinds);
    shape->next = xcalloc(n_next + 1, sizeof(Shape *));
    shapes_bytes += sizeof *shape + n_next * sizeof(Shape *);
    shape->id = n_shapes;
    shapes[n_shapes++] = shape;
    return shape;
}

static const Shape *shape_root(void)
{
    if (n_shapes == 0) {
        Shape *root = shape_new();
        root->used = round_up(HEADER_SIZE + model.globals_size, model.frame_align);
        root->size = round_up(root->used < 16 ? 16 : root->used, 8);
    }
    return shapes[0];
}

static void *copy_array(const void *from, size_t n, size_t item)
{
    void *to = xmalloc((n + 1) * item);
    if (n) memcpy(to, from, n * item);
    shapes_bytes += (n + 1) * item;
    return to;
}

/* The shape `from` with one more frame at its end. */
static const Shape *shape_extend(const Shape *from, bool is_process, int kind)
{
    size_t link = (size_t)(is_process ? kind : model.n_proctypes + kind);
    if (from->next[link]) return from->next[link];
    Shape *shape = shape_new();
    shape->parent = from;
    shape->last_frame = (int16_t)(is_process ? kind : -1 - kind);
    shape->n_processes = from->n_processes;
    shape->n_channels = from->n_channels;
    shape->process_at = copy_array(from->process_at, from->n_processes, sizeof(uint32_t));
    shape->process_type = copy_array(from->process_type, from->n_processes, sizeof(uint16_t));
    shape->channel_at = copy_array(from->channel_at, from->n_channels, sizeof(uint32_t));
    shape->channel_kind = copy_array(from->channel_kind, from->n_channels, sizeof(uint16_t));
    uint32_t frame_size;
    if (is_process) {
        shape->process_at[shape->n_processes] = from->used;
        shape->process_type[shape->n_processes++] = (uint16_t)kind;
        frame_size = model.proctypes[kind].frame_size;
    } else {
        shape->channel_at[shape->n_channels] = from->used;
        shape->channel_kind[shape->n_channels++] = (uint16_t)kind;
        frame_size = model.chan_kinds[kind].frame_size;
    }
    shape->used = round_up(from->used + frame_size, model.frame_align);
    shape->size = round_up(shape->used < 16 ? 16 : shape->used, 8);
    from->next[link] = shape;
    return shape;
}

const Shape *shape_by_id(uint32_t id) { return shapes[id]; }

size_t shapes_memory(void) { return shapes_bytes; }

void shapes_reset(void)
{
    for (uint32_t i = 0; i < n_shapes; i++) {
        xfree(shapes[i]->process_at);
        xfree(shapes[i]->process_type);
        xfree(shapes[i]->channel_at);
        xfree(shapes[i]->channel_kind);
        xfree(shapes[i]->next);
        xfree(shapes[i]);
    }
    xfree(shapes);
    shapes = NULL;
    n_shapes = shapes_capacity = 0;
    shapes_bytes = 0;
}

void state_init(State *s) { memset(s, 0, sizeof *s); }

void state_free(State *s)
{
    xfree(s->v);
    state_init(s);
}

void state_reserve(State *s, uint32_t size)
{
    if (size <= s->capacity) return;
    s->capacity = round_up(size + size / 2, 64);
    s->v = xrealloc(s->v, s->capacity);
}

void state_copy(State *to, const State *from)
{
    state_reserve(to, from->size);
    memcpy(to->v, from->v, from->size);
    to->size = from->size;
    to->shape = from->shape;
}

const State *state_without_hidden(const State *s, State *bare)
{
    if (!model.has_hidden) return s;
    state_copy(bare, s);
    memset(state_globals(bare) + model.globals_size - model.hidden_size, 0, model.hidden_size);
    return bare;
}

void state_load(State *s, const unsigned char *bytes, uint32_t size)
{
    state_reserve(s, size);
    memcpy(s->v, bytes, size);
    s->size = size;
    s->shape = shape_by_id(state_header(s)->shape);
}

static void state_reshape(State *s, const Shape *shape)
{
    state_reserve(s, shape->size);
    if (shape->size > s->size) memset(s->v + s->size, 0, shape->size - s->size);
    s->size = shape->size;
    s->shape = shape;
    state_header(s)->shape = shape->id;
}

void state_clear(State *s)
{
    s->size = 0;
    state_reshape(s, shape_root());
}

int state_add_process(State *s, int proctype)
{
    int pid = state_n_processes(s);
    if (pid >= MAX_PROCESSES) {
        raise_fatal("too many processes");
        return 0;
    }
    state_reshape(s, shape_extend(s->shape, true, proctype));
    ProcessFrame *frame = state_process(s, pid);
    frame->pc = model.proctypes[proctype].start;
    model.proctypes[proctype].reached[frame->pc] = 1;
    return pid;
}

int state_add_channel(State *s, int kind)
{
    if (s->shape->n_channels >= MAX_CHANNELS) {
        raise_fatal("too many queues");
        return 0;
    }
    state_reshape(s, shape_extend(s->shape, false, kind));
    return s->shape->n_channels;
}

void state_drop_process(State *s)
{
    const Shape *shape = s->shape;
    while (shape->last_frame < 0) shape = shape->parent;
    shape = shape->parent;
    /* What lies behind the remaining frames must read as zero: vectors are compared whole. */
    memset(s->v + shape->used, 0, s->size - shape->used);
    s->size = shape->size;
    s->shape = shape;
    state_header(s)->shape = shape->id;
}

/* ---- channels ---- */

static inline unsigned char *channel_frame(const State *s, int id)
{
    touched.channels[(id - 1) / 64] |= UINT64_C(1) << (id - 1) % 64;
    return s->v + s->shape->channel_at[id - 1];
}

static inline const ChanKind *channel_kind(const State *s, int id)
{
    return &model.chan_kinds[s->shape->channel_kind[id - 1]];
}

static inline uint16_t *channel_count(const State *s, int id) { return (uint16_t *)(void *)channel_frame(s, id); }

static bool channel_usable(const State *s, int id, const char *complaint)
{
    if (id >= 1 && id <= s->shape->n_channels) return true;
    if (id == 0)
        raise_error(complaint);
    else
        raise_fatal("reference to a channel that does not exist");
    return false;
}

int channel_length(const State *s, int id)
{
    if (!channel_usable(s, id, "ref to uninitialized chan name (len)")) return 0;
    return *channel_count(s, id);
}

bool channel_full(const State *s, int id)
{
    if (!channel_usable(s, id, "ref to uninitialized chan name (qfull)")) return true;
    uint16_t capacity = channel_kind(s, id)->capacity;
    return *channel_count(s, id) >= (capacity ? capacity : 1);
}

bool channel_is_rendezvous(const State *s, int id)
{
    if (!channel_usable(s, id, "ref to uninitialized chan name (q_zero)")) return false;
    return channel_kind(s, id)->capacity == 0;
}

int channel_capacity(const State *s, int id)
{
    if (id < 1 || id > s->shape->n_channels) return 0;
    return channel_kind(s, id)->capacity;
}

static int load_field(const unsigned char *slot, const ChanField *f)
{
    const unsigned char *at = slot + f->offset;
    if (f->width == 1) return *at;
    if (f->width == 2) {
        int16_t value;
        memcpy(&value, at, 2);
        return value;
    }
    int32_t value;
    memcpy(&value, at, 4);
    return value;
}

static void store_field(unsigned char *slot, const ChanField *f, int value)
{
    unsigned char *at = slot + f->offset;
    if (f->width == 1) {
        *at = (unsigned char)(f->is_bit ? (value & 1) : value);
    } else if (f->width == 2) {
        int16_t narrow = (int16_t)value;
        memcpy(at, &narrow, 2);
    } else {
        int32_t wide = value;
        memcpy(at, &wide, 4);
    }
}

int channel_field(const State *s, int id, int slot, int field)
{
    if (!channel_usable(s, id, "ref to uninitialized chan name (receiving)")) return 0;
    const ChanKind *kind = channel_kind(s, id);
    if (field >= kind->n_fields) {
        raise_error("too many fields in recv");
        return 0;
    }
    if (slot < 0 || slot >= (kind->capacity ? kind->capacity : 1)) return 0;
    return load_field(channel_frame(s, id) + kind->first_slot + (size_t)slot * kind->slot_size, &kind->fields[field]);
}

/* Where a sorted send puts its message: before the first one that is greater. */
static int sorted_position(const unsigned char *slots, int length, const ChanKind *kind, const int *values)
{
    for (int slot = 0; slot < length; slot++) {
        for (int f = 0; f < kind->n_fields; f++) {
            int there = load_field(slots + (size_t)slot * kind->slot_size, &kind->fields[f]);
            if (there < values[f]) break;
            if (there > values[f]) return slot;
        }
    }
    return length;
}

void channel_send(State *s, int id, bool sorted, int n, const int *values)
{
    if (!channel_usable(s, id, "ref to uninitialized chan name (sending)")) return;
    const ChanKind *kind = channel_kind(s, id);
    if (n > kind->n_fields) raise_error("too many parameters in send stmnt");
    if (n < kind->n_fields) raise_error("too few parameters in send stmnt");
    uint16_t *count = channel_count(s, id);
    if (*count >= (kind->capacity ? kind->capacity : 1)) return;
    unsigned char *slots = channel_frame(s, id) + kind->first_slot;
    int position = *count;
    if (sorted && n >= kind->n_fields) position = sorted_position(slots, *count, kind, values);
    unsigned char *slot = slots + (size_t)position * kind->slot_size;
    memmove(slot + kind->slot_size, slot, (size_t)(*count - position) * kind->slot_size);
    memset(slot, 0, kind->slot_size);
    for (int f = 0; f < n && f < kind->n_fields; f++) store_field(slot, &kind->fields[f], values[f]);
    ++*count;
    if (kind->capacity == 0) step_context.offer = id;
}

void channel_remove(State *s, int id, int slot)
{
    if (!channel_usable(s, id, "ref to uninitialized chan name (receiving)")) return;
    const ChanKind *kind = channel_kind(s, id);
    uint16_t *count = channel_count(s, id);
    if (slot < 0 || slot >= *count) return;
    unsigned char *at = channel_frame(s, id) + kind->first_slot + (size_t)slot * kind->slot_size;
    size_t behind = (size_t)(*count - 1 - slot) * kind->slot_size;
    memmove(at, at + kind->slot_size, behind);
    memset(at + behind, 0, kind->slot_size);
    --*count;
}

int channel_find(const State *s, int id, int n, const bool *tested, const int *values)
{
    if (!channel_usable(s, id, "ref to unknown chan (recv-poll)")) return -1;
    const ChanKind *kind = channel_kind(s, id);
    const unsigned char *slots = channel_frame(s, id) + kind->first_slot;
    int length = *channel_count(s, id);
    for (int slot = 0; slot < length; slot++) {
        int f = 0;
        while (f < n && f < kind->n_fields
               && (!tested[f] || load_field(slots + (size_t)slot * kind->slot_size, &kind->fields[f]) == values[f]))
            f++;
        if (f == n || f == kind->n_fields) return slot;
    }
    return -1;
}

bool channel_check_fields(const State *s, int id, int n)
{
    if (id < 1 || id > s->shape->n_channels) return true;
    if (channel_kind(s, id)->n_fields == n) return true;
    /* SPIN has no other words for a channel with a single field. */
    if (n > channel_kind(s, id)->n_fields && channel_kind(s, id)->n_fields > 1)
        raise_fatal("too many fields in recv");
    else
        raise_error("missing pars in receive");
    return false;
}
