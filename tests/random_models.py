"""Small random Promela models, for tests that compare searches with each other and with SPIN.

`random_model(seed)` is a complete model, always the same for the same seed and valid for SPIN and hsfpy. Its state
space is finite and has fewer than 20,000 states. Models may terminate, loop, deadlock, fail an assertion or run into a
run-time error (an index out of bounds, a d_step that blocks).

They are made of processes that are active from the start, started by init or by each other, with buffered and
rendezvous channels, arrays of channels and channels in variables, atomic, d_step, unless, if, do, else, timeout, goto,
asserts, labels (end, accept, progress), local and global variables of several types, provided clauses.

Every model declares the globals in GLOBALS, so a test can add a property of its own: `random_condition(seed)` is a
condition on them, for an invariant or a formula.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

GLOBALS = ("x", "y", "c", "u", "b", "a[0]", "a[1]")
MAX_STATES = 20_000

_DECLARATIONS = """mtype = { red, green };
byte x, y;		/* set to small values */
byte c;			/* only counted up and down */
unsigned u : 2;		/* counted, wraps around */
bool b;
byte a[2];
"""
# More room would make many models too large.
_CHANNELS = """chan q = [{room}] of {{ byte }};
chan r = [0] of {{ byte }};
chan m = [{room}] of {{ mtype, byte }};
chan two[2] = [1] of {{ byte }};
chan any = q;
"""


def random_model(seed: int) -> str:
    """A model as text."""
    return _Generator(random.Random(f"model {seed}")).model(seed)


def random_condition(seed: int) -> str:
    """A condition on the global variables that every model has."""
    return _Generator(random.Random(f"condition {seed}")).data_condition()


@dataclass
class _Process:
    """What may be used where a statement is written."""

    name: str
    runs: list[str] = field(default_factory=list)  # proctypes it starts, once each
    labels: int = 0
    loop_depth: int = 0
    in_atomic: bool = False
    sends: bool = False  # more than it receives
    budget: int = 5  # statements still to write


@dataclass
class _Generator:
    rng: random.Random
    variables: list[str] = field(default_factory=lambda: list(GLOBALS))  # those this model uses
    channels: list[str] = field(default_factory=list)
    loops: int = 2  # that may still be written
    points: list[str] = field(default_factory=list)  # labels as remote references, of processes made from the start
    process: _Process = field(default_factory=lambda: _Process(""))

    def one(self, *choices: str) -> str:
        return self.rng.choice(choices)

    def chance(self, percent: int) -> bool:
        return self.rng.randrange(100) < percent

    # ---- expressions

    def constant(self) -> str:
        return self.one("0", "1", "1", "2", "2", "3")

    def variable(self) -> str:
        return self.one(*self.variables, *(["l", "i"] if self.process.name else []))

    def value(self) -> str:
        if self.chance(30):
            return self.constant()
        if self.chance(15):
            return f"({self.variable()} + 1) % 3"
        return self.variable()

    def data_condition(self) -> str:
        kind = self.rng.randrange(10)
        if kind < 2:
            return self.one("b", "!b")
        if kind < 3:
            return f"({self.data_condition()} {self.one('&&', '||')} {self.data_condition()})"
        if kind < 4:
            return f"!({self.data_condition()})"
        other = self.constant() if kind < 9 else self.variable()
        return f"({self.variable()} {self.one('==', '!=', '<', '>', '<=', '>=')} {other})"

    def channel(self) -> str:
        """A buffered channel of single bytes."""
        names = self.channels
        if self.chance(12):
            return "any"
        if "two" not in names or ("q" in names and self.chance(50)):
            return "q"
        return self.one("two[0]", "two[1]", "two[i]", "two[l % 2]", f"two[{self.rng.choice(self.variables)} % 2]")

    def channel_condition(self) -> str:
        kind = self.rng.randrange(5)
        if kind == 0:
            return f"{self.one('full', 'empty', 'nfull', 'nempty')}({self.channel()})"
        if kind == 1:
            return f"{self.channel()}?[{self.one(self.constant(), f'eval({self.variable()})')}]"
        if kind == 2 and "m" in self.channels:
            return f"m?[{self.one('red', 'green')}, {self.one(self.constant(), '_', f'eval({self.variable()})')}]"
        return f"(len({self.channel()}) {self.one('==', '<', '>')} {self.rng.randrange(3)})"

    def condition(self) -> str:
        kind = self.rng.randrange(12)
        if kind < 3:
            return self.channel_condition()
        if kind < 4:
            return f"({self.data_condition()} {self.one('&&', '||')} {self.channel_condition()})"
        if kind < 5 and self.points:
            return self.rng.choice(self.points)
        return self.data_condition()

    # ---- single statements

    def target(self) -> str:
        """A variable that takes values; c and u are only counted."""
        return self.one("l", *(name for name in self.variables if name in ("x", "y", "a[0]", "a[1]")))

    def assignment(self) -> str:
        kind = self.rng.randrange(8)
        if kind < 2:
            return f"{self.target()} = {self.constant()}"
        if kind < 3:
            return f"{self.target()} = ({self.variable()} + 1) % 3"
        if kind < 4 and "a[0]" in self.variables:
            return f"a[{self.one('0', '1', 'i', 'l % 2', 'l')}] = {self.constant()}"
        if kind < 5 and "b" in self.variables:
            return "b = !b"
        if kind < 6:
            return self.channel_assignment()
        return f"u{self.one('++', '--')}" if "u" in self.variables else f"{self.target()} = {self.constant()}"

    def channel_assignment(self) -> str:
        return f"any = {'q' if 'q' in self.channels and self.chance(60) else self.one('two[0]', 'two[i]')}"

    def count(self) -> str:
        """c stays between 0 and a few: below 0 it would wrap around and take all values of a byte."""
        return self.one("c < 3 -> c++", "c < 3 -> c++", "atomic { c > 0 -> c-- }")

    def send(self) -> str:
        return f"r!{self.value()}" if self.chance(25) else self.buffered_send()

    def buffered_send(self) -> str:
        if "m" in self.channels and self.chance(40):
            return f"m!{self.one('red', 'green')},{self.value()}"
        return f"{self.channel()}{self.one('!', '!', '!', '!!')}{self.value()}"

    def receive(self) -> str:
        argument = self.one(self.target(), self.target(), "_", self.constant(), f"eval({self.variable()})")
        if self.chance(25):
            return f"r?{argument}"
        if "m" in self.channels and self.chance(40):
            return f"m{self.one('?', '??')}{self.one('red', 'green')},{argument}"
        channel = self.channel()
        if argument in channel:  # SPIN undoes such a receive wrongly
            argument = "_"
        return f"{channel}{self.one('?', '?', '?', '??')}{argument}"

    def copy(self) -> str:
        """A receive that leaves the message where it is."""
        return f"q{self.one('?', '??')} <{self.one(self.target(), self.constant())}>"

    def assertion(self) -> str:
        """Most hold most of the time, so that errors are not all found at once."""
        return f"assert({self.condition()} || {self.condition()})" if self.chance(75) else f"assert({self.condition()})"

    def local_assertion(self) -> str:
        """A d_step may not look into other processes."""
        return f"assert({self.data_condition()} || {self.rng.choice([self.data_condition, self.channel_condition])()})"

    def guard(self) -> str:
        """Something that may have to wait, most often."""
        return self.rng.choice([self.condition, self.condition, self.receive, self.send, self.assignment])()

    # ---- compound statements, as lists of lines

    def statement(self) -> list[str]:
        process = self.process
        process.budget -= 1
        if process.budget < 0:
            return [self.rng.choice([self.assignment, self.assertion, self.send])()]
        kinds: list[tuple[int, Callable[[], list[str]]]] = [
            (24, lambda: [self.assignment()]),
            (16 if "c" in self.variables else 0, lambda: [self.count()]),
            (20 if process.sends else 3, lambda: self.patient(self.send())),
            (3 if process.sends else 16, lambda: self.patient(self.receive())),
            (9, lambda: [self.assertion()]),
            (3, lambda: [self.condition()]),
            (2, lambda: [self.copy()]),
            (7, self.atomic),
            (5, self.d_step),
            (10, self.selection),
            (5, self.unless),
        ]
        if process.loop_depth == 0 and not process.in_atomic and self.loops > 0:
            kinds.append((14, self.loop))
        weights = [weight for weight, _ in kinds]
        return self.rng.choices([make for _, make in kinds], weights)[0]()

    def patient(self, statement: str) -> list[str]:
        """A send or receive, more often than not with a way out when it has to wait."""
        if self.chance(35):
            return [statement]
        out = self.one("timeout", "timeout", "timeout", self.data_condition())
        return ["if", f":: {statement}", *self.option(out, 1, "skip"), "fi"]

    def labelled(self, lines: list[str]) -> list[str]:
        """Not for the first statement of a block, which may have no label."""
        is_loop = lines[0] == "do"
        if not self.chance(60 if is_loop else 8):
            return lines
        self.process.labels += 1
        kind = self.one("end", "end", "progress", "accept") if is_loop else self.one("at", "end", "progress", "accept")
        return [f"{kind}{self.process.labels}:", *lines]

    def sequence(self, most: int) -> list[str]:
        lines = self.statement()
        for _ in range(self.rng.randrange(most)):
            if self.process.budget > 0:
                lines = self.joined(lines, self.labelled(self.statement()))
        return lines

    def joined(self, lines: list[str], more: list[str]) -> list[str]:
        """Two sequences as one. SPIN takes a break to a d_step for a jump into it, so something stands between."""
        after_break = lines[-1] in ("od", "fi", "}")
        between = ["skip;"] if after_break and any("d_step {" in line for line in more[:4]) else []
        return [*lines[:-1], lines[-1] + ";", *between, *more]

    def block(self, head: str, lines: list[str], tail: str = "}") -> list[str]:
        return [head, *("\t" + line for line in lines), tail]

    def atomic(self) -> list[str]:
        outer = self.process.in_atomic
        self.process.in_atomic = True
        lines = self.sequence(3)
        self.process.in_atomic = outer
        return self.block("atomic {", lines)

    def d_step(self) -> list[str]:
        """A guard, then what cannot block: mostly. A d_step that blocks inside is an error too."""
        first = self.rng.choice([self.data_condition, self.assignment, self.receive, self.buffered_send])()
        rest: list[str] = []
        for _ in range(self.rng.randrange(1, 3)):
            rest.append(
                self.rng.choice([self.assignment, self.assignment, self.local_assertion, self.choice_in_d_step])()
            )
        if self.chance(8):
            rest.append(self.data_condition())
        return self.block("d_step {", [line + ";" for line in [first, *rest]])

    def choice_in_d_step(self) -> str:
        return f"if :: {self.data_condition()} -> {self.assignment()} :: else fi"

    def option(self, guard: str, most: int, end: str = "") -> list[str]:
        lines = [f":: {guard} ->"]
        if end and self.chance(60):
            return [f":: {guard} -> {end}"]
        return [*lines, *("\t" + line for line in self.sequence(most))]

    def options(self, end: str = "") -> list[str]:
        """Two or three options; else only beside conditions, where it means something."""
        has_else = self.chance(40)
        lines: list[str] = []
        for number in range(self.rng.randrange(1, 3)):
            guard = self.data_condition() if has_else else self.guard()
            lines += self.option(guard, 2, end if number else "")
        if has_else:
            lines += self.option("else", 1, end or "skip")
        elif end or self.chance(20):
            guard = self.one("timeout", self.condition()) if self.chance(40) else self.guard()
            lines += self.option(guard, 1, end)
        return lines

    def selection(self) -> list[str]:
        return ["if", *self.options(), "fi"]

    def loop(self) -> list[str]:
        self.loops -= 1
        self.process.loop_depth += 1
        lines = self.options(self.one("break", "break", "goto last"))
        self.process.loop_depth -= 1
        return ["do", *lines, "od"]

    def unless(self) -> list[str]:
        if self.process.in_atomic:
            return [self.assignment()]
        main, escape = self.sequence(2), [self.condition() + ";", *self.sequence(1)]
        return [*self.block("{", main, "} unless {"), *("\t" + line for line in escape), "}"]

    # ---- processes and models

    def body(self, process: _Process) -> list[str]:
        self.process = process
        lines = self.sequence(process.budget)
        if process.budget > 2 and self.loops > 0:
            lines = self.joined(lines, self.labelled(self.loop()))
        if process.runs:
            lines = [*(f"run {name}({self.rng.randrange(2)});" for name in process.runs), *lines]
        if self.chance(30) and self.loops > 1 and not process.runs:
            self.loops -= 2
            lines = ["again:\tl = 0;", *lines[:-1], lines[-1] + ";", self.guard() + ";", self.one("goto again", "skip")]
        lines[-1] += ";"
        self.process = _Process("")
        return [*lines, "last:\tl = 0"]

    def proctype(self, number: int, head: str, runs: list[str], budget: int) -> str:
        process = _Process(f"P{number}", runs, sends=self.chance(50), budget=budget)
        provided = f" provided ({self.data_condition()})" if self.chance(6) else ""
        lines = "\n\t".join(["byte l;", *self.body(process)])
        return f"{head}proctype P{number}(bool i){provided}\n{{\n\t{lines}\n}}\n"

    def model(self, seed: int) -> str:
        self.channels = self.rng.choice([["q"], ["two"], ["q", "m"], ["q", "two"], ["two", "m"]])
        n = self.rng.choice([2, 2, 3, 3])
        # More would make too many states.
        self.loops = 5 - n
        self.variables = self.rng.sample(GLOBALS, 5 - n)
        room = self.rng.choice([1, 4 - n])
        starts = [self.one("active", "active", "init", "run") for _ in range(n)]
        if starts[0] == "run":
            starts[0] = "init"
        twice = n == 2 and "run" not in starts and self.chance(30)  # two instances of P0
        parts = [f"/* random model {seed} */", _DECLARATIONS + _CHANNELS.format(room=room)]
        parts += [self.declared(i, starts, twice and i == 0) for i in range(n)]
        if "init" in starts:
            parts.append(self.init([f"P{i}" for i in range(n) if starts[i] == "init"], twice and starts[0] == "init"))
        return "\n".join(parts)

    def declared(self, number: int, starts: list[str], twice: bool) -> str:
        """A proctype. The first one starts those that nobody else starts: so there is a bound on processes."""
        active = starts[number] == "active"
        runs = [f"P{j}" for j in range(1, len(starts)) if starts[j] == "run" and number == 0]
        head = ("active [2] " if twice else "active ") if active else ""
        text = self.proctype(number, head, runs, 18 // (len(starts) + twice))
        if active and not twice:
            self.points.append(f"P{number}@last")
        return text

    def init(self, names: list[str], first_twice: bool) -> str:
        names = names[:1] * first_twice + names
        runs = ";\n\t\t".join(f"run {name}({self.rng.randrange(2)})" for name in names)
        return f"init {{\n\tatomic {{\n\t\t{runs}\n\t}}\n}}\n"
