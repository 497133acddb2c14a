"""`spin -t`: a trail in SPIN's words."""

from __future__ import annotations

import os
from collections.abc import Callable

from hsfpy.elements import Op
from hsfpy.simulate.library import CLAIM_PID
from hsfpy.simulate.replay import CycleStart, Event, LimitReached, Replay
from hsfpy.simulate.session import Machine
from hsfpy.simulate.spin_text import SpinText, statement_text
from hsfpy.simulate.text_options import SHOW_STEPS, VERBOSE, TextOptions
from hsfpy.simulate.trail_file import TrailFile


class StopReplay(Exception):
    """The rest of the trail is not wanted."""


class GuidedText:
    """Prints a replay."""

    def __init__(
        self,
        machine: Machine,
        trail: TrailFile,
        options: TextOptions,
        write: Callable[[str], object],
        knows_claims: bool = False,
    ) -> None:
        self.machine = machine
        self.trail = trail
        self.options = options
        self.write = write
        self.replay = Replay(machine, trail, knows_claims)
        self.stopped_at_assertion = False  # graphical clients want no more then
        self.text = SpinText(self.replay.session, options, write, trail.claim is not None)

    def run(self) -> None:
        """The whole replay. Raises TrailError where the trail does not fit, after printing what came before."""
        self.head()
        try:
            self.text.depth = 0
            for event in self.replay.events(self.options.limit):
                if isinstance(event, CycleStart):
                    self.write("  " if not (self.options.no_indent or self.options.gui) else "")
                    self.write("<<<<<START OF CYCLE>>>>>\n")
                elif isinstance(event, LimitReached):
                    self.text.depth = event.depth
                    self.write(f"-------------\ndepth-limit (-u{self.options.limit} steps) reached\n")
                else:
                    self.step(event)
            if not self.options.limit and self.trail.steps:
                self.text.depth = self.trail.steps[-1].depth  # also if SPIN left a line that is no step
        except StopReplay:
            pass
        if not self.stopped_at_assertion:
            self.write(f"spin: trail ends after {self.text.depth} steps\n")
        self.text.final_state(self.replay.at)

    def head(self) -> None:
        if self.trail.claim is not None and self.options.shown:
            self.write(f"starting claim {self.trail.claim}\n")
        if self.replay.skips_claim:
            self.write(f"spin: couldn't find claim {self.trail.claim} (ignored)\n")
        if self.trail.merged and self.options.shows(VERBOSE):
            self.write("using statement merging\n")

    def step(self, event: Event) -> None:
        self.text.depth = event.depth
        if self.options.shows(VERBOSE) and not event.in_d_step:
            self.text.tell_escapes(event.element)
        self.text.happened(event.pid, event.automaton, event.statement, event.outcome, event.failed)
        if self.options.gui and event.outcome.fault is not None and event.statement.op is Op.ASSERT:
            self.stopped_at_assertion = True
            self.replay.at[event.pid] = event.statement
            raise StopReplay
        if event.ends_process:
            self.end_of_process(event)
            return
        if self.text.shows_steps_of(event.pid):
            self.line(event)
        if event.pid == CLAIM_PID and event.last:
            self.claim_line(event)

    def end_of_process(self, event: Event) -> None:
        if self.options.shows(SHOW_STEPS):
            who = "claim" if event.pid == CLAIM_PID else f"proc {event.pid}"
            self.write(f"{event.depth:3d}: {who} terminates\n")

    def line(self, event: Event) -> None:
        if event.in_d_step and event.failed:
            return
        self.text.talk(event.pid, event.automaton, event.element)
        self.write(f"\t{statement_text(event.shown)}")
        if event.chain_end and self.options.shows(VERBOSE):
            at = self.replay.at.get(event.pid)
            chain = 0 if event.element.op in (Op.CONDITION, Op.RECEIVE, Op.SEND) else event.chain_end
            self.write(f"\t<merge {chain} now @{at.number if at is not None else -1}>")
        self.write("\n")
        self.text.dump_after(event.pid, event.automaton)
        if event.failed and (event.outcome.fault is None or not self.text.explained):
            self.write("\ttransition failed\n")

    def claim_line(self, event: Event) -> None:
        """Where the claim stands after a line of the trail, if that is news."""
        if event.element.line != self.text.last_claim_line:
            self.text.last_claim_line = event.element.line
            self.write(f"Never claim moves to line {event.element.line}\t{statement_text(event.shown)}\n")


def newer_model_note(model: str, trail: str, options: TextOptions) -> str:
    """SPIN's warning about a model that was changed after its trail was made."""
    try:
        is_newer = os.path.getmtime(model) >= os.path.getmtime(trail)
    except OSError:
        is_newer = False
    return f'spin: warning, "{model}" is newer than {trail}\n' if is_newer and not options.gui else ""
