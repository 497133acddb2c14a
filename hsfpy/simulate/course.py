"""Which steps a run takes: chosen by chance, or by a person, out of those that are possible.

Simulations on the command line and those of the Python interface go the same way for the same seed.
"""

from __future__ import annotations

import select
from collections.abc import Callable

from hsfpy.cstmt import reads_stdin
from hsfpy.simulate.session import Outcome, Session, Step


class Chance:
    """Random numbers that are the same for a seed everywhere (Park and Miller's minimal standard)."""

    def __init__(self, seed: int) -> None:
        self.state = seed % 2147483647 or 1

    def below(self, bound: int) -> int:
        self.state = self.state * 16807 % 2147483647
        return self.state % bound


def choose_at_random(chance: Chance) -> Callable[[list[Step]], Step]:
    """Chooses a process first, then one of its steps: many options do not make a process more likely."""

    def choose(steps: list[Step]) -> Step:
        pids = list(dict.fromkeys(step.pid for step in steps))
        pid = pids[chance.below(len(pids))]
        own = [step for step in steps if step.pid == pid]
        return own[chance.below(len(own))]

    return choose


class Course:
    """The way of one run: asks for the steps, waits for input, leaves out what cannot be taken."""

    def __init__(self, session: Session, choose: Callable[[list[Step]], Step | None]) -> None:
        self.session = session
        self.choose = choose  # None: the run ends here
        self.faults_told: set[tuple[int, int]] = set()
        automata = session.machine.system.automata
        self.reads_stdin = any(reads_stdin(el.stmt) for a in automata for el in a.body.elements)

    def options(self) -> list[Step]:
        """The steps at this point. If there are none for want of input, waits until there is some."""
        steps = self.session.steps()
        while not steps and self.reads_stdin and not self.session.lib.session_stdin_ended():
            _wait_for_input()
            steps = self.session.steps()
        return steps

    def next(self, options: list[Step], tell_fault: Callable[[Step, Outcome], object]) -> Step | None:
        """The step to take. One whose guard is a run-time error cannot be taken; it is told once."""
        for step in options:
            if step.faulty and (step.pid, step.transition) not in self.faults_told:
                self.faults_told.add((step.pid, step.transition))
                tell_fault(step, self.session.take(step))  # raises the fault again and changes nothing
        possible = [step for step in options if not step.faulty]
        return self.choose(possible) if possible else None


def _wait_for_input() -> None:
    """Waits until standard input has something, or has ended."""
    select.select([0], [], [])
