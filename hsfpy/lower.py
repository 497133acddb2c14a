"""From syntax to automata: builds the elements of every process and turns them into locations
and transitions, in the two steps SPIN takes: raw tables first, in which a selection is a list of
links to its options, then the tables the verifier runs on, in which each location holds the
executable transitions themselves."""

from __future__ import annotations

from hsfpy import nodes as n
from hsfpy.automaton import Automaton, Features, Location, System, Transition
from hsfpy.diagnostics import Loc, PromelaError
from hsfpy.elements import Body, Counters, Element, ElementBuilder, Label, Op, Seq, Status, is_true, tie_loose_ends
from hsfpy.features import find_features
from hsfpy.merge import find_merges
from hsfpy.records import dataclass
from hsfpy.safety import SafetyClasses
from hsfpy.structure import structure
from hsfpy.text import element_text

CODE_SELECTION, CODE_SKIP, CODE_ELSE, CODE_FIRST = 0, 1, 2, 3


@dataclass(slots=True)
class LowerOptions:
    case_caching: bool = False  # spin -o5
    old_priorities: bool = False  # spin -o6: priorities mean nothing to a verifier
    find_merges: bool = False  # find out which statements SPIN merges


def lower(model: n.Model, options: LowerOptions | None = None) -> System:
    """All processes of a resolved model as automata."""
    options = options or LowerOptions()
    counters = Counters()
    bodies: list[Body] = []

    def on_remote(ref: n.RemoteLabel) -> None:
        for body in bodies:
            if body.process.name == ref.proctype:
                _mark_remote_label(body, ref, counters)

    for process in model.processes:
        bodies.append(ElementBuilder(process, counters, on_remote).build())
    for body in bodies:
        tie_loose_ends(body)
    features = find_features(model, bodies)
    if options.old_priorities:
        features.priority = False
    classes = SafetyClasses(model)
    merges: dict[int, int] = {}
    if options.find_merges:
        for body in bodies:
            merges |= find_merges(body, classes, features.rendezvous)
    numbering = CaseNumbers(options.case_caching)
    tables = {body.process.name: TableBuilder(body, classes, numbering) for body in bodies}
    for body in reversed(bodies):  # SPIN numbers its cases from the last process to the first
        tables[body.process.name].fill()
    automata = [_finish(index, tables[body.process.name]) for index, body in enumerate(bodies)]
    system = System(model, automata, features, merges)
    for automaton in automata:
        automaton.validate()
    return system


# ---------------------------------------------------------------- finding the next element


def hunt_start(el: Element) -> Element:
    """The element where a sequence really begins: behind targets, inside unless."""
    seen: set[int] = set()
    while el.id not in seen:
        seen.add(el.id)
        if el.op is Op.DOT and el.next is not None:
            el = el.next
        elif el.op is Op.UNLESS:
            assert el.subs[0].first is not None
            el = el.subs[0].first
        else:
            return el
    raise PromelaError("confusing control. structure", _loc(el))


def _loc(el: Element) -> Loc:
    if el.stmt is not None:
        return el.stmt.span.loc
    return Loc(el.file, el.line, 0)


def hunt(body: Body, el: Element, status: Status) -> Element:
    """The element that control reaches when it arrives at `el`: jumps are followed, except that
    one out of an atomic sequence keeps its own step."""
    start = el
    for _ in range(500):
        if el.op is Op.GOTO:
            following = body.target(el)
            if following is el:
                raise PromelaError("infinite goto loop", _loc(start))
            _check_d_step_jump(el, following)
        elif el.op in (Op.DOT, Op.BREAK):
            if el.next is None:
                return el
            following = el.next
        elif el.op is Op.UNLESS:
            assert el.subs[0].first is not None
            following = hunt(body, el.subs[0].first, status)
        else:
            return el
        if status & Status.ATOM and not following.status & Status.ATOM:
            return el
        el = following
    raise PromelaError("confusing control structure", _loc(start))


def _check_d_step_jump(goto: Element, target: Element) -> None:
    if goto.d_step != target.d_step and goto.stmt is not None:
        raise PromelaError(
            "jump into d_step sequence", _loc(goto), hint="a goto may neither enter nor leave a d_step sequence"
        )


# ---------------------------------------------------------------- remote references to labels


def _mark_remote_label(body: Body, ref: n.RemoteLabel, counters: Counters) -> None:
    label = next((lab for lab in body.labels if lab.name == ref.label), None)
    if label is None:
        return
    if label.element.op is Op.GOTO:
        _split_labelled_goto(body, label, counters)
    label.element.status |= Status.REMOTE
    label.remote = True


def _split_labelled_goto(body: Body, label: Label, counters: Counters) -> None:
    """A goto has no location of its own; a label others refer to needs one, so the goto becomes
    a skip followed by the goto."""
    el = label.element
    goto = Element(Op.GOTO, body.size, counters.id, el.line, el.file, el.stmt, el.label, el.goto)
    body.size += 1
    counters.id += 1
    goto.next = el.next
    body.elements.append(goto)
    el.op, el.stmt, el.label, el.goto = Op.CONDITION, None, "", None
    el.next = goto


# ---------------------------------------------------------------- raw tables


class CaseNumbers:
    """SPIN's numbers of C cases, `tr` in pan -d; with case caching (-o5) equal statements of a
    process share one."""

    def __init__(self, caching: bool) -> None:
        self.caching = caching
        self.next = CODE_FIRST
        self.known: dict[tuple[str, object], int] = {}

    def fresh(self) -> int:
        self.next += 1
        return self.next - 1

    def for_statement(self, process: n.Process, el: Element) -> int:
        if not self.caching or process.kind in (n.ProcKind.NEVER, n.ProcKind.TRACE, n.ProcKind.NOTRACE):
            return self.fresh()
        key = (process.name, (el.op, el.d_step, structure(el.stmt)))
        if key not in self.known:
            self.known[key] = self.fresh()
        return self.known[key]


Classes = tuple[int, int]
LOCAL_CLASSES: Classes = (2, 0)


class TableBuilder:
    """The raw table of one process: per location the statement there, or the links of a
    selection behind a head entry."""

    def __init__(self, body: Body, classes: SafetyClasses, numbers: CaseNumbers) -> None:
        self.body = body
        self.process = body.process
        self.classes = classes
        self.numbers = numbers
        self.raw: dict[int, list[Transition]] = {}
        self.done: set[int] = set()
        self.exempt: set[int] = set()
        self.reached: set[int] = set()
        self.lines: dict[int, tuple[int, str]] = {}
        self.all_global = body.process.provided is not None

    def fill(self) -> None:
        self.put_sequence(self.body.seq, LOCAL_CLASSES)

    def entry(self, el: Element, to: int, code: int, atom: int, is_global: bool, classes: Classes) -> Transition:
        flags = atom & (2 | 4 | 32)
        if not is_global:
            flags |= 8
        return Transition(el, to, flags, code, element_text(el), classes)

    def put_sequence(self, seq: Seq, classes: Classes) -> None:
        el = seq.first
        while el is not None:
            if el.id not in self.done:
                self.done.add(el.id)
                if el.line:
                    self.lines[el.number] = (el.line, el.file)
                self.put_element(el, classes)
            if el is seq.last:
                break
            el = el.next

    def put_element(self, el: Element, classes: Classes) -> None:
        if el.op is Op.UNLESS:
            self.put_sequence(el.subs[0], classes)
        elif el.subs:
            self.put_selection(el, classes)
        elif el.body is not None:
            self.put_group(el, classes)
        else:
            self.put_simple(el, classes)

    def put_selection(self, el: Element, classes: Classes) -> None:
        atom = int(el.status & Status.ATOM)
        if el.status & Status.REMOTE:
            el.status |= Status.GLOBAL
        entries = [self.entry(el, 0, 0, atom, bool(el.status & Status.GLOBAL), classes)]
        for option in el.subs:
            assert option.first is not None
            self.exempt.add(option.first.number)
            first = hunt_start(option.first)
            if _is_false(first) and not first.escapes:
                continue
            if first.status & Status.REMOTE:
                option.first.status |= Status.GLOBAL
            is_global = bool(option.first.status & Status.GLOBAL)
            entries.append(self.entry(el, first.number, 0, atom, is_global, classes))
        self.raw[el.number] = entries
        for option in el.subs:
            self.put_sequence(option, classes)

    def put_group(self, el: Element, classes: Classes) -> None:
        seq = el.body
        assert seq is not None and seq.first is not None and seq.last is not None
        self.patch_jumps(seq)
        self.exempt.add(seq.first.number)
        first = hunt_start(seq.first)
        if el.op in (Op.ATOMIC, Op.D_STEP) and self.touches_shared(seq):
            self.mark_global(seq)
        seq.last.next = el.next
        inner = self.classes.of_sequence(seq)
        if el.op is Op.D_STEP:
            self.put_d_step(el, seq, inner)
            return
        atom = 2 if el.op is Op.ATOMIC else 0
        if (el.status | first.status) & Status.REMOTE:
            seq.first.status |= Status.GLOBAL
        is_global = bool(seq.first.status & Status.GLOBAL)
        own = inner if el.op is Op.ATOMIC else classes
        self.raw[el.number] = [
            self.entry(el, 0, 0, atom, is_global, classes),
            self.entry(el, first.number, 0, atom, is_global, own),
        ]
        self.put_sequence(seq, own)

    def put_d_step(self, el: Element, seq: Seq, inner: Classes) -> None:
        assert seq.first is not None
        inherited = int(el.status & (Status.ATOM | Status.LAST))
        to = hunt(self.body, el.next, el.status).number if el.next is not None else 0
        is_global = bool(seq.first.status & Status.GLOBAL)
        code = self.numbers.fresh()
        self.exempt_inside(seq)
        self.exempt.discard(seq.first.number)
        self.raw[el.number] = [self.entry(el, to, code, 32 | inherited, is_global, inner)]
        self.put_escapes(el)

    def exempt_inside(self, seq: Seq) -> None:
        """Statements inside a d_step are no locations of their own."""
        for el in seq.extent_items():
            if el.body is not None:
                self.exempt_inside(el.body)
            elif el.subs:
                for sub in el.subs:
                    self.exempt_inside(sub)
            elif el.op not in (Op.DOT, Op.GOTO, Op.BREAK):
                self.exempt.add(el.number)

    def put_simple(self, el: Element, classes: Classes) -> None:
        following: Element | None = None
        if el.op is Op.GOTO:
            target = self.body.target(el)
            following = hunt(self.body, target, el.status)
            _check_d_step_jump(el, following)
        elif el.next is not None:
            following = hunt(self.body, el.next, el.status)
        if following is not None and (following.status | el.status) & Status.REMOTE:
            el.status |= Status.GLOBAL
        to = following.number if following is not None else 0
        if el.op is Op.ELSE:
            self.exempt.add(el.number)
            code = CODE_ELSE
        elif el.op in (Op.DOT, Op.GOTO, Op.BREAK) or is_true(el):
            self.exempt.add(el.number)
            code = CODE_SKIP
        else:
            code = self.numbers.for_statement(self.process, el)
        is_global = bool(el.status & Status.GLOBAL) or self.is_global(el)
        own = classes if classes[0] != 2 else self.classes.of_element(el)
        self.raw[el.number] = [self.entry(el, to, code, int(el.status & Status.ATOM), is_global, own)]
        self.put_escapes(el)

    def is_global(self, el: Element) -> bool:
        return self.all_global or self.classes.is_global(el, self)

    def put_escapes(self, el: Element) -> None:
        if not el.escapes or el.op is Op.DOT:
            return
        for escape in el.escapes:
            assert escape.first is not None
            start = hunt(self.body, escape.first, el.status).number
            self.raw[el.number][0].escapes.append(start)
            self.reached.add(start)
        for escape in el.escapes:
            self.put_sequence(escape, LOCAL_CLASSES)

    # ---- atomic sequences

    def patch_jumps(self, seq: Seq) -> None:
        """A goto out of an atomic sequence ends it; one into another atomic sequence goes on."""
        for el in seq.extent_items():
            if el.op is Op.GOTO:
                target = self.body.target(el)
                _check_d_step_jump(el, target)
                inside = Status.ATOM | Status.LAST
                if el.status & inside and not target.status & inside:
                    el.status = (el.status & ~Status.ATOM) | Status.LAST
                if el.status & Status.LAST and target.status & inside:
                    el.status = (el.status & ~Status.LAST) | Status.ATOM
            else:
                for sub in el.subs:
                    self.patch_jumps(sub)

    def mark_global(self, seq: Seq) -> None:
        for el in seq.items():
            el.status |= Status.GLOBAL
            if el.body is not None:
                self.mark_global(el.body)
            for sub in el.subs:
                self.mark_global(sub)

    def touches_shared(self, seq: Seq) -> bool:
        for el in seq.items():
            if el.status & Status.REMOTE or self.is_global(el):
                return True
            if el.op is Op.GOTO and not el.status & Status.D_ATOM and not _contains(seq, self.jump_target(el)):
                return True
            if any(self.touches_shared(sub) for sub in el.subs):
                return True
        return False

    def jump_target(self, el: Element) -> Element:
        for _ in range(33):
            if el.op is Op.GOTO:
                el = self.body.target(el)
            elif el.op is Op.BREAK and el.next is not None:
                el = hunt(self.body, el.next, el.status)
            else:
                return el
        raise PromelaError("cycle of goto jumps", _loc(el))


def _contains(seq: Seq, wanted: Element, seen: set[int] | None = None) -> bool:
    seen = seen if seen is not None else set()
    el = seq.first
    while el is not None:
        if el is wanted:
            return True
        if el.id in seen:
            return False
        seen.add(el.id)
        if any(_contains(sub, wanted, seen) for sub in el.subs):
            return True
        el = el.next
    return False


def _is_false(el: Element) -> bool:
    if el.op is not Op.CONDITION or not isinstance(el.stmt, n.ExprStmt):
        return False
    return isinstance(el.stmt.expr, n.Const) and el.stmt.expr.value == 0


# ---------------------------------------------------------------- executable tables


def _finish(index: int, table: TableBuilder) -> Automaton:
    """The executable automaton: selections pulled apart, escapes put in front."""
    body = table.body
    assert body.seq.first is not None and body.seq.last is not None
    start = hunt(body, body.seq.first, body.seq.first.status).number
    locations = [Location(i) for i in range(body.size)]
    _set_lines(locations, table)
    _set_labels(locations, body)
    raw = table.raw
    _flatten_selections(raw, locations)
    _pull_options(raw, locations, table)
    _prepend_escapes(raw)
    _degrade_mixed(raw)
    for number, entries in raw.items():
        locations[number].transitions = entries
    if body.process.kind is n.ProcKind.NEVER:
        locations[0].end = True  # where a claim is after its end
    for number in table.exempt | table.reached:
        locations[number].exempt = True
    _spread_end_labels(locations)
    return Automaton(body.process, body, index, start, body.seq.last.number, locations)


def _set_lines(locations: list[Location], table: TableBuilder) -> None:
    for number, (line, file) in table.lines.items():
        locations[number].line = locations[number].table_line = line
        locations[number].file = file


def _set_labels(locations: list[Location], body: Body) -> None:
    for lab in body.labels:
        if lab.name.startswith(":"):
            continue
        location = locations[lab.element.number]
        location.label = lab.name
        location.accept |= lab.name.startswith("accept")
        location.end |= lab.name.startswith("end")
        location.progress |= lab.name.startswith("progress")
        location.danger |= lab.name.startswith("danger")
    assert body.seq.last is not None
    locations[body.seq.last.number].end = True


def _pass_labels(locations: list[Location], t: Transition, through: int, at: int) -> None:
    """A location that is skipped over hands its labels on."""
    to, via = locations[t.to], locations[through]
    to.accept |= via.accept
    to.end |= via.end
    to.progress |= via.progress
    locations[at].map = t.to


def _flatten_selections(raw: dict[int, list[Transition]], locations: list[Location]) -> None:
    """Replaces an option that is itself a selection by its options, until none is left."""
    changed = True
    while changed:
        changed = False
        for number in sorted(raw):
            entries = raw[number]
            if not any(len(raw.get(t.to, [])) > 1 for t in entries[1:] if t.to):
                continue
            flat = [entries[0]]
            for t in entries[1:]:
                inner = raw[t.to]
                copies = [t.copy()] if len(inner) == 1 else [other.copy() for other in inner[1:]]
                changed = changed or len(inner) > 1
                for made in copies:
                    _pass_labels(locations, made, t.to, number)
                flat.extend(copies)
            raw[number] = flat


def _pull_options(raw: dict[int, list[Transition]], locations: list[Location], table: TableBuilder) -> None:
    """Puts the guard statements themselves in place of the links to them."""
    for number in sorted(raw):
        entries = raw[number]
        if len(entries) < 2:
            continue
        first = entries[1].to
        locations[number].table_line = locations[first].table_line
        if first not in raw:
            continue
        pulled: list[Transition] = []
        for link in entries[1:]:
            if link.to not in raw:
                continue
            made = raw[link.to][0].copy()
            table.reached.add(link.to)
            _pass_labels(locations, made, link.to, number)
            pulled.append(made)
        raw[number] = pulled


def _prepend_escapes(raw: dict[int, list[Transition]]) -> None:
    """Puts the transitions of escapes in front of those they interrupt, inner escapes first."""
    for number in sorted(raw):
        result = list(raw[number])
        for t in raw[number]:
            for start in reversed(t.escapes):
                for other in list(raw.get(start, []) if start != number else result):
                    if any(there.element.id == other.element.id for there in result):
                        continue
                    made = other.copy()
                    made.escape = start
                    result.insert(0, made)
        raw[number] = result


DELTA = 500
MIXED, ENDING = 5 * DELTA, 7 * DELTA


def _degrade_mixed(raw: dict[int, list[Transition]]) -> None:
    """A location is local only if all its options are; what pan -d shows as L or G."""
    for entries in raw.values():
        mixed = any(c in (MIXED, 6 * DELTA) for c in entries[0].classes) if entries else False
        if len(entries) > 1:
            mixed = mixed or any(c in (MIXED, 6 * DELTA) for t in entries for c in t.classes)
        if mixed or any(not t.is_local for t in entries):
            for t in entries:
                t.local_alone = t.is_local
                t.atom &= ~8


def _spread_end_labels(locations: list[Location]) -> None:
    for location in locations:
        ts = location.transitions
        if location.end and len(ts) == 1 and ts[0].text.startswith(".(goto)"):
            locations[ts[0].to].end = True


__all__ = ["lower", "Features"]
