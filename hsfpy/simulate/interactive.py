"""`spin -i`: a person, or a program in their place, chooses the steps.

The prompts are SPIN's, because graphical clients wait for them. Choices are numbered over all that
stands at the places of the processes; those that cannot be taken keep their numbers and are
listed for clients (-X) and with -v only. The run ends with `q`, or when the input ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TextIO

from hsfpy.elements import GROUPS, Element, Op
from hsfpy.program import T_ATOMIC
from hsfpy.simulate.session import Machine, Step
from hsfpy.simulate.simulation import Simulation
from hsfpy.simulate.spin_text import statement_text
from hsfpy.simulate.text_options import VERBOSE, TextOptions


def entered(el: Element) -> Element:
    """The statement a group begins with."""
    while True:
        first = el.subs[0].first if el.op is Op.UNLESS else el.body.first if el.op in GROUPS and el.body else None
        if first is None:
            return el
        el = first


class Quit(Exception):
    """No further step is wanted."""


@dataclass(slots=True)
class Choice:
    """One numbered possibility."""

    pid: int
    element: Element
    steps: list[Step]  # empty if it cannot be taken; several if a rendezvous has several takers

    @property
    def is_else(self) -> bool:
        return self.element.op is Op.ELSE


class Interactive:
    """Asks for every step of a simulation; before step -j, chance decides."""

    def __init__(
        self,
        machine: Machine,
        options: TextOptions,
        write: Callable[[str], object],
        source: TextIO,
        by_chance: Callable[[list[Step]], Step],
    ) -> None:
        self.machine = machine
        self.options = options
        self.write = write
        self.words = _words(source)
        self.by_chance = by_chance
        self.simulation = Simulation(machine, options, write, self.choose)
        self.simulation.asks = True
        self.last: Step | None = None

    def run(self) -> int:
        """The whole run; returns the exit status."""
        try:
            return self.simulation.run()
        except Quit:
            return 0

    # ---- choosing

    def choose(self, steps: list[Step]) -> Step:
        """One of the steps, as somebody decides."""
        if self.simulation.text.depth < self.options.skip:
            self.last = self.by_chance(steps)
        elif self.is_exclusive(steps):
            self.last = self.by_chance(self.ask_within(self.choices(steps, [steps[0].pid])).steps)
        else:
            pids = list(range(self.simulation.session.n_processes - 1, -1, -1))
            self.last = self.by_chance(self.ask(self.choices(steps, pids)).steps)
        return self.last

    def is_exclusive(self, steps: list[Step]) -> bool:
        """Is there only one process to ask: alone, or inside an atomic sequence?"""
        if self.simulation.session.n_processes == 1:
            return True
        if self.last is None:
            return False
        last = self.last.partner or self.last
        flags = self.machine.program.transitions[last.transition].flags
        return bool(flags & T_ATOMIC) and {step.pid for step in steps} == {last.pid}

    def choices(self, steps: list[Step], pids: list[int]) -> list[Choice]:
        """Everything that stands at the places of these processes."""
        session = self.simulation.session
        out: list[Choice] = []
        for pid in pids:
            numbers = self.machine.options_at(session.process(pid), session.location(pid))
            own = {number: [s for s in steps if (s.pid, s.transition) == (pid, number)] for number in numbers}
            escapes = [number for number in numbers if self.machine.transitions[number].escape]
            away = [step for number in escapes for step in own[number]]
            for number in numbers:
                # An escape is taken in place of the statement it belongs to, and has no number of its own.
                if number not in escapes or len(escapes) == len(numbers):
                    element = self.machine.transitions[number].element
                    out.append(Choice(pid, entered(element), own[number] or away))
        return out

    def is_listed(self, choice: Choice) -> bool:
        return bool(choice.steps) or self.options.gui or self.options.shows(VERBOSE)

    def ask(self, choices: list[Choice]) -> Choice:
        """Which process goes on, and how?"""
        while True:
            self.write("Select a statement\n")
            for number, choice in _else_last(choices):
                if self.is_listed(choice) or choice.is_else:
                    self.write(f"\tchoice {number}: ")
                    self.describe(choice)
            answer = self.answer(choices, "Select [1-{}]: ")
            if answer is None:
                self.write("\tchoice is outside range\n")
            elif answer.steps:
                return answer
            elif sum(choice.pid == answer.pid for choice in choices) > 1:
                self.write("\tunexecutable\n")

    def describe(self, choice: Choice) -> None:
        session = self.simulation.session
        automaton = session.process(choice.pid)
        here = entered(self.simulation.by_number[automaton.index, session.location(choice.pid)])
        self.simulation.text.talk(choice.pid, automaton, here, with_depth=False)
        self.write("" if choice.steps else " unexecutable,")
        escapes = " + Escape" if here is choice.element and here.escapes else ""
        self.write(f" {statement_text(choice.element)[:-1]}{escapes}]\n")

    def ask_within(self, choices: list[Choice]) -> Choice:
        """Which of its options does a process take? It is asked only if there are several."""
        possible = [choice for choice in choices if choice.steps]
        if len(choices) == 1:
            return choices[0]
        while True:
            pid = choices[0].pid
            who = self.simulation.text.who(pid, self.simulation.session.process(pid), with_depth=False)
            self.write(f"Select stmnt ({who})\n")
            for number, choice in enumerate(choices, start=1):
                if choice.is_else:
                    self.write(f"\tchoice {number}: (else)\n" if choice.steps else "")
                elif self.is_listed(choice):
                    note = "" if choice.steps else "unexecutable, "
                    self.write(f"\tchoice {number}: {note}{statement_text(choice.element)[1:-1]}\n")
            if len(possible) == 1:
                return possible[0]
            answer = self.answer(choices, "Select [0-{}]: ")
            if answer is not None and answer.steps:
                return answer
            self.write("\tchoice outside range\n" if answer is None else "\tunexecutable\n")

    # ---- answers

    def answer(self, choices: list[Choice], prompt: str) -> Choice | None:
        """What was answered, possible or not; None if it makes no sense."""
        possible = [number for number, choice in enumerate(choices, start=1) if choice.steps]
        if self.options.gui:
            self.write(f"Make Selection {len(choices)}\n\n")
        else:
            self.write(prompt.format(len(choices)))
            if len(possible) == 1:
                self.write(f"{possible[0]}\n")
                return choices[possible[0] - 1]
        word = next(self.words, "q")
        if word.startswith("q"):
            raise Quit
        number = int(word) if word.isdigit() else 0
        return choices[number - 1] if 1 <= number <= len(choices) else None


def _else_last(choices: list[Choice]) -> list[tuple[int, Choice]]:
    """Numbered choices, process by process, each with its `else` at the end."""
    order = {pid: place for place, pid in enumerate(dict.fromkeys(choice.pid for choice in choices))}
    return sorted(enumerate(choices, start=1), key=lambda item: (order[item[1].pid], item[1].is_else))


def _words(source: TextIO) -> Iterator[str]:
    """The words of an input, read when they are asked for."""
    for line in source:
        yield from line.split()
