"""Small random models in which processes have much to themselves: what partial order reduction lives on.

Two or three processes form a ring or a chain of channels, each with local variables, a global nobody else uses (or
hardly), and a shared one. Most channels have one process at each end, known by name or passed as parameters and
declared with xr and xs. Atomic sequences, d_steps, escapes, else beside channel operations and processes that come
and go are where reduction can go wrong.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

ATOMS = ("g == 1", "g == 2", "p0 == 1", "p1 == 2", "len(c0) > 0", "len(c1) == 0", "p0 == p1")


def random_model(seed: int, n_formulas: int = 0) -> str:
    """A model as text, with ltl blocks f0, f1, ... if asked for."""
    return _Generator(random.Random(f"private {seed}")).model(n_formulas)


@dataclass
class _Generator:
    rng: random.Random
    n: int = 2
    declares: bool = False  # channels are parameters, with xr and xs
    spies: bool = False  # sometimes a process meddles with what others have to themselves
    number: int = 0  # of the process being written
    has_child: bool = False
    labels: int = 0
    budget: int = 0
    atomic: bool = False
    loops: bool = False
    parts: list[str] = field(default_factory=list)

    def one(self, *choices: str) -> str:
        return self.rng.choice(choices)

    def chance(self, percent: int) -> bool:
        return self.rng.randrange(100) < percent

    # ---- names

    def private(self) -> str:
        number = self.rng.randrange(self.n) if self.spies and self.chance(15) else self.number
        return f"p{number}"

    def inp(self) -> str:
        if self.declares:
            return "inp"
        return f"c{self.rng.randrange(self.n) if self.spies and self.chance(15) else self.number}"

    def out(self) -> str:
        if self.declares:
            return "out"
        return f"c{self.rng.randrange(self.n) if self.spies and self.chance(15) else (self.number + 1) % self.n}"

    def own(self) -> str:
        return self.one("l", "k", self.private())

    def value(self) -> str:
        return self.one("0", "1", "2", self.own(), f"({self.own()} + 1) % 3")

    def condition(self) -> str:
        return f"({self.one(self.own(), self.own(), 'g')} {self.one('==', '!=', '<')} {self.one('0', '1', '2')})"

    # ---- statements

    def assignment(self) -> str:
        target = "g" if self.chance(25) else self.own()
        return f"{target} = {self.value() if self.chance(70) else '(g + 1) % 3'}"

    def send(self) -> str:
        return f"{self.out()}!{self.value()}"

    def receive(self) -> str:
        return f"{self.inp()}?{self.one('l', 'k', self.private(), 'g', '1', '_')}"

    def test(self) -> str:
        kind = self.rng.randrange(6)
        if kind == 0:
            return f"nempty({self.inp()})"
        if kind == 1:
            return f"nfull({self.out()})"
        if kind == 2 and not self.declares:
            return f"{self.one('empty', 'full')}({self.one(self.inp(), self.out())})"
        if kind == 3 and not self.declares:
            return f"(len({self.one(self.inp(), self.out())}) == {self.one('0', '1')})"
        if kind == 4 and not self.declares:
            return f"({self.condition()} && nempty({self.inp()}))"
        return self.condition()

    def simple(self) -> str:
        kind = self.rng.randrange(20)
        if kind < 8:
            return self.assignment()
        if kind < 11:
            return self.send()
        if kind < 14:
            return self.receive()
        if kind < 15:
            return self.test()
        if kind < 16 and self.has_child and not self.loops:  # there is a limit on processes, which reduction ignores
            return "run Child(l)"
        if kind < 18:
            return f"assert({self.condition()} || {self.condition()} || {self.condition()})"
        return self.assignment()

    def statement(self) -> str:
        self.budget -= 1
        kind = self.rng.randrange(20)
        if self.budget < 0 or kind < 11:
            return self.simple()
        if kind < 14 and not self.atomic:
            return self.sequence_of("atomic")
        if kind < 15:
            return self.d_step()
        if kind < 16 and not self.atomic:
            escape = f"{self.one(self.test(), self.receive(), self.condition())}; {self.simple()}"
            return f"{{ {self.simple()}; {self.statement()} }} unless {{ {escape} }}"
        return self.selection()

    def sequence_of(self, kind: str) -> str:
        self.atomic = True
        body = "; ".join(self.statement() for _ in range(self.rng.randrange(2, 5)))
        self.atomic = False
        return f"{kind} {{ {body} }}"

    def d_step(self) -> str:
        guard = self.one(self.condition(), self.assignment())
        return f"d_step {{ {guard}; {self.assignment()}; {self.assignment()} }}"

    def selection(self) -> str:
        first = self.one(self.condition(), self.receive(), self.send(), self.test())
        options = [f":: {first} -> {self.statement()}"]
        if self.chance(50):
            options.append(f":: {self.one(self.condition(), self.receive())} -> {self.simple()}")
        if self.chance(40):
            plain = self.declares and any(mark in "".join(options) for mark in ("?", "!", "nempty", "nfull"))
            options.append(f":: {'timeout' if plain else 'else'} -> {self.simple()}")
        return f"if {' '.join(options)} fi"

    # ---- processes

    def process(self, number: int) -> str:
        self.number, self.budget = number, 5
        lines = ["byte l, k;"]
        if self.declares:
            lines += ["xr inp;", "xs out;"]
        lines.append(self.assignment() + ";")
        if self.chance(60):
            self.loops = True
            options = " ".join(f":: {self.one(self.receive(), self.send(), self.condition())} -> {self.statement()}"
                               for _ in range(self.rng.randrange(1, 3)))  # fmt: skip
            self.loops = False
            lines.append(f"end: do {options} :: {self.one(self.condition(), 'timeout')} -> break od;")
        lines += [self.statement() + ";" for _ in range(self.rng.randrange(1, 4))]
        lines.append("skip")
        params = "chan inp; chan out" if self.declares else ""
        head = "" if self.declares or number == self.started else "active "
        body = "\n\t".join(lines)
        return f"{head}proctype P{number}({params})\n{{\t{body}\n}}\n"

    started: int = -1  # a process that init starts

    def model(self, n_formulas: int) -> str:
        self.n = self.rng.choice([2, 2, 3])
        self.declares = self.chance(35)
        self.spies = not self.declares and self.chance(40)
        self.has_child = self.chance(35)
        self.started = self.rng.randrange(self.n) if self.chance(30) else -1
        names = range(self.n)
        parts = [f"byte g, {', '.join(f'p{i}' for i in range(max(self.n, 2)))};"]
        parts += [f"chan c{i} = [{self.rng.choice([1, 1, 2])}] of {{ byte }};" for i in names]
        if self.has_child:
            work = self.one("v = 1 - v", "g = v", "v = v + 1; g = 1; v = 0")
            parts.append(f"proctype Child(byte v)\n{{\t{work}\n}}\n")
        parts += [self.process(i) for i in names]
        runs = [f"run P{i}(c{i}, c{(i + 1) % self.n})" for i in names] if self.declares else []
        if self.started >= 0 and not self.declares:
            runs = [f"run P{self.started}()"]
        if runs:
            joined = "; ".join(runs)
            parts.append(f"init {{ {f'atomic {{ {joined} }}' if self.chance(50) else joined} }}\n")
        parts += [f"ltl f{i} {{ {self.formula()} }}" for i in range(n_formulas)]
        return "\n".join(parts) + "\n"

    def formula(self) -> str:
        a, b = f"({self.one(*ATOMS)})", f"({self.one(*ATOMS)})"
        return self.one(
            f"[] !({a} && {b})", f"[] ({a} -> <> {b})", f"<> [] {a}", f"[] <> {a}", f"{a} U {b}", f"! ({a} U {b})"
        )
