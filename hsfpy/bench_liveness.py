"""`hsfpy bench liveness`: tables about liveness of the HSF-SPIN paper, ours next to the published ones.

Source of the published figures: S. Edelkamp, A. Lluch Lafuente, S. Leue, Directed explicit model
checking with HSF-SPIN, SPIN Workshop 2001. The formulas are those of the specification-pattern
catalogue, as SPIN ships them.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import asdict, dataclass

from hsfpy.bench_cycles import table_8, validation
from hsfpy.claim_graph import analyse, claim_graph, formula_graph, until_violated
from hsfpy.frontend import load_text
from hsfpy.lower import lower
from hsfpy.ltl import translate
from hsfpy.ltl.patterns import GROUPS, PATTERNS, SCOPES, Pattern

Tell = Callable[[str], None]

# HSF Table 2, with the letters in our order: S, N, P, F.
PUBLISHED = {
    "Absence": ("S+N", "S+N", "S+N", "S+N", "S+N+P"),
    "Universality": ("S+N", "S+N", "S+N", "S+N+P+F", "S+N+P"),
    "Existence": ("F", "S+N+P", "N+F", "S+N+P", "S+N+F"),
    "Response": ("N+F", "S+N+P+F", "N+F", "S+N+P+F", "S+N+P+F"),
    "Precedence": ("S+N+P", "S+N", "N+P", "S+N", "S+N+P"),
}


# ---------------------------------------------------------------- Table 2


@dataclass(slots=True)
class ClassRow:
    pattern: str
    scope: str
    published: str
    spin: str  # of the automaton of the installed SPIN; empty without one
    ours: str
    states: int
    spin_states: int | None
    is_safety: bool
    remark: str


def class_row(group: str, scope: int) -> ClassRow:
    """The classes of the claim of one pattern: of the automaton of its negation."""
    pattern = PATTERNS[GROUPS.index(group) * len(SCOPES) + scope]
    violations = f"!({pattern.formula})"
    automaton = translate(violations)
    analysis = analyse(formula_graph(automaton))
    row = ClassRow(
        group, SCOPES[scope], PUBLISHED[group][scope], spin_classes(violations), analysis.letters(),
        len(automaton.states), pattern.spin_negated, analysis.is_safety, "",
    )  # fmt: skip
    row.remark = remark(row)
    return row


def spin_classes(formula: str) -> str:
    """The classes of the never claim that the installed SPIN makes of a formula."""
    if shutil.which("spin") is None:
        return ""
    done = subprocess.run(["spin", "-f", formula], capture_output=True, text=True)
    if done.returncode != 0:
        return ""
    model = load_text(f"bool P, Q, R, S, T, Z;\nactive proctype M() {{ P = 1 }}\n{done.stdout}")
    (claim,) = lower(model).claims()
    return analyse(until_violated(claim_graph(claim))).letters()


def remark(row: ClassRow) -> str:
    """Why our classes differ from the published ones."""
    ours, published = set(row.ours.split("+")), set(row.published.split("+"))
    if ours == published:
        return ""
    gone = " and ".join(sorted(published - ours))
    if row.is_safety:
        return f"no {gone}: every violation is a finite prefix, and {row.states} states are enough to find it"
    return f"no {gone}: {row.states} states, where SPIN 6.5.2 has {row.spin_states}"


def table_2(tell: Tell) -> list[dict[str, object]]:
    """Classes of the claims of 25 patterns."""
    tell("S: end states; N, P, F: components without, with some and with accepting cycles only.\n")
    tell("| pattern | scope | published | SPIN 6.5.2 | hsfpy | states | remark |\n|---|---|---|---|---|---|---|")
    rows = []
    for group in PUBLISHED:
        for scope in range(len(SCOPES)):
            row = class_row(group, scope)
            rows.append(asdict(row))
            cells = [row.pattern, row.scope, row.published, row.spin, row.ours, str(row.states), row.remark]
            tell(f"| {' | '.join(cells)} |")
    return rows


# ---------------------------------------------------------------- sizes


@dataclass(slots=True)
class SizeRow:
    pattern: str
    scope: str
    name: str
    claim: int  # states of the automaton of the negation, which is what a verification uses
    spin_claim: int | None
    formula: int
    spin_formula: int | None


def size_row(group: str, scope: str, pattern: Pattern) -> SizeRow:
    """Sizes of the automata of a pattern, and of SPIN's."""
    claim, formula = translate(f"!({pattern.formula})"), translate(pattern.formula)
    return SizeRow(
        group, scope, pattern.name, len(claim.states), pattern.spin_negated, len(formula.states), pattern.spin
    )


def pattern_sizes(tell: Tell) -> list[dict[str, object]]:
    """Sizes of all 110 automata of the catalogue."""
    tell("Numbers of states; a dash where SPIN makes no automaton within 30 seconds.\n")
    tell("| pattern | scope | claim | SPIN's | formula | SPIN's |\n|---|---|---|---|---|---|")
    rows = []
    for i, pattern in enumerate(PATTERNS):
        row = size_row(GROUPS[i // len(SCOPES)], SCOPES[i % len(SCOPES)], pattern)
        rows.append(row)
        cells = [str(v) if v is not None else "-" for v in (row.claim, row.spin_claim, row.formula, row.spin_formula)]
        tell(f"| {row.pattern} | {row.scope} | {' | '.join(cells)} |")
    tell(_total(rows))
    return [asdict(row) for row in rows]


def _total(rows: list[SizeRow]) -> str:
    """The sums over the patterns that SPIN has an automaton of."""
    claims = [(row.claim, row.spin_claim) for row in rows if row.spin_claim is not None]
    formulas = [(row.formula, row.spin_formula) for row in rows if row.spin_formula is not None]
    sums = [sum(column) for pairs in (claims, formulas) for column in zip(*pairs, strict=True)]
    return f"| sum | where SPIN has one | {' | '.join(map(str, sums))} |"


# ---------------------------------------------------------------- all tables

TABLES: list[tuple[str, Callable[[Tell], list[dict[str, object]]]]] = [
    ("HSF Table 2: classes of claims", table_2),
    ("HSF Table 8: violations of response properties", table_8),
    ("HSF 7.4: full validation of a response property that holds", validation),
    ("Sizes of automata of the specification patterns", pattern_sizes),
]


def bench(tell: Tell, only: str | None = None) -> list[dict[str, object]]:
    """Runs all tables (or those whose title contains `only`), telling each row as it is done."""
    results: list[dict[str, object]] = []
    for title, run in TABLES:
        if only is None or only in title:
            tell(f"\n### {title}\n")
            results.append({"table": title, "rows": run(tell)})
    return results
