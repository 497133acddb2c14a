"""`hsfpy claim`: what is shown of never claims, and their components as text."""

from __future__ import annotations

from dataclasses import dataclass, field

from hsfpy.automaton import Automaton, System
from hsfpy.claim_graph import (
    UNREACHABLE,
    ClaimAnalysis,
    ClaimClass,
    analyse,
    claim_graph,
    formula_graph,
    until_violated,
)
from hsfpy.claims import formula_text, is_stutter_sensitive
from hsfpy.ltl import parse, translate

CLASS_TEXT = {
    ClaimClass.N: "no accepting cycle",
    ClaimClass.F: "every cycle accepts",
    ClaimClass.P: "some cycles accept",
}


@dataclass(slots=True)
class Place:
    """A location as it is shown."""

    number: int
    name: str
    letter: str  # N, F, P, or S where the claim is violated
    component: int
    accepting: bool
    arrows: dict[int, list[str]] = field(default_factory=dict)  # conditions by target


@dataclass(slots=True)
class ClaimView:
    """What is shown of a claim."""

    name: str
    formula: str
    analysis: ClaimAnalysis
    stutter_sensitive: bool
    places: dict[int, Place]


def claim_views(system: System) -> list[ClaimView]:
    """All claims of a model, in their order."""
    formulas = {block.name: formula_text(block.formula) for block in system.model.ltls}
    return [claim_view(automaton, formulas.get(automaton.process.name, "")) for automaton in system.claims()]


def claim_view(automaton: Automaton, formula: str) -> ClaimView:
    """One lowered claim."""
    analysis = analyse(until_violated(claim_graph(automaton)))
    return ClaimView(automaton.process.name, formula, analysis, automaton.process.stutter_sensitive, _places(analysis))


def formula_view(text: str) -> ClaimView:
    """The claim that -f would make of a formula; raises LtlError."""
    formula = parse(text)
    analysis = analyse(formula_graph(translate(formula)))
    return ClaimView("formula", text, analysis, is_stutter_sensitive(formula), _places(analysis))


def _places(analysis: ClaimAnalysis) -> dict[int, Place]:
    """The reachable locations."""
    places: dict[int, Place] = {}
    for number in analysis.reachable:
        row, node = analysis.locations[number], analysis.graph.nodes[number]
        name = node.name or ("end" if node.end else "assert" if node.fails else f"S{number}")
        letter = "S" if node.violates else row.class_.name
        places[number] = place = Place(number, name, letter, row.component, node.accepting)
        for edge in node.edges:
            place.arrows.setdefault(edge.to, []).append(edge.label)
    return places


# ---------------------------------------------------------------- text


def claim_text(view: ClaimView) -> str:
    """The classification as a table."""
    analysis = view.analysis
    lines = [f"claim {view.name}" + (f": {view.formula}" if view.formula else "")]
    lines += [f"  classes: {analysis.letters()}", f"  search:  {_search(view)}"]
    if view.stutter_sensitive:
        lines.append("  made from a formula with X: no partial order reduction")
    width = max(len(_shown(place)) for place in view.places.values())
    lines.append("")
    for members in analysis.components():
        shown = [view.places[i] for i in members if view.places[i].letter != "S"]
        if not shown:
            continue
        kind = analysis.locations[members[0]].class_
        cycle = CLASS_TEXT[kind] if analysis.has_cycle(members) else "no cycle"
        lines.append(f"  component {shown[0].component}: {kind.name}, {cycle}")
        lines += [f"    {_shown(place):{width}}  {_remarks(analysis, place)}".rstrip() for place in shown]
    ends = [place for place in view.places.values() if place.letter == "S"]
    if ends:
        lines.append("  violated at once: S")
        lines += [f"    {_shown(place):{width}}  {_how(analysis, place)}" for place in ends]
    return "\n".join(lines)


def _shown(place: Place) -> str:
    return f"{place.number}: {place.name}"


def _search(view: ClaimView) -> str:
    analysis = view.analysis
    if analysis.locations[analysis.graph.start].distance == UNREACHABLE:
        return "none needed, the claim cannot be violated"
    if analysis.is_safety:
        return "safety, a finite prefix shows every violation"
    classes = {analysis.locations[i].class_ for i in analysis.reachable}
    if ClaimClass.P in classes:
        return "liveness, a second search is needed inside P"
    return "liveness, one depth-first search finds accepting cycles"


def _remarks(analysis: ClaimAnalysis, place: Place) -> str:
    row, node = analysis.locations[place.number], analysis.graph.nodes[place.number]
    remarks = ["accepting"] if row.accepting else []
    if node.assertion:
        remarks.append(f"{node.assertion} may fail")
    if row.universal:
        remarks.append("accepts whatever follows")
    elif row.distance == UNREACHABLE:
        remarks.append("no violation can come")
    elif row.distance:
        remarks.append(f"violation {row.distance} step{'s'[: row.distance != 1]} ahead at least")
    if place.number == analysis.graph.start:
        remarks.insert(0, "start")
    return ", ".join(remarks)


def _how(analysis: ClaimAnalysis, place: Place) -> str:
    return analysis.graph.nodes[place.number].assertion or "end state"
