"""`spin -C`: who uses which channel, and how. Without -g only channels that are not both sent to and received from."""

from __future__ import annotations

from collections.abc import Iterator

from hsfpy import nodes as n
from hsfpy.automaton import System
from hsfpy.claims import CLAIM_FILE
from hsfpy.symbol_list import symbol_table
from hsfpy.walk import expressions_of

_WORDS = {
    "A": "exported as run parameter", "F": "imported as proctype parameter", "L": "used as l-value in asgnmnt",
    "V": "used as r-value in asgnmnt", "P": "polled in receive stmnt", "R": "used as parameter in receive stmnt",
    "S": "used as parameter in send stmnt", "r": "received from", "s": "sent to",
}  # fmt: skip

# A kind of use, with the text SPIN puts behind the user's name.
Use = tuple[str, str]


def channel_access(model: n.Model, system: System, shows_all: bool) -> str:
    """SPIN's lines, channels in the order of its symbol table."""
    uses = _all_uses(system)
    lines: list[str] = []
    for entry in symbol_table(model).entries:
        symbol = entry.symbol
        if symbol is None or symbol.kind is not n.Kind.CHAN or symbol.is_field:
            continue
        found = list(reversed(uses.get(id(symbol), [])))
        is_balanced = {"r", "s"} <= {kind for kind, _ in found} or symbol.is_param
        if not is_balanced or shows_all:
            lines += _channel(symbol, entry.context, found)
    return "".join(f"{line}\n" for line in lines)


def _channel(symbol: n.Symbol, context: str | None, uses: list[Use]) -> Iterator[str]:
    owner = f"{context}-" if context else ""
    size = f"[{symbol.length}]" if symbol.is_array else ""
    yield f"chan {owner}{symbol.name}{size}\t"
    for kind, words in _WORDS.items():
        users = [user for used, user in uses if used == kind]
        if users:
            yield f"\t{words} by: {', '.join(users)}"
    if not uses:
        yield "\tnever used under this name"


def _all_uses(system: System) -> dict[int, list[Use]]:
    """By channel, each use once, in the order of the source."""
    found: dict[int, list[Use]] = {}
    for automaton in sorted(system.automata, key=lambda a: a.index):
        if automaton.process.span.loc.file == CLAIM_FILE:
            continue  # made of a formula
        name = automaton.process.name
        used: list[tuple[n.Symbol, Use]] = [
            (param, ("F", f"{name} par {number}"))
            for number, param in enumerate(automaton.process.params, 1)
            if param.kind is n.Kind.CHAN
        ]
        for element in automaton.body.elements:
            if element.stmt is not None:
                used += _uses_of(element.stmt, name)
        for symbol, use in used:
            uses = found.setdefault(id(symbol), [])
            if use not in uses:
                uses.append(use)
    return found


def _uses_of(stmt: n.Stmt, who: str) -> Iterator[tuple[n.Symbol, Use]]:
    match stmt:
        case n.Assign(target=target, value=value) if target.field is None:  # SPIN does not look into structs
            for ref, kind in ((target, "L"), (value, "V")):
                yield from _use(ref, kind, who)
        case n.Send(chan=chan, args=args):
            yield from _use(chan, "s", who)
            yield from _arguments(args, "S", who)
        case n.Receive(chan=chan, args=args):
            yield from _use(chan, "r", who)
            yield from _arguments(args, "R", who)
    for expr in expressions_of(stmt):
        match expr:
            case n.Poll(chan=chan, args=args):
                yield from _use(chan, "P", who)
                yield from _arguments(args, "R", who)
            case n.Run(name=name, args=args):
                yield from _arguments(args, "A", f"{who} to {name}")


def _use(expr: n.Expr, kind: str, who: str) -> Iterator[tuple[n.Symbol, Use]]:
    if isinstance(expr, n.VarRef) and expr.symbol is not None and expr.symbol.kind is n.Kind.CHAN:
        yield expr.symbol, (kind, who)


def _arguments(args: list[n.Expr], kind: str, who: str) -> Iterator[tuple[n.Symbol, Use]]:
    for number, arg in enumerate(args, 1):
        yield from _use(arg, kind, f"{who} par {number}")
