"""Linear temporal logic: formulas, their Büchi automata and never claims."""

from hsfpy.ltl.automaton import Automaton, Edge, State
from hsfpy.ltl.formula import Formula
from hsfpy.ltl.never import to_never, translate
from hsfpy.ltl.parser import LtlError, parse

__all__ = ["Automaton", "Edge", "Formula", "LtlError", "State", "parse", "to_never", "translate"]
