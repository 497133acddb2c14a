"""SPIN's options about the text of simulations and replays."""

from __future__ import annotations

from dataclasses import field

from hsfpy.records import dataclass

# SPIN adds up what is to be shown, also when an option is given twice: -g -l -p -r -s -v -w.
SHOW_GLOBALS, SHOW_LOCALS, SHOW_STEPS, SHOW_RECEIVES, SHOW_SENDS, VERBOSE, SHOW_ALL = 1, 2, 4, 8, 16, 32, 64


@dataclass(slots=True)
class TextOptions:
    """What is printed of a run, and how."""

    shown: int = 0  # sum of the numbers above
    columns: bool = False  # -c
    chart: bool = False  # -M
    gui: bool = False  # -X
    no_indent: bool = False  # -T
    no_print: bool = False  # -b: printf does nothing
    no_end: bool = False  # -B: no final state
    skip: int = 0  # -j: show nothing of the first steps
    limit: int = 0  # -u: stop after this many steps, 0: never
    hidden_queues: set[int] = field(default_factory=set)  # -q
    track: bool = False  # -Y: variables declared with `show` are printed once more
    old_priorities: bool = False  # -o6

    def shows(self, what: int) -> bool:
        return bool(self.shown & what)
