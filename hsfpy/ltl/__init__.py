"""Linear temporal logic: formulas, their Büchi automata and never claims.

`translate(parse("[](p -> <>q)"))` gives an `Automaton`, `to_never` its never claim. Who has a
formula in another form builds it bottom-up with the constructors, from `prop` upwards.
"""

from hsfpy.diagnostics import LtlError
from hsfpy.ltl.automaton import Automaton, Edge, State
from hsfpy.ltl.formula import (
    FALSE,
    TRUE,
    Formula,
    LtlTooLarge,
    always,
    conj,
    disj,
    equivalent,
    eventually,
    has_next,
    implies,
    neg,
    nxt,
    prop,
    release,
    until,
    weak_until,
)
from hsfpy.ltl.never import to_never, translate
from hsfpy.ltl.parser import parse

__all__ = [
    "FALSE",
    "TRUE",
    "Automaton",
    "Edge",
    "Formula",
    "LtlError",
    "LtlTooLarge",
    "State",
    "always",
    "conj",
    "disj",
    "equivalent",
    "eventually",
    "has_next",
    "implies",
    "neg",
    "nxt",
    "parse",
    "prop",
    "release",
    "to_never",
    "translate",
    "until",
    "weak_until",
]
