/* session.h: a model run step by step from outside; what Python calls through the model library.
 *
 * A session is one state that moves. It says which steps are possible, takes one, tells what
 * happened on the way (messages, printed text, a fault) and hands out or takes back whole states as
 * bytes. This file and session.c are part of the model library only, never of pan.
 *
 * Plain C types throughout: library.py repeats these declarations for cffi.
 */
#ifndef HSFPY_SESSION_H
#define HSFPY_SESSION_H

#include "model.h"

typedef struct Session Session;

/* A step by indices into model.transitions; `reply` is the receiver's half of a rendezvous or -1. */
typedef struct SessionStep {
    int pid;
    int transition;
    int reply_pid;
    int reply;
    int faulty; /* testing whether it is executable raised a fault */
} SessionStep;

enum SessionMove { MOVED, MOVE_BLOCKED, MOVE_UNKNOWN };

/* What happened inside a step, in order. */
enum NoteKind {
    NOTE_SEND,     /* subject: channel id; values: the message */
    NOTE_RECEIVE,  /* the same, of the message taken or copied */
    NOTE_POLL,     /* the same, of a message found by q?[...] */
    NOTE_PRINT,    /* subject: offset of the text in session_output, ends at the next note's or its end */
    NOTE_CHANNEL,  /* subject: number of a global variable with channels that was looked at */
    NOTE_NARROW,   /* subject: kind of variable; values: what was assigned, what was kept */
    NOTE_RUN,      /* subject: pid of a process that is about to be made */
    NOTE_PRIORITY, /* subject: pid; values: its new priority */
    NOTE_INDEX     /* subject: length of an array; values: an index outside of it */
};

typedef struct SessionNote {
    int kind;
    int subject;
    int n;
    int first;        /* of its values in session_values */
    const char *name; /* of the array, for NOTE_INDEX */
} SessionNote;

/* For all sessions: escapes of outer unless statements come first (spin -J). */
void session_set_unless_order(int outermost_first);

/* In the initial state; `claim` is the proctype of a never claim, or -1. */
Session *session_open(int claim);
void session_close(Session *s);
void session_restart(Session *s);

/* The steps the processes can take now, in SPIN's order; only those of the process that has
 * exclusive control as long as it can move. Returns how many there are, at most `capacity` of which
 * are written. *timeout: only because nothing else can move. Not for the middle of a rendezvous. */
int session_steps(Session *s, SessionStep *steps, int capacity, int *timeout);
/* Moves of the claim. */
int session_claim_steps(Session *s, SessionStep *steps, int capacity);
/* Takes a step that session_steps has just listed. */
void session_take(Session *s, const SessionStep *step);
/* Takes transition number `transition`, or another one of the same statement, for process `pid` (-1:
 * the claim) if it can be taken now. Of a rendezvous, one half. */
int session_move(Session *s, int pid, int transition);
/* Is the first half of a rendezvous taken and the second not yet? The channel, or 0. */
int session_offer(const Session *s);
/* Single statements, for the inside of a d_step: can it be executed, do it, and then move along the
 * transition that stands for the whole. */
int session_test(Session *s, int pid, int proctype, int action);
void session_do(Session *s, int pid, int proctype, int action);
void session_arrive(Session *s, int pid, int transition);

/* About the last call that took or tested steps. Texts are valid until the next such call. */
const char *session_fault(const Session *s); /* NULL if there was none */
int session_n_notes(const Session *s);
const SessionNote *session_notes(const Session *s);
const int *session_values(const Session *s);
const char *session_output(const Session *s);

/* The state: its size in bytes, out, and in. */
int session_size(const Session *s);
void session_save(const Session *s, unsigned char *out);
void session_load(Session *s, const unsigned char *bytes, int size);

int session_n_processes(const Session *s);
int session_process_type(const Session *s, int pid);
int session_location(const Session *s, int pid);
int session_priority(const Session *s, int pid);
int session_is_valid_end(const Session *s);
/* Values of the globals (pid -1) or of a process, all elements of all variables in the order of
 * model.variables. Returns their number. */
int session_read(const Session *s, int pid, int *out);
int session_n_channels(const Session *s);
int session_channel_kind(const Session *s, int id);
/* Its length; the fields of its messages go to `out` one after the other. */
int session_channel(const Session *s, int id, int *out);

/* Has standard input ended? */
int session_stdin_ended(void);

/* Called by generated code. */
void note_message(int kind, int id, int n, const int *values);
int note_slot(int kind, const State *s, int id, int slot);
/* A variable with channels is used: its address, or the index of the element that is used. */
void *note_variable(int variable, void *at);
int note_element(int variable, int index);
#define NOTED_VARIABLE(variable, lvalue) (*(__typeof__(lvalue) *)note_variable((variable), &(lvalue)))
int note_narrow(int kind, int bits, int value);
void note_run(int pid);
int note_priority(int pid, int priority);
int note_index(const char *name, int index, int length);
/* Simulations read the channel STDIN from standard input, a character at a time: is there one, and
 * which? Without one a receive is blocked. */
int stdin_ready(void);
int stdin_next(void);

#endif
