"""The model library: generated C of one model in this process, called through cffi.

cffi works from declarations alone here (ABI mode), so nothing is compiled but the model. The
declarations repeat runtime_c/session.h.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import cffi

from hsfpy.build import build_library
from hsfpy.diagnostics import BuildError
from hsfpy.emit import render_model
from hsfpy.program import Program

CLAIM_PID = -1

# What session_move answers.
MOVED, BLOCKED, UNKNOWN = range(3)

# Kinds of notes, as in session.h.
NOTE_SEND, NOTE_RECEIVE, NOTE_POLL, NOTE_PRINT, NOTE_CHANNEL, NOTE_NARROW, NOTE_RUN, NOTE_PRIORITY, NOTE_INDEX = range(
    9
)

_DECLARATIONS = """
typedef struct Session Session;
typedef struct SessionStep { int pid; int transition; int reply_pid; int reply; int faulty; } SessionStep;
typedef struct SessionNote { int kind; int subject; int n; int first; const char *name; } SessionNote;
void session_set_unless_order(int outermost_first);
Session *session_open(int claim);
void session_close(Session *s);
void session_restart(Session *s);
int session_steps(Session *s, SessionStep *steps, int capacity, int *timeout);
int session_claim_steps(Session *s, SessionStep *steps, int capacity);
void session_take(Session *s, const SessionStep *step);
int session_move(Session *s, int pid, int transition);
int session_offer(const Session *s);
int session_test(Session *s, int pid, int proctype, int action);
void session_do(Session *s, int pid, int proctype, int action);
void session_arrive(Session *s, int pid, int transition);
const char *session_fault(const Session *s);
int session_n_notes(const Session *s);
const SessionNote *session_notes(const Session *s);
const int *session_values(const Session *s);
const char *session_output(const Session *s);
int session_size(const Session *s);
void session_save(const Session *s, unsigned char *out);
void session_load(Session *s, const unsigned char *bytes, int size);
int session_n_processes(const Session *s);
int session_process_type(const Session *s, int pid);
int session_location(const Session *s, int pid);
int session_priority(const Session *s, int pid);
int session_is_valid_end(const Session *s);
int session_read(const Session *s, int pid, int *out);
int session_n_channels(const Session *s);
int session_channel_kind(const Session *s, int id);
int session_channel(const Session *s, int id, int *out);
int session_stdin_ended(void);
"""


@cache
def interface() -> cffi.FFI:
    """cffi with the declarations of a model library."""
    ffi = cffi.FFI()
    ffi.cdef(_DECLARATIONS)
    return ffi


def load_library(program: Program, link: list[str] | None = None) -> Any:
    """The library of a model, made with `ProgramOptions(notes=True)`. `link`: C files embedded C needs."""
    assert program.notes, "a model library needs code that notes what happens"
    text = render_model(program)
    # A file nobody else loads, because its data (embedded C may have some outside the state) begins
    # afresh. It stays while the process runs: the system takes a file for one it has loaded already
    # if it has that one's place on the disk.
    path = build_library(text, link or [], Path(tempfile.mkdtemp(dir=_folder())))
    try:
        return interface().dlopen(str(path))
    except OSError as error:
        raise BuildError(f"the model library cannot be loaded: {error}") from None


@cache
def _folder() -> str:
    """A folder that lives as long as this process."""
    name = tempfile.mkdtemp(prefix="hsfpy-")
    atexit.register(shutil.rmtree, name, ignore_errors=True)
    return name
