"""Following a trail: from the lines of a trail file to the statements that were executed.

A line names one statement. In a merged trail it stands for the chain that begins with it (`merge`),
and a d_step is one line for all that happens inside. SPIN shows each statement of either, so this
module takes them one by one. Every statement is executed by the generated C.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hsfpy.automaton import Automaton
from hsfpy.elements import GROUPS, Body, Element, Op
from hsfpy.lower import hunt
from hsfpy.simulate import library
from hsfpy.simulate.library import CLAIM_PID
from hsfpy.simulate.session import Machine, Note, Outcome, Session
from hsfpy.simulate.trail_file import TrailError, TrailFile, TrailStep
from hsfpy.text import element_text


@dataclass(slots=True)
class Event:
    """One executed statement; the session stands behind it while the event is looked at."""

    depth: int  # SPIN's step number
    pid: int  # CLAIM_PID for the claim
    automaton: Automaton
    element: Element
    outcome: Outcome
    first: bool = True  # of its line in the trail
    in_d_step: bool = False
    chain_end: int = 0  # state number behind the merged statements it belongs to
    failed: bool = False  # it could not be executed
    last: bool = True  # of its line in the trail
    executed: Element | None = None  # the statement itself, where `element` is a group or selection around it

    @property
    def statement(self) -> Element:
        """The statement that was executed."""
        return self.executed or self.element

    @property
    def ends_process(self) -> bool:
        return self.element.op is Op.END

    @property
    def shown(self) -> Element:
        """The statement whose text is shown: of a d_step, its first one."""
        if self.element.op is Op.D_STEP:
            assert self.element.body is not None and self.element.body.first is not None
            return self.element.body.first
        return self.element


_JUMPS = (Op.GOTO, Op.DOT, Op.BREAK)
_NOTHING = Outcome(library.MOVED, None, ())
_BESIDES = "event_trace"  # faults of this kind do not keep their step from happening


class CycleStart:
    """From here on the trail can be repeated for ever."""


@dataclass(slots=True)
class LimitReached:
    """The rest of the trail was not wanted."""

    depth: int


def silent_hunt(body: Body, el: Element | None, stop: int = -1) -> Element | None:
    """Where control arrives when it is at `el`: jumps are followed, up to state number `stop`."""
    for _ in range(500):
        if el is None or el.number == stop:
            return el
        if el.op is Op.GOTO:
            el = body.target(el)
        elif el.op in (Op.DOT, Op.BREAK) and el.next is not None:
            el = el.next
        elif el.op is Op.UNLESS:
            el = el.subs[0].first
        else:
            return el
    return el


def following(body: Body, el: Element) -> Element | None:
    """The element behind a simple statement."""
    return hunt(body, body.target(el), el.status) if el.op is Op.GOTO else el.next


class Replay:
    """A trail on its way through a machine."""

    def __init__(self, machine: Machine, trail: TrailFile, knows_claims: bool = False) -> None:
        """`knows_claims`: those made of formulas are the ones the trail was made with."""
        self.machine = machine
        self.trail = trail
        self.knows_claims = knows_claims
        self.claim = self._claim()
        self.session: Session = machine.session(self.claim.index if self.claim is not None else None)
        self.merges = machine.system.merges if trail.merged else {}
        self.statements = {el.id: (a, el) for a in machine.system.automata for el in a.body.elements}
        self.by_number = {(a.index, el.number): el for a in machine.system.automata for el in a.body.elements}
        pids = [CLAIM_PID] if self.claim is not None else []
        self.at: dict[int, Element | None] = {}  # where each process stands, as SPIN shows it
        self.last_fault: str | None = None
        for pid in pids + list(range(self.session.n_processes)):
            self._appear(pid)

    def _claim(self) -> Automaton | None:
        """The claim the trail was made with, if this model has it as it was. A claim made of a formula
        is another one in every tool, so its moves can be followed only if it is known to be the same."""
        for claim in self.machine.system.claims():
            is_translated = self.machine.program.processes[claim.index].translated
            if claim.index == self.trail.claim and (self.knows_claims or not is_translated):
                return claim
        return None

    @property
    def skips_claim(self) -> bool:
        """Was a claim used that is not known here?"""
        return self.trail.claim is not None and self.claim is None

    def _appear(self, pid: int) -> None:
        automaton = self.session.process(pid)
        self.at[pid] = self.by_number[automaton.index, self.session.location(pid)]

    # ---- lines

    def events(self, limit: int = 0) -> Iterator[Event | CycleStart | LimitReached]:
        """What happens, statement by statement, up to step number `limit` if that is not 0. Raises
        TrailError where the trail does not fit the model."""
        for i, step in enumerate(self.trail.steps):
            if i == self.trail.cycle_at:
                yield CycleStart()
            if limit and step.depth >= limit:
                yield LimitReached(step.depth)
                return
            if not (self.skips_claim and step.pid == 0):
                yield from self._line_or_rest(step, is_last=i + 1 == len(self.trail.steps))
        if self.trail.cycle_at == len(self.trail.steps):
            yield CycleStart()

    def _line_or_rest(self, step: TrailStep, is_last: bool) -> Iterator[Event]:
        """A line; the last one is passed over if it is no step of the run but one SPIN left behind."""
        is_over = is_last and self._is_over()
        try:
            for event in self._line(step, is_last):
                self.last_fault = event.outcome.fault
                yield event
        except TrailError:
            if not is_over:
                raise

    def _line(self, step: TrailStep, is_last: bool) -> Iterator[Event]:
        pid = CLAIM_PID if self.claim is not None and step.pid == 0 else step.pid - self.trail.shift
        automaton, el = self._statement(step, pid)
        if el.op is Op.END and pid + 1 != self.session.n_processes and step.pid <= 1:
            return  # SPIN's searches may let a process end that has to wait for others
        transition = self._transition(step, pid, automaton, el)
        if el.op is Op.D_STEP:
            yield from self._d_step(step, pid, automaton, el, transition)
        else:
            yield from self._chain(step, pid, automaton, el, transition, is_last)

    def _chain(
        self, step: TrailStep, pid: int, automaton: Automaton, el: Element, transition: int, is_last: bool
    ) -> Iterator[Event]:
        """A statement and those that are merged with it."""
        first = True
        while True:
            end = self.merges.get(el.id, 0)
            outcome, failed = self._move(step, pid, automaton, el, transition, tolerant=is_last and first)
            if el.op is Op.END and not failed:
                del self.at[pid]
            else:
                after = el if failed else silent_hunt(automaton.body, following(automaton.body, el), end or -1)
                self.at[pid] = after
            stops = failed or el.op is Op.END or (outcome.fault is not None and el.op is not Op.ASSERT)
            reached = self.at[pid] if end and not stops else None
            goes_on = reached is not None and reached.number != end
            yield Event(step.depth, pid, automaton, el, outcome, first, False, end, failed, last=not goes_on)
            if reached is not None:
                self._settle(pid, automaton, reached.number)
            if reached is None or not goes_on:
                return
            el, first = reached, False
            transition = self._transition(step, pid, automaton, el)

    def _move(
        self, step: TrailStep, pid: int, automaton: Automaton, el: Element, transition: int, tolerant: bool
    ) -> tuple[Outcome, bool]:
        """Executes a statement; tells also whether it failed. One that raises a run-time error leaves the
        state as it was: what an assignment to `a[7]` does to other elements is nobody's business."""
        if transition < 0:
            return _NOTHING, False
        before = self.session.save()
        outcome = self.session.move(pid, transition)
        if outcome.fault is not None and el.op is not Op.ASSERT:
            moved = self.session.location(pid) == self.machine.transitions[transition].to
            if not outcome.fault.startswith(_BESIDES):
                self.session.load(before)
            return outcome, not moved or outcome.fault.startswith("too many processes")
        if outcome.result != library.MOVED and not (tolerant and self._is_over()):
            raise self._misfit(step, f"{self._who(pid, automaton)} cannot execute {_shown(el)} now")
        self._notice(outcome.notes)
        return outcome, outcome.result != library.MOVED

    def _is_over(self) -> bool:
        """Can the run have ended here? SPIN writes one line too many when an error lies behind a step:
        a deadlock found breadth first, the end of a claim, an event that does not fit a trace."""
        if self.session.offer():
            return False
        if self.last_fault is not None and self.last_fault.startswith(_BESIDES):
            return True
        if self.claim is not None and self.claim.locations[self.session.location(CLAIM_PID)].end:
            return True
        return not self.session.steps()

    def _settle(self, pid: int, automaton: Automaton, number: int) -> None:
        """Takes the jumps that SPIN's merging leaves out, until the process stands at a state number."""
        for _ in range(500):
            at = self.session.location(pid)
            options = self.machine.options_at(automaton, at)
            if at == number or len(options) != 1:
                return
            if self.machine.transitions[options[0]].element.op not in _JUMPS:
                return
            self.session.move(pid, options[0])

    def _notice(self, notes: tuple[Note, ...]) -> None:
        for note in notes:
            if note.kind == library.NOTE_RUN and note.subject < self.session.n_processes:
                self._appear(note.subject)

    # ---- what a line speaks of

    def _statement(self, step: TrailStep, pid: int) -> tuple[Automaton, Element]:
        found = self.statements.get(step.statement)
        if found is None:
            raise self._misfit(step, f"the model has no statement number {step.statement}")
        automaton, el = found
        if not (pid == CLAIM_PID or 0 <= pid < self.session.n_processes):
            raise self._misfit(step, f"there is no process {pid} (it should take {_shown(el)})")
        at = self.session.process(pid)
        if at is not automaton:
            raise self._misfit(
                step, f"{self._who(pid, at)} should take {_shown(el)}, which belongs to {automaton.process.name}"
            )
        return automaton, el

    def _transition(self, step: TrailStep, pid: int, automaton: Automaton, el: Element) -> int:
        for number in self.machine.options_at(automaton, self.session.location(pid)):
            if self.machine.transitions[number].element.id == el.id:
                return number
        if el is self.at[pid] and el.op in _JUMPS:
            return -1  # the model has passed it already
        raise self._misfit(step, f"{self._who(pid, automaton)} cannot take {_shown(el)} from there")

    def _who(self, pid: int, automaton: Automaton) -> str:
        location = automaton.locations[self.session.location(pid)]
        who = "the claim" if pid == CLAIM_PID else f"process {pid}"
        return f"{who} ({automaton.process.name}), at {location.file or self.machine.model.file}:{location.line},"

    def _misfit(self, step: TrailStep, why: str) -> TrailError:
        return TrailError(
            f"the trail does not fit the model at step {step.depth} (line {step.line} of {self.trail.path}): {why}"
        )

    # ---- the inside of a d_step

    def _d_step(self, step: TrailStep, pid: int, automaton: Automaton, el: Element, transition: int) -> Iterator[Event]:
        at: Element | None = el
        first = True
        while at is not None and (first or at is not el.next):
            walk = Walk(self.session, pid, automaton)
            after = walk.advance(at)
            outcome = Outcome(library.MOVED if after is not None else library.BLOCKED, walk.fault, tuple(walk.notes))
            self._notice(outcome.notes)
            if after is None and first:
                raise self._misfit(step, f"{self._who(pid, automaton)} cannot execute {_shown(el)} now")
            if after is None or after is el.next:
                self.session.arrive(pid, transition)
            self.at[pid] = silent_hunt(automaton.body, after)
            last = after is None or after is el.next
            event = Event(step.depth, pid, automaton, at, outcome, first, True, 0, after is None, last)
            event.executed = walk.executed
            yield event
            at, first = after, False


class Walk:
    """One move inside a d_step: the first statement that control meets, choices resolved in order."""

    def __init__(self, session: Session, pid: int, automaton: Automaton) -> None:
        self.session = session
        self.pid = pid
        self.automaton = automaton
        self.notes: list[Note] = []
        self.fault: str | None = None
        self.executed: Element | None = None

    def advance(self, el: Element) -> Element | None:
        """Executes from `el`; returns the element behind, None if it is blocked."""
        if el.op is Op.GOTO:
            return following(self.automaton.body, el)
        if el.op is Op.UNLESS:
            assert el.subs[0].first is not None
            return self.advance(el.subs[0].first)
        if el.subs:
            return self._select(el)
        if el.op in GROUPS:
            assert el.body is not None and el.body.first is not None
            return self.advance(el.body.first)
        if el.op in (Op.DOT, Op.BREAK, Op.ELSE):
            return el.next
        return self._execute(el)

    def _select(self, el: Element) -> Element | None:
        otherwise: Element | None = None
        for option in el.subs:
            guard = option.first
            assert guard is not None
            inner = guard.body.first if guard.op in (Op.ATOMIC, Op.D_STEP) and guard.body is not None else guard
            assert inner is not None
            if inner.op is Op.ELSE:
                otherwise = inner
            elif (after := self.advance(guard)) is not None:
                return after
        if otherwise is None:
            return None
        self.executed = otherwise
        return otherwise.next

    def _execute(self, el: Element) -> Element | None:
        possible = self.session.can(self.pid, self.automaton, el)
        self._keep()
        if not possible:
            return None
        self.executed = el
        self.session.do(self.pid, self.automaton, el)
        self._keep()
        return el.next

    def _keep(self) -> None:
        outcome = self.session.outcome(library.MOVED)
        self.notes += outcome.notes
        self.fault = self.fault or outcome.fault


def _shown(el: Element) -> str:
    return f"`{element_text(el)}` ({el.file}:{el.line})"


__all__ = ["CycleStart", "Event", "LimitReached", "Replay", "Walk", "following", "silent_hunt"]
