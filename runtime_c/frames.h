/* frames.h: what is known about the locations of processes, and about their frames. A part of expand.h. */
#ifndef HSFPY_FRAMES_H
#define HSFPY_FRAMES_H

#include "expand.h"

enum LocationUseFlags { LOCATION_RECEIVES = 1, LOCATION_ESCAPES = 2, LOCATION_FORGETS = 4 };

/* Looks at all locations once. */
void find_location_flags(Expansion *x);
/* The fields of the globals that transitions `from` to `end` - 1 of a location name, and those taken with them. */
Packed global_fields(const PackedLayout *l, const Location *at, uint16_t from, uint16_t end);
/* Makes room for what is known about the frames of a layout, which is the state's. */
void add_frames(Expansion *x, uint32_t number);
/* Forgets all frames. */
void drop_frames(Expansion *x);
/* Begins what is known about a process with this content of its frame's first field. */
FrameNode *first_frame_node(Expansion *x, int pid, uint32_t content);
/* Something was found at a location that the memo did not know. False where circumstances hardly ever recur: there
 * remembering is a waste. */
bool is_worth_remembering(Expansion *x, uint32_t location);

static inline uint32_t location_number(const Expansion *x, int proctype, uint32_t pc)
{
    return x->first_location[proctype] + pc;
}

/* The first transition of a part of a location. */
static inline uint16_t part_begin(const LocationParts *parts, uint32_t part) { return part ? parts->end[part - 1] : 0; }

/* What is known about a process with the frame it has. */
static inline FrameNode *frame_node(Expansion *x, int pid)
{
    FrameNodes *f = &x->frames_here[pid];
    Packed state = x->at.number;
    uint32_t content = (uint32_t)(((state.lo & f->mask.lo) | (state.hi & f->mask.hi)) >> f->shift);
    if (UNLIKELY(content >= f->n || f->nodes[content].location == 0)) return first_frame_node(x, pid, content);
    return &f->nodes[content];
}

/* Where a process stands. */
static inline uint32_t frame_location(Expansion *x, int pid) { return frame_node(x, pid)->location - 1; }

#endif
