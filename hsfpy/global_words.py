"""Which global variables have words of their own in a vector, and which arrays have one for each element.

What a verifier remembers about a process depends on the words of globals that it looks at: the less shares a word, the
less there is to remember, and the fewer steps are looked for again when something changes. Vectors get longer by that
(states that are kept do not), so many variables and long arrays stay close together.
"""

from __future__ import annotations

from hsfpy import nodes as n
from hsfpy.records import dataclass

WORD_BYTES = 8
_BYTES = {n.Kind.SHORT: 2, n.Kind.INT: 4, n.Kind.UNSIGNED: 4}
_MOST_VARIABLES = 16
_MOST_WORDS = 40


@dataclass(slots=True)
class GlobalWords:
    """What was decided for a model."""

    apart: bool  # no variable shares a word with another one
    spread: frozenset[int]  # nor do elements of these arrays (ids of symbols)

    def bits(self, symbol: n.Symbol) -> int:
        """How many bits of each of its words can differ from state to state; 0 if that is not known."""
        if not self.apart or symbol.kind is n.Kind.STRUCT or (symbol.is_array and id(symbol) not in self.spread):
            return 0
        return _bits(symbol)

    def padding(self, symbol: n.Symbol) -> int:
        """The bytes it takes more than it would next to others."""
        if not self.apart:
            return 0
        words = symbol.length if id(symbol) in self.spread else _words(symbol)
        return words * WORD_BYTES - size(symbol)


def size(symbol: n.Symbol) -> int:
    """The bytes of a variable, without those that an alignment may cost."""
    if symbol.struct is not None:
        return symbol.length * sum(size(fld) for fld in symbol.struct.fields)
    return symbol.length * _BYTES.get(symbol.kind, 1)


def global_words(model: n.Model) -> GlobalWords:
    """Words for variables if these are few, and for elements of arrays, the shortest first, as long as words are
    left."""
    shown = [s for s in model.symbols if not s.hidden]
    if len(shown) > _MOST_VARIABLES:
        return GlobalWords(False, frozenset())
    left = _MOST_WORDS - sum(_words(s) for s in shown)
    spread: set[int] = set()
    for symbol in sorted((s for s in shown if _can_spread(s)), key=lambda s: s.length):
        left -= symbol.length - _words(symbol)
        if left < 0:
            break
        spread.add(id(symbol))
    return GlobalWords(True, frozenset(spread))


def shared_words() -> GlobalWords:
    """Arrays as C has them, and no words for their elements."""
    return GlobalWords(False, frozenset())


def _can_spread(symbol: n.Symbol) -> bool:
    """Channels in an array hardly ever change."""
    return symbol.is_array and symbol.kind not in (n.Kind.STRUCT, n.Kind.CHAN)


def _words(symbol: n.Symbol) -> int:
    return -(-size(symbol) // WORD_BYTES)


def _bits(symbol: n.Symbol) -> int:
    if symbol.kind in (n.Kind.BIT, n.Kind.UNSIGNED):
        return max(1, symbol.nbits)
    return 8 * _BYTES.get(symbol.kind, 1)
