"""d_step sequences as C: one guard, and an effect that runs to its end without choices.

Inside the effect every element is a C label and control moves by goto, which mirrors the
element chain directly; selections take their first executable option.
"""

from __future__ import annotations

import re
from dataclasses import field

from hsfpy.cexpr import c_string
from hsfpy.cstmt import Action, StmtWriter
from hsfpy.diagnostics import Loc, PromelaError
from hsfpy.elements import Body, Element, Op, Seq, is_true
from hsfpy.lower import hunt_start
from hsfpy.records import dataclass


def d_step_action(writer: StmtWriter, el: Element) -> Action:
    """Guard and effect of a whole d_step."""
    assert el.body is not None and el.body.first is not None
    guard = guard_of(writer, el.body.first)
    effect = _Effect(writer, DStepFlow(writer.automaton.body, el))
    return Action(guard, effect.lines())


def starts_with_receive(el: Element) -> bool:
    """Could this element take part in a rendezvous as receiver?"""
    if el.op is Op.RECEIVE:
        return True
    if el.body is not None and el.body.first is not None:
        return starts_with_receive(el.body.first)
    if el.op is Op.DOT and el.next is not None:
        return starts_with_receive(el.next)
    if el.subs:
        return any(sub.first is not None and starts_with_receive(hunt_start(sub.first)) for sub in el.subs)
    return False


def guard_of(writer: StmtWriter, first: Element) -> str | None:
    """When can a d_step that begins with this element start? None: always."""
    first = hunt_start(first)
    if first.op is Op.BLOCK and first.body is not None and first.body.first is not None:
        return guard_of(writer, first.body.first)
    if first.subs and first.op is not Op.UNLESS:
        guards = [_option_guard(writer, sub) for sub in first.subs]
        return " || ".join(f"({g})" for g in guards) if all(g is not None for g in guards) else None
    if first.op is Op.ELSE:
        return "!step_context.else_blocked"
    if is_true(first):
        return None
    return writer.action(first).guard


def _option_guard(writer: StmtWriter, option: Seq) -> str | None:
    assert option.first is not None
    first = hunt_start(option.first)
    if first.op is Op.ELSE:
        return None
    return guard_of(writer, first)


class DStepFlow:
    """How control moves inside a d_step."""

    def __init__(self, body: Body, d_step: Element) -> None:
        self.body = body
        self.d_step = d_step
        self.elements = self._elements()
        self.inside = {el.id for el in self.elements}

    def _elements(self) -> list[Element]:
        found: list[Element] = []
        seen: set[int] = set()

        def visit(sequence: Seq) -> None:
            for el in sequence.extent_items():
                if el.id in seen:
                    continue
                seen.add(el.id)
                found.append(el)
                if el.body is not None:
                    visit(el.body)
                for sub in el.subs:
                    visit(sub)

        assert self.d_step.body is not None
        visit(self.d_step.body)
        return [el for el in found if el.op is not Op.UNLESS]

    def first(self) -> Element | None:
        """Where it begins."""
        assert self.d_step.body is not None and self.d_step.body.first is not None
        return self.follow(hunt_start(self.d_step.body.first))

    def follow(self, el: Element | None) -> Element | None:
        """Where control goes on if it comes to `el`; None if that lies outside."""
        for _ in range(500):
            if el is None:
                return None
            if el.op is Op.GOTO and el.id in self.inside:
                el = self.body.target(el)
                if el.id not in self.inside:
                    loc = el.stmt.span.loc if el.stmt is not None else Loc(el.file, el.line, 0)
                    raise PromelaError("non_local jump in d_step sequence", loc)
                continue
            if el.op in (Op.DOT, Op.BREAK):
                el = el.next
                continue
            break
        return el if el is not None and el.id in self.inside else None

    def enter(self, option: Seq) -> Element | None:
        """Where an option of a selection begins; an else does nothing itself."""
        assert option.first is not None
        first = hunt_start(option.first)
        return self.follow(first if first.op is not Op.ELSE else first.next)

    def successors(self, el: Element) -> list[Element | None]:
        """Where control may go from an element."""
        if el.subs:
            return [self.enter(option) for option in el.subs]
        if el.body is not None:
            return [self.follow(el.body.first)]
        return [self.follow(el if el.op is Op.GOTO else el.next)]


@dataclass(slots=True)
class _Effect:
    writer: StmtWriter
    flow: DStepFlow
    out: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        start = self.jump(self.flow.first())
        for el in self.flow.elements:
            self.out.append(f"{self.label(el)}:;")
            self._element(el)
        self.out.append(f"{self.leave()}:;")
        return ["{", start, *self._used_labels(start), "}"]

    def _used_labels(self, start: str) -> list[str]:
        """The lines without labels nothing jumps to: compilers warn about those."""
        used = set(re.findall(r"goto (\w+);", "\n".join([start, *self.out])))
        return [line for line in self.out if not line.endswith(":;") or line[:-2] in used]

    def label(self, el: Element) -> str:
        return f"E{el.id}"

    def leave(self) -> str:
        return f"leave_{self.flow.d_step.id}"

    def jump(self, el: Element | None) -> str:
        """C that continues at `el`, or leaves the d_step."""
        return f"goto {self.label(el) if el is not None else self.leave()};"

    def _element(self, el: Element) -> None:
        if el.subs:
            self._selection(el)
            return
        if el.body is None and el.op is not Op.GOTO:
            self._simple(el)
        self.out.extend(map(self.jump, self.flow.successors(el)))

    def _selection(self, el: Element) -> None:
        for option in el.subs:
            go = self.jump(self.flow.enter(option))
            guard = _option_guard(self.writer, option)
            self.out.append(f"if ({guard}) {go}" if guard is not None else go)
        text = f"blocking sel in d_step (nr.{el.id}, near line {el.line})"
        self.out.append(f"raise_fatal({c_string(text)});")
        self.out.append(f"goto {self.leave()};")

    def _simple(self, el: Element) -> None:
        if el.op in (Op.DOT, Op.BREAK, Op.ELSE) or is_true(el):
            return
        action = self.writer.action(el)
        if action.guard is not None:
            self._fail_if(f"!({action.guard})", "block in d_step seq")
        self.out.extend(action.effect)
        if el.op is Op.SEND:
            self._fail_if("step_context.offer", "rv-attempt in d_step")

    def _fail_if(self, test: str, text: str) -> None:
        self.out.append(f"if ({test}) {{ raise_fatal({c_string(text)}); goto {self.leave()}; }}")
