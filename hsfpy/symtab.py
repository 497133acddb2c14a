"""The symbol table, with SPIN's rules for which declaration a name refers to.

SPIN enters a name the first time it reads it, under the scope it stands in, whatever it turns out to
be: variable, label or nothing. That order is the order of variables in a state.
"""

from __future__ import annotations

from hsfpy.nodes import Symbol
from hsfpy.records import dataclass

PREDEFINED = ("_", "_p", "_pid", "_last", "_nr_pr", "_priority")

UNKNOWN = ""
BROKEN = "undeclared name"
VARIABLE = "variable"
LABEL = "label"
PROCTYPE = "proctype"
MTYPE = "mtype constant"
PREDEF = "predefined"
FIELD = "field of a typedef"


@dataclass(slots=True)
class Entry:
    """One name in one scope. `use` says what it is; `symbol` is set for variables."""

    name: str
    context: str | None
    scope: str
    use: str = UNKNOWN
    symbol: Symbol | None = None


class SymbolTable:
    """All names in the order SPIN meets them."""

    def __init__(self, *, old_scope: bool = False) -> None:
        self.old_scope = old_scope
        self.entries: list[Entry] = []
        self._by_name: dict[str, list[Entry]] = {}
        for name in PREDEFINED:
            self.lookup(name, None, "_").use = PREDEF

    def lookup(self, name: str, context: str | None, scope: str) -> Entry:
        """The entry a name refers to at this place; made if there is none."""
        return self.find(name, context, scope) or self._add(name, context, scope)

    def find(self, name: str, context: str | None, scope: str) -> Entry | None:
        listed = self._by_name.get(name, ())
        for entry in reversed(listed):
            if entry.context == context and (self.old_scope or scope.startswith(entry.scope)):
                return entry
        if context is not None:
            for entry in reversed(listed):
                if entry.context is None:
                    return entry
        return None

    def _add(self, name: str, context: str | None, scope: str) -> Entry:
        entry = Entry(name, context, scope)
        self.entries.append(entry)
        self._by_name.setdefault(name, []).append(entry)
        return entry

    def note_field(self, symbol: Symbol, typedef: str) -> None:
        """A field of a typedef: it stands in SPIN's list of names, but no name alone refers to it."""
        self.entries.append(Entry(f"{typedef}.{symbol.name}", None, "_", FIELD, symbol))

    def variables(self, context: str | None) -> list[Symbol]:
        """The variables of a proctype (or the globals), in SPIN's order."""
        own = [entry for entry in self.entries if entry.context == context and entry.use != FIELD]
        return [entry.symbol for entry in own if entry.symbol is not None]

    def named(self, name: str) -> list[Entry]:
        return self._by_name.get(name, [])

    def visible(self, context: str | None, scope: str) -> list[str]:
        """Names of the variables that can be used at this place, for suggestions."""
        return [
            entry.name
            for entry in self.entries
            if entry.symbol is not None
            and entry.use != FIELD
            and (entry.context is None or (entry.context == context and scope.startswith(entry.scope)))
        ]
