"""Makes a Run: from a trail that is replayed, or from a random walk."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from hsfpy.automaton import Location
from hsfpy.diagnostics import Loc
from hsfpy.elements import Element, Op
from hsfpy.frontend import source_texts
from hsfpy.simulate import library
from hsfpy.simulate.course import Chance, Course, choose_at_random
from hsfpy.simulate.library import CLAIM_PID
from hsfpy.simulate.replay import CycleStart, Event, Replay
from hsfpy.simulate.session import Machine, Message, Note, Outcome, Session, State, Step
from hsfpy.simulate.trail_file import TrailError, TrailFile
from hsfpy.text import element_text
from hsfpy.trail.run import (
    CLAIM_END,
    CYCLE,
    DEADLOCK,
    DONE,
    FAULT,
    OPEN,
    RECEIVE,
    SEND,
    Actor,
    Ending,
    Place,
    Run,
    RunStep,
    Standing,
    Transfer,
    differences,
)

_EMBEDDED = re.compile(r"\{c_code(\d+)\}")


def replay_run(machine: Machine, trail: TrailFile, knows_claims: bool = False, error: str | None = None) -> Run:
    """The run a trail describes. If it does not fit the model, the part that does, with `problem` set. `error` is
    what the verifier said about it, if that is known; not every error can be seen in the run itself."""
    replay = Replay(machine, trail, knows_claims)
    recorder = _Recorder(replay.session, replay.skips_claim)
    problem: str | None = None
    try:
        for event in replay.events():
            if isinstance(event, CycleStart):
                recorder.begin_cycle()
            elif isinstance(event, Event):
                recorder.add_event(event)
    except TrailError as misfit:
        problem = str(misfit)
    recorder.finish_offer()
    return recorder.run(trail.path, problem, error)


def random_run(machine: Machine, seed: int, limit: int) -> Run:
    """A random walk of at most `limit` steps, up to the first error: the one that `hsfpy -n SEED` takes."""
    session = machine.session()
    recorder = _Recorder(session)
    course = Course(session, choose_at_random(Chance(seed)))

    def tell_fault(step: Step, outcome: Outcome) -> None:
        recorder.add_step(len(recorder.steps) + 1, step, outcome)

    while len(recorder.steps) < limit and not (recorder.steps and recorder.steps[-1].fault):
        seen = len(recorder.steps)
        step = course.next(course.options(), tell_fault)
        if len(recorder.steps) > seen:
            break  # a guard was a run-time error
        if step is None:
            break
        recorder.add_step(seen + 1, step, session.take(step))
    return recorder.run(None, None, None)


@dataclass(slots=True)
class _Half:
    """The first half of a rendezvous, waiting for the second."""

    event: Event
    notes: list[tuple[int, Note]]
    printed: str


class _Recorder:
    """Turns what a session does into steps."""

    def __init__(self, session: Session, lacks_claim: bool = False) -> None:
        self.session = session
        self.lacks_claim = lacks_claim  # the trail's claim is not known here
        self.machine = session.machine
        self.initial = session.state()
        self.state = self.initial
        self.steps: list[RunStep] = []
        self.cycle_start: int | None = None
        self.half: _Half | None = None
        self.mail = _Mail()

    # ---- steps

    def begin_cycle(self) -> None:
        self.finish_offer()
        self.cycle_start = len(self.steps)

    def add_event(self, event: Event) -> None:
        """A statement of a replay; the halves of a rendezvous become one step."""
        notes = [(event.pid, note) for note in event.outcome.notes]
        if self.session.offer() and self.half is None:
            self.half = _Half(event, notes, event.outcome.printed)
            return
        half, self.half = self.half, None
        if half is None:
            actor, partner, printed = self._actor_of(event), None, event.outcome.printed
        else:
            actor, partner = self._actor_of(half.event), self._actor_of(event)
            notes, printed = half.notes + notes, half.printed + event.outcome.printed
        self._add(event.depth, actor, partner, notes, printed, _fault(event), event.in_d_step)

    def finish_offer(self) -> None:
        """A rendezvous whose second half never came is shown by its first."""
        half, self.half = self.half, None
        if half is not None:
            event = half.event
            self._add(event.depth, self._actor_of(event), None, half.notes, half.printed, _fault(event), False)

    def add_step(self, depth: int, step: Step, outcome: Outcome) -> None:
        """A step of a session."""
        actor, partner = self._actor(step.pid, step.process, step.element), None
        if step.partner is not None:
            partner = self._actor(step.partner.pid, step.partner.process, step.partner.element)
        notes = [
            (partner.pid if partner is not None and note.kind == library.NOTE_RECEIVE else actor.pid, note)
            for note in outcome.notes
        ]
        self._add(depth, actor, partner, notes, outcome.printed, outcome.fault, False)

    def _add(
        self,
        depth: int,
        actor: Actor,
        partner: Actor | None,
        notes: list[tuple[int, Note]],
        printed: str,
        fault: str | None,
        in_d_step: bool,
    ) -> None:
        before, after = self.state, self.session.state()
        number = len(self.steps) + 1
        step = RunStep(
            number, depth, actor, partner, after, differences(before, after),
            self._transfers(number, notes, before, after),
            printed,
            tuple(note.subject for _, note in notes if note.kind == library.NOTE_RUN),
            len(after.processes) < len(before.processes),
            fault,
            self.cycle_start is not None,
            in_d_step,
        )  # fmt: skip
        self.steps.append(step)
        self.state = after
        self._tell_senders(step)

    def _tell_senders(self, step: RunStep) -> None:
        """Writes the receiver's step to the send of each message received in `step`."""
        for transfer in step.transfers:
            if transfer.kind == RECEIVE and transfer.peer is not None:
                sender = self.steps[transfer.peer - 1]
                self.steps[transfer.peer - 1] = replace(
                    sender, transfers=tuple(_with_peer(t, transfer, step) for t in sender.transfers)
                )

    # ---- what a step consists of

    def _actor_of(self, event: Event) -> Actor:
        return self._actor(event.pid, event.automaton.process.name, event.statement)

    def _actor(self, pid: int, process: str, el: Element) -> Actor:
        return Actor(pid, process, self.text(el), place_of(el))

    def text(self, el: Element) -> str:
        """A statement, embedded C in full, in one line."""
        texts = self.machine.program.embedded.texts
        text = _EMBEDDED.sub(lambda found: _code(texts.get(int(found[1]), found[0])), element_text(el))
        return " ".join(text.split()) if "\n" in text else text

    def _transfers(
        self, number: int, notes: list[tuple[int, Note]], before: State, after: State
    ) -> tuple[Transfer, ...]:
        names = {c.number: c.name for state in (before, after) for c in state.channels.values()}
        out: list[Transfer] = []
        for pid, note in notes:
            if note.kind not in (library.NOTE_SEND, library.NOTE_RECEIVE):
                continue
            message = self.session.message(note.subject, note.values)
            channel = names.get(note.subject, f"#{note.subject}")
            if note.kind == library.NOTE_SEND:
                self.mail.sent(note.subject, message, number, pid)
                out.append(Transfer(SEND, pid, channel, message))
            else:
                origin, origin_pid = self.mail.received(note.subject, message)
                out.append(Transfer(RECEIVE, pid, channel, message, origin, origin_pid))
        copied = self.mail.settle({c.number: list(c.messages) for c in after.channels.values()})
        return tuple(self._finished(t, number, copied, out) for t in out)

    def _finished(self, t: Transfer, number: int, copied: set[int], others: list[Transfer]) -> Transfer:
        if t.kind == RECEIVE:
            return replace(t, copied=t.peer is not None and t.peer in copied)
        for other in others:  # a rendezvous, or a message that its own d_step takes
            if other.kind == RECEIVE and other.peer == number and other.message == t.message:
                return replace(t, peer=number, peer_pid=other.pid)
        return t

    # ---- the whole

    def run(self, path: str | None, problem: str | None, error: str | None) -> Run:
        claim = self.session.claim.process.name if self.session.claim is not None else None
        files = {place.file for step in self.steps for place in _places(step)}
        return Run(
            self.machine.model.file,
            self.initial,
            tuple(self.steps),
            self._ending(path, problem, error),
            self.cycle_start,
            claim,
            _sources(self.machine, files),
            self._places(),
            path,
            problem,
        )

    def _places(self) -> dict[tuple[str, int], Place]:
        """Where the statements of each location stand."""
        return {
            (automaton.process.name, location.number): _place_of_location(location)
            for automaton in self.machine.system.automata
            for location in automaton.locations
        }

    def _ending(self, path: str | None, problem: str | None, error: str | None) -> Ending:
        kind, text = self._how(problem)
        if kind == OPEN and problem is None and path is not None:
            text = "the trail ends here" + (
                "; the claim it was made with does not move along" if self.lacks_claim else ""
            )
        text = error if error is not None and problem is None else text
        standings = tuple(self._standing(pid) for pid in range(self.session.n_processes))
        return Ending(kind, text, standings)

    def _how(self, problem: str | None) -> tuple[str, str]:
        fault = next((step.fault for step in self.steps if step.fault and step.depth == self.steps[-1].depth), None)
        if problem is not None:
            return OPEN, "the rest of the trail does not fit the model"
        if fault is not None:
            return FAULT, fault
        if self.cycle_start is not None:
            return CYCLE, "cycle"
        claim = self.session.claim
        if claim is not None and claim.locations[self.session.location(CLAIM_PID)].end:
            return CLAIM_END, "end state in claim reached"
        if self.session.steps():
            return OPEN, "the run can go on"
        return (DONE, "valid end state") if self.session.is_valid_end() else (DEADLOCK, "invalid end state")

    def _standing(self, pid: int) -> Standing:
        automaton = self.session.process(pid)
        location = automaton.locations[self.session.location(pid)]
        elements = [t.element for t in location.transitions if t.element.op is not Op.END]
        texts = tuple(dict.fromkeys(self.text(el) for el in elements))
        return Standing(pid, automaton.process.name, _place_of_location(location), texts, location.end)


def _code(literal: str) -> str:
    """Embedded C out of the string literal that the verifier has."""
    text = re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), literal.strip('"'))
    return f"{{ {text.strip()} }}"


def _fault(event: Event) -> str | None:
    blocked = "block in d_step seq" if event.in_d_step and event.failed else None
    return event.outcome.fault or blocked


def _place_of_location(location: Location) -> Place:
    elements = [t.element for t in location.transitions]
    return place_of(elements[0]) if elements else Place(location.file, location.line)


def _with_peer(sent: Transfer, received: Transfer, step: RunStep) -> Transfer:
    is_it = sent.kind == SEND and sent.channel == received.channel and sent.message == received.message
    return replace(sent, peer=step.number, peer_pid=received.pid) if is_it and sent.peer is None else sent


def place_of(el: Element) -> Place:
    """Where an element stands in its file, in lines as an editor counts them."""
    if el.stmt is None:
        return Place(el.file, el.line)
    span = el.stmt.span
    loc: Loc = span.loc
    return Place(loc.file, loc.shown_line, loc.column, loc.shown_line + max(0, span.last - loc.line))


def _places(step: RunStep) -> list[Place]:
    return [step.actor.place] + ([step.partner.place] if step.partner is not None else [])


def _sources(machine: Machine, files: set[str]) -> dict[str, list[str]]:
    """The lines of the files; of texts that are no files, too."""
    texts = source_texts(machine.model)
    out: dict[str, list[str]] = {}
    for name in sorted(files | {machine.model.file}):
        try:
            if name not in texts:
                with open(name, encoding="utf-8", errors="replace") as file:
                    out[name] = file.read().splitlines()
            else:
                out[name] = texts[name].splitlines()
        except OSError:
            pass  # a name out of a line mark: there need not be such a file
    return out


class _Mail:
    """Which step sent each message that is now in a channel.

    A receive takes the first message that fits, so among equal messages it takes the oldest. What a step left
    in a channel is compared with the channel itself afterwards: messages that were only copied come back.
    """

    def __init__(self) -> None:
        self.waiting: dict[int, list[tuple[Message, int, int]]] = {}
        self.taken: list[tuple[int, tuple[Message, int, int]]] = []

    def sent(self, channel: int, message: Message, step: int, pid: int) -> None:
        self.waiting.setdefault(channel, []).append((message, step, pid))

    def received(self, channel: int, message: Message) -> tuple[int | None, int | None]:
        """The step and the process that sent it."""
        letters = self.waiting.get(channel, [])
        for i, letter in enumerate(letters):
            if letter[0] == message:
                self.taken.append((channel, letters.pop(i)))
                return letter[1], letter[2]
        return None, None

    def settle(self, channels: dict[int, list[Message]]) -> set[int]:
        """Brings the letters in line with the channels; returns the steps whose messages were only copied."""
        copied: set[int] = set()
        for number, messages in channels.items():
            letters = self.waiting.get(number, [])
            if len(letters) < len(messages):
                back = [letter for channel, letter in self.taken if channel == number]
                copied |= {letter[1] for letter in back}
                letters = sorted(letters + back, key=lambda letter: letter[1])
            self.waiting[number] = _in_order(letters, messages)
        self.taken.clear()
        return copied


def _in_order(letters: list[tuple[Message, int, int]], messages: list[Message]) -> list[tuple[Message, int, int]]:
    """The letters for the messages of a channel; those that were lost have none."""
    left = list(letters)
    out: list[tuple[Message, int, int]] = []
    for message in messages:
        found = next((letter for letter in left if letter[0] == message), None)
        if found is not None:
            left.remove(found)
            out.append(found)
    return out


__all__ = ["place_of", "random_run", "replay_run"]
