/* state.h: state vectors, their shapes, and the channel operations generated code calls. */
#ifndef HSFPY_STATE_H
#define HSFPY_STATE_H

#include "model.h"

/* A stack of frames. Shapes form a trie: a frame is only added at the end, and only the last
 * process with the channels behind it is ever removed. */
struct Shape {
    uint32_t id;
    uint32_t size; /* of a vector of this shape, a multiple of 8 */
    uint32_t used; /* without the padding at the end */
    uint16_t n_processes;
    uint16_t n_channels;
    const Shape *parent;  /* without the last frame */
    int16_t last_frame;   /* frame added last: proctype p as p, channel kind k as -1-k */
    uint32_t *process_at; /* offset of each process frame */
    uint16_t *process_type;
    uint32_t *channel_at; /* offset of channel id i at [i-1] */
    uint16_t *channel_kind;
    struct Shape **next; /* by frame kind: proctypes, then channel kinds; filled on demand */
};

static inline Header *state_header(const State *s) { return (Header *)(void *)s->v; }
static inline unsigned char *state_globals(const State *s) { return s->v + HEADER_SIZE; }
static inline int state_n_processes(const State *s) { return s->shape->n_processes; }
static inline ProcessFrame *state_process(const State *s, int pid)
{
    return (ProcessFrame *)(void *)(s->v + s->shape->process_at[pid]);
}
static inline int state_process_type(const State *s, int pid) { return s->shape->process_type[pid]; }

/* How many bytes of a vector count when states are compared (hidden variables lie behind). */
static inline uint32_t state_size(const State *s) { return s->size; }

void state_init(State *s);
void state_free(State *s);
void state_reserve(State *s, uint32_t size);
void state_copy(State *to, const State *from);
/* Makes `s` the vector stored in `bytes` (its header names the shape). */
void state_load(State *s, const unsigned char *bytes, uint32_t size);
void state_clear(State *s);
/* `s` as it is compared: itself, or a copy in `bare` with its hidden variables zeroed. */
const State *state_without_hidden(const State *s, State *bare);
const Shape *shape_by_id(uint32_t id);
/* For tests and a second model in one process: forget all shapes. */
void shapes_reset(void);
size_t shapes_memory(void);

/* Appends a zeroed frame; return the new pid or channel id (1-based). Raise a fatal fault at the
 * language's limits. Pointers into the vector are invalid afterwards. */
int state_add_process(State *s, int proctype);
int state_add_channel(State *s, int kind);
/* Removes the youngest process and the channels made after it. */
void state_drop_process(State *s);

void raise_error(const char *text);
void raise_fatal(const char *text);

/* Channel operations, by channel id as stored in chan variables. `where` names the operation in
 * the message for an uninitialised channel, in SPIN's words. */
int channel_length(const State *s, int id);
bool channel_full(const State *s, int id);
bool channel_is_rendezvous(const State *s, int id);
int channel_capacity(const State *s, int id);
int channel_field(const State *s, int id, int slot, int field);
/* Appends (or inserts in order, if sorted) a message of n values. */
void channel_send(State *s, int id, bool sorted, int n, const int *values);
/* Removes the message in `slot`. */
void channel_remove(State *s, int id, int slot);
/* First slot whose fields equal values[i] wherever tested[i]; -1 if none. */
int channel_find(const State *s, int id, int n, const bool *tested, const int *values);
/* Checks the number of fields a statement uses. */
bool channel_check_fields(const State *s, int id, int n);

#endif
