/* model.h: the contract between generated code and the searches.
 *
 * The generated part of pan.c defines `model` and the model_* functions; the runtime uses nothing
 * else of a model. A test may link another implementation (an edge list, say) instead.
 *
 * A state is one packed vector: a header, the globals, then the frames of processes and channels
 * in creation order. The sequence of frames is the state's shape; shapes are interned (state.h),
 * so the vector stores only the shape's number and every offset is looked up in the shape.
 */
#ifndef HSFPY_MODEL_H
#define HSFPY_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Vectors are written through structs and compared as words. */
#if defined(__GNUC__) || defined(__clang__)
typedef uint32_t __attribute__((may_alias)) Word;
#else
typedef uint32_t Word;
#endif

typedef struct Shape Shape;

/* A state vector in a buffer of its own. `size` is a multiple of 8. */
typedef struct State {
    unsigned char *v;
    uint32_t size;
    uint32_t capacity;
    const Shape *shape;
} State;

/* First bytes of every vector. */
typedef struct Header {
    uint32_t shape : 23;
    uint32_t stutter : 1; /* the program is blocked for good and only the claim moves (for np_) */
    uint32_t fair : 8;    /* weak fairness: what is waited for (acceptance.h) */
    uint16_t claim;       /* location of the never claim; 0 without one */
    uint8_t owner;        /* pid+1 of the process inside an atomic sequence, when such states are kept */
    uint8_t last;         /* _last, kept only if the model reads it */
} Header;

enum { HEADER_SIZE = 8, MAX_SHAPES = 1 << 23, MAX_PROCESSES = 255, MAX_CHANNELS = 255 };

/* Every process frame begins with its location. */
typedef struct ProcessFrame {
    uint16_t pc;
    uint8_t priority; /* current priority, 0 unless the model uses priorities */
} ProcessFrame;

enum TransitionFlags {
    T_ATOMIC = 1,    /* the process keeps exclusive control after this step */
    T_DSTEP = 2,     /* a whole d_step sequence */
    T_ELSE = 4,      /* executable iff no earlier transition of the location was executed */
    T_RECEIVE = 8,   /* can complete a rendezvous */
    T_SEND = 16,     /* can offer a rendezvous */
    T_END = 32,      /* the process dies (-end-) */
    T_LOCAL = 64,    /* touches nothing another process can see (SPIN's L/G flag in pan -d) */
    T_SKIP = 128,    /* always executable, and forgets values at most (goto, skip, break) */
    T_BLOCKED = 256, /* never executable: a selection without executable clauses */
    T_PRINT = 512,   /* printf or printm */
    T_ASSERT = 1024,
    T_ACTS = 2048,  /* has an effect besides moving the location */
    T_CODE = 4096,  /* embedded C */
    T_LAST = 8192,  /* last step of an atomic sequence (pan -d shows it as atomic too) */
    T_SAFE = 16384, /* no other process notices or prevents it (ample.h) */
    T_RUN = 32768   /* starts a process */
};

/* One executable step of a proctype. The same statement stands at several locations when a
 * selection or an escape makes it reachable from them; `own` is the statement's own location. */
typedef struct Transition {
    uint16_t proctype;
    uint16_t to;     /* next location; 0 after -end- */
    uint16_t own;    /* SPIN's state number of the statement itself */
    uint16_t escape; /* start location of the unless-escape it belongs to, or 0 */
    uint16_t flags;
    uint16_t code;   /* `tr` in pan -d: SPIN's number of the C case */
    uint32_t id;     /* SPIN's statement number: what stands in trails */
    uint32_t action; /* which case of model_guard and model_effect */
    int32_t tp[2];   /* `tp` in pan -d: SPIN's classes for conditional safety */
    const char *text;
} Transition;

enum LocationFlags {
    L_ACCEPT = 1,
    L_END = 2,
    L_PROGRESS = 4,
    L_ATOMIC = 8,
    L_STICKY = 16 /* no cycle of global states avoids all of these (hsfpy/sticky.py) */
};

/* A location of a proctype with its ordered transitions, escapes first. */
typedef struct Location {
    uint32_t first; /* index of its first transition in model.transitions */
    uint16_t count;
    uint8_t flags;
    uint8_t unreached_exempt; /* SPIN marks it reached from the start (no code of its own) */
    uint32_t line;            /* line of the statement that stands here */
    uint32_t table_line;      /* line as pan -d shows it (pulled from the first option) */
    uint16_t file;            /* index into model.files */
    uint16_t map;             /* counts as reached when this location is, 0: none */
    bool danger;              /* a label here begins with "danger" */
    const char *label;        /* a label here or NULL */
} Location;

typedef enum ProcessClass {
    CLASS_NEVER = 1,
    CLASS_INIT = 2,
    CLASS_TRACE = 3,
    CLASS_NOTRACE = 4,
    CLASS_ACTIVE = 5,
    CLASS_PROCTYPE = 6
} ProcessClass;

/* Classes of a never claim's strongly connected components (HSF-SPIN 2001, 4.1): no cycle has an
 * accepting location, every cycle has one, some cycles have one. */
typedef enum ClaimClass { CLAIM_N, CLAIM_F, CLAIM_P } ClaimClass;

/* What hsfpy/claim_graph.py knows of a location of a claim. It speaks of the claim's labels only;
 * accept labels of processes, which count as well, are no part of it. */
typedef struct ClaimLocation {
    uint16_t component; /* number of its component, 0 is that of the start */
    uint8_t class_;     /* ClaimClass of the component; N where it has no cycle */
    bool accepting;
    bool universal;    /* every continuation of the run is accepted: being here is a violation */
    uint16_t distance; /* claim steps to where a violation can show (an accepting location on a
                        * cycle, an end state, an assertion); UINT16_MAX: none can be reached */
} ClaimLocation;

typedef struct Proctype {
    const char *name; /* as SPIN prints it, ":init:" for init */
    ProcessClass class_;
    uint16_t n_locations; /* locations are numbered 1 .. n_locations-1, as in SPIN */
    uint16_t start;
    uint16_t end;        /* the -end- location */
    uint32_t frame_size; /* bytes, including ProcessFrame */
    bool deterministic;  /* D_proctype */
    bool has_provided;
    bool translated;            /* a claim made from an ltl formula: SPIN makes another one of it */
    bool is_safety;             /* claims: every accepting cycle passes universal locations only, so that
                                 * violations are seen in finite prefixes */
    bool stutter_sensitive;     /* a claim made from a formula with X: no partial order reduction */
    const Location *locations;  /* indexed by location number */
    const ClaimLocation *claim; /* indexed by location number; NULL if it is no never claim */
    uint8_t *reached;           /* indexed by location number; set during searches */
    bool declares_ends;         /* xr or xs */
} Proctype;

/* A message field inside a channel's slot. */
typedef struct ChanField {
    uint16_t offset; /* inside the slot */
    uint8_t width;   /* bytes: 1, 2 or 4 */
    bool is_signed;
    bool is_bit;   /* only the lowest bit is kept */
    int16_t mtype; /* index of the mtype subtype used for printing; -1 if a number */
} ChanField;

/* All channels made by one declaration. A rendezvous channel has capacity 0 and one slot that
 * is filled only inside a step. Frame: uint16_t length, then the slots. */
typedef struct ChanKind {
    const char *name; /* the declaring variable */
    uint32_t frame_size;
    uint16_t capacity;
    uint16_t n_fields;
    uint16_t slot_size;
    uint16_t first_slot; /* offset of slot 0 inside the frame */
    const ChanField *fields;
} ChanKind;

typedef enum VariableKind {
    VAR_BIT,
    VAR_BYTE,
    VAR_SHORT,
    VAR_INT,
    VAR_UNSIGNED,
    VAR_MTYPE,
    VAR_CHAN,
    VAR_PID
} VariableKind;

/* One scalar or array of scalars, for printing states; struct fields are flattened ("s.a").
 * Values are read by model_read, so layout (bit fields) stays the generator's business. */
typedef struct Variable {
    const char *name; /* source name, no scope prefix */
    int16_t proctype; /* -1: global */
    uint8_t kind;     /* VariableKind */
    bool is_array;
    bool hidden; /* pan -r does not show it */
    bool is_param;
    uint32_t length;
    int16_t mtype; /* subtype for printing, -1 if none */
} Variable;

/* An mtype constant, shown among the globals before variable number `before`. */
typedef struct Constant {
    const char *name;
    int value;
    int before;
} Constant;

typedef struct Mtype {
    const char *name; /* "" for plain mtype */
    int n;
    const char *const *names; /* names[v-1] is value v */
} Mtype;

/* An assert statement: the location a process stands at before it. */
typedef struct AssertSite {
    uint16_t proctype;
    uint16_t location;
} AssertSite;

/* Embedded C of a statement; {c_code3} in its text stands for number 3. */
typedef struct EmbeddedText {
    int number;
    const char *text;
} EmbeddedText;

/* Where a global variable lies: bytes from the start of the globals. */
typedef struct GlobalRange {
    uint32_t offset;
    uint32_t size;
    uint32_t bits; /* of each of its words that can differ from state to state; 0: not known */
} GlobalRange;

/* Of a variable used BY_ELEMENT it is noted at run time which elements are (Touched). */
#define END_OF_USES UINT32_MAX
#define BY_ELEMENT (UINT32_C(1) << 31)

typedef struct Invariant {
    const char *name; /* of the ltl block it comes from, "" if given on the command line */
    const char *text;
} Invariant;

typedef struct ModelInfo {
    const char *source; /* file name as given, for trails and messages */
    const char *const *files;
    int n_files;
    int n_proctypes; /* proctypes, init, then claims and trace, in SPIN's order of pan -d; the
                      * nonprogress claim is not counted */
    const Proctype *proctypes;
    int n_transitions; /* with those of the nonprogress claim, which come last */
    const Transition *transitions;
    const uint32_t *watchers; /* by transition, which properties see it: bit k for claim k (30: and those behind),
                               * bit 31 for invariants */
    const bool *local_alone;  /* by transition: not T_LOCAL only because of other options beside it */
    int n_chan_kinds;
    const ChanKind *chan_kinds;
    int n_variables;
    const Variable *variables;
    int n_mtypes;
    const Mtype *mtypes;
    const Constant *constants; /* up to one without a name */
    uint32_t globals_size;     /* bytes of the globals struct behind the header */
    uint32_t globals_padding;  /* how much of that only keeps variables in words of their own */
    uint32_t hidden_size;      /* trailing part of the globals that is not compared (hidden) */
    uint32_t frame_align;      /* 4, or 8 when embedded C brings wider types */
    int n_claims;
    const int *claims; /* proctype numbers of the never claims, in SPIN's order */
    int default_claim; /* index into claims, -1 if none */
    int trace;         /* proctype number of the trace/notrace automaton, -1 if none */
    /* The claim that pan -l searches with, SPIN's :np_:. It stands in proctypes behind the others
     * (at n_proctypes) and its transitions behind all others, with SPIN's statement numbers 9997
     * to 9999; it begins at location 0 and accepts at 1. It needs step_context.progress. */
    int nonprogress_claim;
    bool uses_timeout, uses_last, uses_priority, uses_enabled, uses_np;
    bool has_accept, has_progress, has_rendezvous, has_buffered, has_unless, has_atomic;
    bool has_provided, has_c_code, has_hidden, loses_messages;
    bool c_data_outside;     /* embedded C keeps data that a fresh start does not reset */
    bool uses_run;           /* processes are made at run time */
    bool numbers_matter;     /* pids of processes made at run time are more than names */
    bool steps_are_single;   /* no step does more than one change: estimates may count them */
    bool queues_move_by_one; /* channels grow and shrink by one message at their ends */
    int n_asserts;
    const AssertSite *asserts;
    int n_invariants;
    const Invariant *invariants;
    /* Which globals an action (Transition) touches: global_uses[first_use[action]] and on are indices
     * into global_ranges, up to END_OF_USES. Not told of hidden ones and in models with embedded C. */
    const GlobalRange *global_ranges;
    const uint32_t *global_uses;
    const uint32_t *first_use;
    bool merges;                  /* statements may be merged (chain.h) */
    const EmbeddedText *embedded; /* ended by text NULL */
} ModelInfo;

extern const ModelInfo model;

/* What a step may look at besides the state; set by the search before it asks. */
typedef struct StepContext {
    int offer;         /* channel of the pending rendezvous offer, 0 if none */
    bool timeout;      /* no process can move */
    bool progress;     /* some process stands at a progress label (for np_) */
    bool stutter;      /* the claim moves in a stuttering extension (for np_) */
    bool else_blocked; /* an earlier option of the same process was executable */
    bool testing;      /* asked from enabled() or for priorities: no effect will follow */
    bool replaying;    /* printf prints, and values nobody will read are kept */
    char event_kind;   /* 's' or 'r' while the trace automaton is asked about an event */
    int event_channel;
} StepContext;

extern StepContext step_context;

/* What guards and effects have looked at or changed, besides the frame of their own process and globals they name:
 * channels, one bit for each id less 1; elements of global arrays, one bit for each word of globals they are in,
 * modulo TOUCHED_WORDS; and other processes. They only ever add to it. */
enum { TOUCHED_WORDS = 256 };
typedef struct Touched {
    uint64_t channels[4];
    uint64_t globals[TOUCHED_WORDS / 64];
    bool has_globals;
    bool others;
} Touched;

extern Touched touched;

/* Notes the use of element number i of an array at `offset` of the globals; returns i. */
static inline int touch_element(uint32_t offset, uint32_t size, int i)
{
    uint32_t from = offset + (uint32_t)i * size;
    for (uint32_t word = from / 8; 8 * word < from + size; word++)
        touched.globals[word / 64 % (TOUCHED_WORDS / 64)] |= UINT64_C(1) << word % 64;
    touched.has_globals = true;
    return i;
}

/* A fault raised while a guard or an effect runs: a failed assertion or run-time error.
 * The first one of a step is kept. A fatal fault ends the search. */
typedef struct Fault {
    const char *text; /* NULL: none */
    bool fatal;
    uint16_t chained; /* how many steps of a chain were taken before and with it (chain.h) */
} Fault;

extern Fault fault;

enum GuardResult { BLOCKED = 0, ENABLED = 1, OFFER = 2 };

enum { CLAIM_PID = -1, TRACE_PID = -2 };

/* Builds the initial state: globals, global channels, active processes. */
void model_start(State *s);
/* Can process `pid` take transition `t` now? OFFER: it is a send on a rendezvous channel and
 * still needs a receiver. For the claim, pid is CLAIM_PID. */
int model_guard(const State *s, int pid, const Transition *t);
/* Takes it: everything but moving the location. For an OFFER it puts the message into the
 * channel; the receiver's transition then takes it out. */
void model_effect(State *s, int pid, const Transition *t);
/* The run is over: what the directives C_EXIT and ON_EXIT ask for. */
void model_end(bool replayed);
/* The provided clause of a process. */
bool model_provided(const State *s, int pid);
/* Element `index` of variable number `variable` (model.variables) of process `pid`. */
int model_read(const State *s, int variable, int pid, uint32_t index);
/* Formula estimates (heuristic.h): steps until assertion number k fails if process `pid` stands at
 * it; until transition t of process `pid` is not executable; until invariant k is false. */
int model_assert_distance(const State *s, int pid, int k);
int model_blocking_distance(const State *s, int pid, const Transition *t);
int model_invariant_distance(const State *s, int k);
/* Steps until the condition on a claim's transition holds. */
int model_claim_distance(const State *s, const Transition *t);
/* Of a safe statement: is it sure that others can neither make it possible nor prevent it, as far as channels are
 * concerned? And is there anything to ask? */
bool model_settled(const State *s, int pid, const Transition *t);
bool model_has_condition(const Transition *t);
/* May a process ever use this end of a channel? */
bool model_uses_end(const State *s, int pid, int id, unsigned end);
/* Does a process declare this end of a channel to be its own (exclusive.h)? */
bool model_claims_end(const State *s, int pid, int id, unsigned end);
/* Can this kind of transition be unexecutable at all? */
bool model_can_block(const Transition *t);
/* Does invariant number k hold? */
bool model_invariant(const State *s, int k);
/* The model's printf and printm. In output.c. */
void print_text(const char *format, ...);
/* Printf of embedded C: heard only where the model's own printf is. */
void print_when_shown(const char *format, ...);
/* Embedded C: bring tracked C data into the vector, and back. No-ops without c_track. */
void model_track_save(State *s);
void model_track_restore(const State *s);

#endif
