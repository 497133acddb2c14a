"""Simulations: steps chosen by chance or by a person, printed as SPIN prints its simulations.

SPIN's simulator counts jumps and the ends of selections as steps of their own (`[goto L]`, `[.(goto)]`);
the verifier, and so this simulation, has none. They are printed and counted where they lie on the way,
so that a run reads the same.
"""

from __future__ import annotations

from collections.abc import Callable

from hsfpy.automaton import Automaton
from hsfpy.elements import GROUPS, Body, Element, Op, Status
from hsfpy.simulate import library
from hsfpy.simulate.course import Course
from hsfpy.simulate.replay import Walk, following
from hsfpy.simulate.session import Machine, Outcome, Step
from hsfpy.simulate.spin_text import SpinText, statement_text
from hsfpy.simulate.text_options import SHOW_STEPS, VERBOSE, TextOptions

_JUMPS = (Op.GOTO, Op.DOT)
_EXCLUSIVE = Status.ATOM | Status.LAST | Status.D_ATOM


def silent_moves(body: Body, el: Element | None) -> Element | None:
    """Where control goes without a step: into groups, behind selections, along one jump."""
    while el is not None:
        if el.op is Op.GOTO:
            return body.target(el)
        if el.op is Op.DOT:
            el = el.next
        elif el.op is Op.UNLESS:
            el = el.subs[0].first
        elif el.op in GROUPS and el.body is not None:
            el = el.body.first
        else:
            return el
    return None


class Simulation:
    """One run, printed while it goes on."""

    def __init__(
        self,
        machine: Machine,
        options: TextOptions,
        write: Callable[[str], object],
        choose: Callable[[list[Step]], Step | None],
    ) -> None:
        self.machine = machine
        self.session = machine.session()
        self.options = options
        self.write = write
        self.course = Course(self.session, choose)
        self.text = SpinText(self.session, options, write, False, simulates=True)
        self.by_number = {(a.index, el.number): el for a in machine.system.automata for el in a.body.elements}
        self.asks = False  # somebody is asked for every step
        self.failed_at: tuple[int, Element] | None = None  # where an assertion has failed

    def run(self) -> int:
        """The whole run. Returns SPIN's exit status: the number of errors, 1 after a failed assertion."""
        while self.proceed():
            pass
        self.text.final_state(self.places())
        return 1 if self.failed_at is not None else min(self.text.n_errors, 255)

    def places(self) -> dict[int, Element | None]:
        """Where the processes stand; one with a failed assertion stands at it."""
        pids = range(self.session.n_processes)
        at: dict[int, Element | None] = {
            pid: self.by_number[self.session.process(pid).index, self.session.location(pid)] for pid in pids
        }
        if self.failed_at is not None:
            at[self.failed_at[0]] = self.failed_at[1]
        return at

    def proceed(self) -> bool:
        """Takes one step; False when the run is over."""
        if self.options.limit and self.text.depth >= self.options.limit:
            self.write(f"-------------\ndepth-limit (-u{self.options.limit} steps) reached\n")
            return False
        options = self.course.options()
        if self.session.timeout and self.session.n_processes and self.text.depth >= self.options.skip:
            self.text.tag(0, "timeout\n")
        step = self.course.next(options, self.tell_fault)
        if step is None:
            return False
        self.take(step)
        return self.failed_at is None

    def tell_fault(self, step: Step, outcome: Outcome) -> None:
        """A run-time error in a guard."""
        self.text.happened(step.pid, self.session.process(step.pid), step.element, outcome, failed=True)

    # ---- one step

    def take(self, step: Step) -> None:
        automaton = self.session.process(step.pid)
        if step.element.op is Op.END:
            self.end_process(step, automaton)
            return
        if self.machine.transitions[step.transition].escape and self.options.shows(SHOW_STEPS):
            after = step.element.next
            self.write(f"\tEscape taken {after.file}:{after.line}\n" if after is not None else "\tEscape taken \n")
        if step.element.op in _JUMPS and step.element.status & _EXCLUSIVE:
            self.session.take(step)  # on the way out of an atomic sequence: no step in SPIN's eyes
        elif step.element.op is Op.D_STEP and step.partner is None:
            self.take_d_step(step, automaton)
            self.take_jumps(step, automaton)
        else:
            self.take_statement(step, automaton)
            self.take_jumps(step, automaton)

    def end_process(self, step: Step, automaton: Automaton) -> None:
        who = self.text.who(step.pid, automaton)
        self.session.take(step)
        self.text.memory.forget()
        if self.options.shows(SHOW_STEPS):
            self.write(who)
            self.text.tag(step.pid, "terminates\n")

    def take_statement(self, step: Step, automaton: Automaton) -> None:
        self.text.depth += 1
        if self.options.shows(VERBOSE):
            self.text.tell_escapes(step.element)
        shown = self.options.shows(SHOW_STEPS | VERBOSE) and self.text.depth >= self.options.skip
        outcome = self.session.take(step)
        mover, moved = step.pid, automaton
        if step.partner is not None:
            mover, moved = step.partner.pid, self.session.process(step.partner.pid)
            self.line(shown, step.pid, automaton, step.element)
            self.line(shown, mover, moved, step.partner.element)
            self.tell_rendezvous(step, outcome)
        else:
            self.text.happened(step.pid, automaton, step.element, outcome)
            if self.fails(step.pid, step.element, outcome):
                return
            self.line(shown, step.pid, automaton, step.element)
        if shown:
            self.text.dump_after(mover, moved)

    def tell_rendezvous(self, step: Step, outcome: Outcome) -> None:
        """What happened in both halves: the receiver's begins with its receive."""
        assert step.partner is not None
        kinds = [note.kind for note in outcome.notes]
        at = kinds.index(library.NOTE_RECEIVE) if library.NOTE_RECEIVE in kinds else len(kinds)
        halves = ((step, outcome.notes[:at]), (step.partner, outcome.notes[at:]))
        for half, notes in halves:
            told = Outcome(outcome.result, None, notes)
            self.text.happened(half.pid, self.session.process(half.pid), half.element, told)
        if outcome.fault is not None:
            self.text.tell_fault(step.partner.element, outcome.fault, outcome.notes)

    def line(self, shown: bool, pid: int, automaton: Automaton, el: Element) -> None:
        if shown:
            self.text.talk(pid, automaton, el)
            self.write(f"\t{statement_text(el)}\n")

    def fails(self, pid: int, el: Element, outcome: Outcome) -> bool:
        """Has an assertion failed? The run ends then."""
        if outcome.fault is not None and el.op is Op.ASSERT:
            self.failed_at = (pid, el)
        return self.failed_at is not None

    def take_jumps(self, step: Step, automaton: Automaton) -> None:
        """The jumps on the way to the next statement; inside atomic sequences, behind a rendezvous and when
        somebody is asked which process goes on, only the end of a loop is a step."""
        if self.failed_at is not None:
            return
        body, location = automaton.body, self.session.location(step.pid)
        quiet = step.partner is not None or self.is_quiet(step.element)
        el = following(body, step.element)
        for _ in range(500):
            if quiet:
                el = silent_moves(body, el)
            if el is None or el.number == location or el.op not in ((Op.BREAK,) if quiet else _JUMPS):
                return
            if self.options.limit and self.text.depth >= self.options.limit:
                return
            self.text.depth += 1
            if self.options.shows(SHOW_STEPS | VERBOSE) and self.text.depth >= self.options.skip:
                self.line(True, step.pid, automaton, el)
                self.text.dump_after(step.pid, automaton)
            quiet = self.is_quiet(el)
            el = following(body, el)

    def is_quiet(self, el: Element) -> bool:
        """Are jumps behind a statement no steps?"""
        asked = self.asks and self.session.n_processes > 1 and self.text.depth >= self.options.skip
        return asked or bool(el.status & (Status.ATOM | Status.D_ATOM))

    # ---- the inside of a d_step

    def take_d_step(self, step: Step, automaton: Automaton) -> None:
        """SPIN counts its statements; it prints the last of them, and what each one sets."""
        end = step.element.next
        at: Element | None = step.element
        shown = step.element
        while at is not None and (at is step.element or at is not end):
            walk = Walk(self.session, step.pid, automaton)
            was = at
            at = silent_moves(automaton.body, at) if at.op in _JUMPS else walk.advance(at)
            if was.op in _JUMPS or at is None:
                continue
            shown = walk.executed or was
            self.text.depth += 1
            outcome = Outcome(library.MOVED, walk.fault, tuple(walk.notes))
            self.text.happened(step.pid, automaton, shown, outcome)
            if self.fails(step.pid, shown, outcome):
                self.failed_at = (step.pid, was)
                return
            if self.options.shows(SHOW_STEPS | VERBOSE) and self.text.depth >= self.options.skip:
                self.line(at is end or self.options.shows(VERBOSE), step.pid, automaton, shown)
                self.text.dump_after(step.pid, automaton, inside_d_step=bool(at.status & Status.D_ATOM))
        if at is None:
            self.text.error(shown, "stmnt in d_step blocks")
        self.session.arrive(step.pid, step.transition)
