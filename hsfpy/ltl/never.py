"""Never claims: from a formula to an automaton, and from that to Promela in SPIN's layout."""

from __future__ import annotations

import re
from itertools import islice, permutations

from hsfpy.ltl.automaton import Automaton, Edge, finish
from hsfpy.ltl.buchi import degeneralize, generalized
from hsfpy.ltl.finite import closure, dying_prefixes
from hsfpy.ltl.formula import Formula, LtlTooLarge, neg, nnf, props
from hsfpy.ltl.graph import Graph
from hsfpy.ltl.guards import Guards
from hsfpy.ltl.merge import OutOfBudget, merge_by_language, share_no_word
from hsfpy.ltl.parser import parse
from hsfpy.ltl.reduce import merge_equal, prune, reduce
from hsfpy.ltl.simplify import Simplifier

_CHANNEL_TEST = re.compile(r"(n?)((?:full|empty)\s*\([^()]*\))$")

ORDERS = 6  # orders of acceptance marks tried when degeneralizing
SMALL = 60  # states of the generalized automaton up to which all those orders are tried
CANDIDATES = 4  # smallest results of these orders that are reduced in full
TERMINAL = 3  # states more that an automaton may have for accepting by finite prefixes
NEGATION = 2000  # arcs of the negation's automaton up to which it is used for merging


def translate(formula: str | Formula) -> Automaton:
    """Return a small Büchi automaton that accepts the words that satisfy the formula."""
    if isinstance(formula, str):
        formula = parse(formula)
    try:
        return finish(_smallest(nnf(formula)))
    except RecursionError:
        raise LtlTooLarge("the formula is nested too deeply") from None


def _smallest(formula: Formula) -> Graph:
    """Return the automaton of a formula in negation normal form after all reductions."""
    guards = Guards(props(formula))
    simplifier = Simplifier(guards)
    graph = _buchi(simplifier.simplify(formula), guards)
    if len(graph.arcs) == 1:
        return graph
    negation = simplifier.simplify(nnf(neg(formula)))
    graph = _merged(graph, negation)
    return graph if finish(graph).is_terminal else _terminal(graph, negation) or graph


def _buchi(formula: Formula, guards: Guards) -> Graph:
    """Return the smallest state-based graph among those of several orders of the marks."""
    graph = reduce(generalized(formula, guards), state_based=False)
    marks = range(graph.marks)
    orders = islice(permutations(marks), ORDERS if len(graph.arcs) <= SMALL else 1)
    candidates: list[Graph] = []
    for order in orders:
        for enter_accepting in (False, True):
            candidate = merge_equal(prune(degeneralize(graph, order, enter_accepting)))
            if candidate not in candidates:
                candidates.append(candidate)
    best = sorted(candidates, key=Graph.size)[:CANDIDATES]
    return min((reduce(candidate, state_based=True) for candidate in best), key=Graph.size)


def _merged(graph: Graph, negation: Formula) -> Graph:
    """Return the graph with as many states merged as its language allows, within a budget."""
    try:
        other = generalized(negation, graph.guards, limit=NEGATION)
    except LtlTooLarge:
        return graph
    return reduce(merge_by_language(graph, reduce(other, state_based=False)), state_based=True)


def _terminal(graph: Graph, negation: Formula) -> Graph | None:
    """Return a terminal graph of the same language, if finite prefixes recognise it and the graph
    does not get much larger."""
    if len(graph.arcs) > SMALL:
        return None
    try:
        others = _buchi(negation, graph.guards)
        if not share_no_word(closure(others), graph):
            return None
    except (LtlTooLarge, OutOfBudget):
        return None
    found = dying_prefixes(others)
    if found is None:
        return None
    found = reduce(merge_by_language(reduce(found, state_based=True), others), state_based=True)
    return found if len(found.arcs) <= len(graph.arcs) + TERMINAL else None


def to_never(automaton: Automaton, name: str = "", comment: str = "") -> str:
    """Return the never claim of an automaton, in the layout that SPIN's own translation has."""
    lines = [f"never {name} {{    /* {' '.join(comment.splitlines())} */"]
    sink = automaton.sink
    for index, state in enumerate(automaton.states):
        if index == sink:
            continue
        lines.append(f"{state.name}:")
        if state.name == "accept_init":
            lines.append("T0_init:")
        lines.append("\tdo")
        lines += [_option(automaton, edge, sink) for edge in state.edges] or ["\t:: false"]
        lines.append("\tod;")
    if sink is not None:
        lines += ["accept_all:", "\tskip"]
    return "\n".join([*lines, "}", ""])


def _option(automaton: Automaton, edge: Edge, sink: int | None) -> str:
    condition = guard_text(edge)
    if edge.target == sink:
        # The rest of the run is accepted whatever happens, so this is reported as a violation now.
        tests_channel = any(_CHANNEL_TEST.match(text) for cube in edge.guard for text, _ in cube)
        failing = "false" if tests_channel else f"!({condition})"
        return f"\t:: atomic {{ ({condition}) -> assert({failing}) }}"
    name = automaton.states[edge.target].name
    return f"\t:: ({condition}) -> goto {'T0_init' if name == 'accept_init' else name}"


def guard_text(edge: Edge) -> str:
    """Return an edge's guard as a Promela expression, with parentheses where SPIN has them."""
    if () in edge.guard:
        return "1"
    if edge.negated:
        clauses = [[_literal(text, not sign) for text, sign in cube] for cube in edge.guard]
        return " && ".join(_disjunction(clause) for clause in clauses)
    terms = [" && ".join(_literal(text, sign) for text, sign in cube) for cube in edge.guard]
    if len(terms) > 1:
        terms = [f"({t})" if len(cube) > 1 else t for t, cube in zip(terms, edge.guard, strict=True)]
    return _disjunction(terms)


def _disjunction(terms: list[str]) -> str:
    """Return the terms joined from the right, as SPIN nests them."""
    *rest, text = terms
    for term in reversed(rest):
        text = f"({term} || {text})"
    return text


def _literal(text: str, sign: bool) -> str:
    if sign:
        return f"({text})"
    if match := _CHANNEL_TEST.match(text):
        # Promela's grammar has no negation of these, but a test for the opposite of each.
        return f"({'' if match[1] else 'n'}{match[2]})"
    return f"! (({text}))"
