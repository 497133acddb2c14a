"""Runs as SPIN prints them: `spin -t` and simulations, with -p -g -l -r -s -v -w -c -X -T -b -B -j -q.

Many programs read this output, so every blank and tab is part of the contract.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from hsfpy import nodes as n
from hsfpy.automaton import Automaton
from hsfpy.elements import Element, Op, Status
from hsfpy.layout import MessageField
from hsfpy.simulate import library
from hsfpy.simulate.library import CLAIM_PID
from hsfpy.simulate.session import Note, Outcome, Session
from hsfpy.simulate.spin_memory import Leaf, Owner, SpinMemory, Variable
from hsfpy.simulate.text_options import (
    SHOW_ALL,
    SHOW_GLOBALS,
    SHOW_LOCALS,
    SHOW_RECEIVES,
    SHOW_SENDS,
    SHOW_STEPS,
    VERBOSE,
    TextOptions,
)
from hsfpy.text import element_text, expr_text, flatten_args, source_name
from hsfpy.walk import expressions_of, last_link

# Numbers of types in SPIN's complaints about values that do not fit, by VariableKind in model.h.
_TYPE_NUMBERS = (1, 8, 16, 32, 5, 275, 312, 8)

_FIELD_NUMBERS = {n.Kind.BIT: 1, n.Kind.BYTE: 8, n.Kind.SHORT: 16, n.Kind.MTYPE: 275}


def _kept(fld: MessageField, value: int) -> int:
    """What a message field keeps of a value."""
    bits = 8 * fld.width
    kept = value & ((1 << bits) - 1)
    return kept - (1 << bits) if fld.is_signed and kept >> (bits - 1) else kept


class SpinText:
    """Prints one run."""

    def __init__(
        self,
        session: Session,
        options: TextOptions,
        write: Callable[[str], object],
        claimed: bool,
        simulates: bool = False,
    ) -> None:
        self.session = session
        self.machine = session.machine
        self.options = options
        self.write = write
        self.claimed = claimed  # a trail with a claim: SPIN counts it as process 0
        self.simulates = simulates  # no trail: processes are announced
        self.memory = SpinMemory(session)
        self.tracked: dict[int, int] = {}  # columns of -Y
        self.column_head = True  # the head of a chart is still to be printed
        self.last_claim_line = -1
        self.told_claim_line = -1
        self.n_errors = 0
        self.at_end = False  # the last state is shown
        self.all_queues = False  # also those the last step has not used
        self.explained = False
        self.started = {automaton.index for automaton in self._alive()}

    @property
    def depth(self) -> int:
        """The number of the step under way."""
        return self.memory.depth

    @depth.setter
    def depth(self, depth: int) -> None:
        self.memory.depth = depth

    def _alive(self) -> list[Automaton]:
        return [self.session.process(pid) for pid in range(self.session.n_processes)]

    # ---- places

    def who(self, pid: int, automaton: Automaton, with_depth: bool = True) -> str:
        number = " -" if pid == CLAIM_PID else f"{pid:2d}"
        name = automaton.process.name
        rank = "" if self.options.old_priorities else f":{self.rank(pid)}"
        return (f"{self.depth:3d}:\t" if with_depth else "") + f"proc {number} ({name}{rank}) "

    def rank(self, pid: int) -> int:
        if pid == CLAIM_PID or not self.machine.program.flags["uses_priority"]:
            return 1
        return self.session.priority(pid)

    def place(self, automaton: Automaton, el: Element) -> str:
        text = f"{el.file}:{el.line} (state {el.number})"
        return text + (" <valid end state>" if self.is_end(automaton, el) and not self.options.gui else "")

    def is_end(self, automaton: Automaton, el: Element) -> bool:
        if el is automaton.body.seq.last and (automaton.index in self.started or automaton is self.session.claim):
            return True
        return bool(automaton.body.labels_at(el, "end"))

    def talk(self, pid: int, automaton: Automaton, el: Element | None, with_depth: bool = True) -> None:
        """Who stands where."""
        if pid == CLAIM_PID and el is not None and self.options.gui and self.told_claim_line != el.line:
            self.write(f"MSC: ~G line {el.line}\n")
            self.told_claim_line = el.line
        self.write(self.who(pid, automaton, with_depth))
        if el is not None:
            self.write(self.place(automaton, el))

    def error(self, el: Element, text: str) -> None:
        self.n_errors += 1
        self.write(f"spin: {el.file}:{el.line}, Error: {text}\n")

    # ---- what happens inside a statement

    def happened(self, pid: int, automaton: Automaton, el: Element, outcome: Outcome, failed: bool = False) -> None:
        """Tells what a statement did, in its order, and remembers what it set."""
        self.memory.look_at_locals(pid, el)
        for note in outcome.notes:
            self.tell(pid, automaton, el, note)
        self.explained = False  # has it been said why the statement failed?
        if outcome.fault is not None:
            self.tell_fault(el, outcome.fault, outcome.notes)
        for note in outcome.notes:
            if note.kind == library.NOTE_RUN and note.subject < self.session.n_processes:
                self.memory.create(note.subject)
        if not failed:
            self.memory.after(pid, el)

    def tell(self, pid: int, automaton: Automaton, el: Element, note: Note) -> None:
        match note.kind:
            case library.NOTE_CHANNEL:
                self.memory.look_at(note.subject)
            case library.NOTE_RUN:
                self.tell_start(pid, automaton, note.subject)
            case library.NOTE_PRINT:
                if not self.options.no_print and self.depth >= self.options.skip:
                    self.tag(pid, note.text)
            case library.NOTE_NARROW:
                before, after = note.values
                kind = _TYPE_NUMBERS[note.subject]
                self.error(el, f"value ({before}->{after} ({kind})) truncated in assignment")
            case library.NOTE_PRIORITY if 0 <= note.subject < self.session.n_processes:
                name = self.session.process(note.subject).process.name
                self.write(f"{self.depth:3d}: setting priority of proc {note.subject} ({name}) to {note.values[0]}\n")
            case library.NOTE_SEND | library.NOTE_RECEIVE | library.NOTE_POLL:
                self.memory.queue_set_at[note.subject] = self.depth
                self.tell_message(pid, automaton, el, note)

    def tell_escapes(self, el: Element) -> None:
        """What may take over from a statement."""
        if not el.escapes or el.status & Status.D_ATOM:
            return
        self.write(f"Stmnt {statement_text(el)} has escape(s): ")
        for escape in el.escapes:
            first = escape.first
            if first is not None and first.op in (Op.ATOMIC, Op.BLOCK) and first.body is not None:
                first = first.body.first
            assert first is not None
            self.write(f"{statement_text(first)} ")
        self.write("\n")

    def tell_start(self, parent: int, parent_type: Automaton, pid: int) -> None:
        if pid >= self.session.n_processes:
            return  # there are too many
        automaton = self.session.process(pid)
        self.started.add(automaton.index)
        if self.options.shows(SHOW_STEPS | VERBOSE):
            rank = f" priority {self.rank(pid)}" if self.machine.program.flags["uses_priority"] else ""
            self.write(f"Starting {automaton.process.name} with pid {pid + self.claimed}{rank}\n")
        self.announce(self.who(parent, parent_type), pid)

    def announce(self, creator: str, pid: int) -> None:
        """A process has appeared."""
        name = self.session.process(pid).process.name
        if self.options.columns:
            self.column_head = True
            self.write(f"proc {pid} = {name}\n")
        elif self.simulates and self.options.shows(SHOW_STEPS):
            rank = f" priority {self.rank(pid)}" if self.rank(pid) > 1 else ""
            self.write(f"{creator}creates proc {pid:2d} ({name}){rank}\n")

    def tell_fault(self, el: Element, fault: str, notes: tuple[Note, ...]) -> None:
        outside = [note for note in notes if note.kind == library.NOTE_INDEX]
        self.explained = not fault.startswith("too many processes")
        if isinstance(el.stmt, n.Assert) and not outside:
            self.error(el, "assertion violated")
            self.write(f"spin: text of failed assertion: assert({expr_text(el.stmt.expr)})\n")
        elif outside:
            self.write(f"spin: indexing {outside[0].text}[{outside[0].values[0]}] - size is {outside[0].subject}\n")
            self.error(el, f"indexing array '{outside[0].text}'")
        elif "uninitialized chan" in fault and isinstance(el.stmt, n.Send):
            self.write("Error: sending to an uninitialized chan\n")
            self.explained = False
        elif "uninitialized chan" in fault and isinstance(el.stmt, n.Receive):
            self.write(f"Error: receiving from an uninitialized chan {el.stmt.chan.name}\n")
            self.explained = False
        elif fault.startswith("too many processes"):
            self.write("spin: too many processes (255 max)\n")
        else:
            self.error(el, fault)

    def tag(self, pid: int, text: str) -> None:
        """Text of the model, or about the run, in the column of a process."""
        if not (self.options.no_indent or self.options.gui):
            self.write("  " + "    " * (pid + self.claimed + 1))
        self.write(text)

    # ---- messages

    def tell_message(self, pid: int, automaton: Automaton, el: Element, note: Note) -> None:
        sends = note.kind == library.NOTE_SEND
        polls = note.kind == library.NOTE_POLL
        chan = self.channel_of(el, note, pid)
        kind = self.machine.program.channels[self.session.channel_kind(note.subject)]
        queue = self.memory.queue(note.subject)
        wanted = self.options.shows(SHOW_SENDS if sends else SHOW_RECEIVES) and self.depth >= self.options.skip
        if queue in self.options.hidden_queues or (polls and self.options.columns):
            wanted = False
        lost = self.lost_in_fields(kind.fields, note.values) if sends else {}
        if not wanted or chan is None:
            for complaint in lost.values():
                self.error(el, complaint)
            return
        shown = self.message_texts(kind.fields, note.values)
        copies = polls or (isinstance(el.stmt, n.Receive) and el.stmt.copy)
        name = self.channel_name(chan, note.subject, pid)
        head, tail = self.message_frame(pid, automaton, el, kind.capacity == 0, sends, copies, queue, name)
        for i, value in enumerate(shown):
            if i in lost:
                self.error(el, lost[i])
            self.write((head if i == 0 else ",") + ("[" if copies and self.options.columns else "") + value)
        self.write(tail)
        if sends and len(note.values) < len(kind.fields):
            self.write(f"{self.depth:3d}: warning: missing params in send\n")

    def lost_in_fields(self, fields: list[MessageField], values: tuple[int, ...]) -> dict[int, str]:
        """Complaints about values that do not fit their field."""
        out: dict[int, str] = {}
        for i, (fld, value) in enumerate(zip(fields, values, strict=False)):
            kept = value & 1 if fld.is_bit else _kept(fld, value)
            if kept != value and fld.kind in _FIELD_NUMBERS:
                out[i] = f"value ({value}->{kept} ({_FIELD_NUMBERS[fld.kind]})) truncated in assignment"
        return out

    def message_frame(
        self, pid: int, automaton: Automaton, el: Element, rendezvous: bool, sends: bool, copies: bool, queue: int,
        name: str,
    ) -> tuple[str, str]:  # fmt: skip
        """What stands before and behind the fields of a message."""
        mark = "!" if sends else "?"
        if self.options.columns:
            head = self.column_head_text() + f"{queue:3d}" + "   ." * max(pid, 0) + f"   {name}{mark}"
            return head, ("]" if copies else "") + "\n"
        place = f"{self.who(pid, automaton)}{el.file}:{el.line} "
        if self.options.gui:
            values = "values: " if self.options.shows(SHOW_STEPS) and not copies else ""
            head = f"{place}(state -)\t[{values}{queue}{mark}"
            return head, "]\n" + ("" if self.options.shows(SHOW_STEPS) else "\n")
        word = ("Sent " if rendezvous else "Send ") if sends else ("[Recv] " if copies else "Recv ")
        return place + word, f"\t{'->' if sends else '<-'} queue {queue} ({name})\n"

    def column_head_text(self) -> str:
        if not self.column_head:
            return ""
        self.column_head = False
        return "q\\p" + "".join(f" {i:3d}" for i in range(self.session.n_processes)) + "\n"

    def message_texts(self, fields: list[MessageField], values: tuple[int, ...]) -> list[str]:
        """The fields of a message; those that were not given read 0."""
        padded = values + (0,) * (len(fields) - len(values))
        return [self.message_value(fld, value) for fld, value in zip(fields, padded, strict=False)]

    def message_value(self, fld: MessageField, value: int) -> str:
        if fld.kind is n.Kind.CHAN and not self.sends_numbers:
            return str(self.memory.queue(value))
        if fld.kind is not n.Kind.MTYPE:
            return str(value)
        return str(self.machine.mtype_name(fld.subtype, value))

    @functools.cached_property
    def sends_numbers(self) -> bool:
        """May a field for channels hold something else? Then nobody knows what a value there means."""
        elements = (el for automaton in self.machine.system.automata for el in automaton.body.elements)
        return any(self.sends_number(el.stmt) for el in elements if isinstance(el.stmt, n.Send))

    def sends_number(self, stmt: n.Send) -> bool:
        """Does a send put something that is no channel where a channel may be expected?"""
        through = last_link(stmt.chan).symbol
        kinds = self.machine.program.channels
        known = [kind for kind in kinds if kind.symbol is through] or kinds
        places = {i for kind in known for i, fld in enumerate(kind.fields) if fld.kind is n.Kind.CHAN}
        return any(i in places and not _is_channel(arg) for i, arg in enumerate(flatten_args(stmt.args)))

    def channel_of(self, el: Element, note: Note, pid: int) -> n.VarRef | None:
        """The channel a message went through, as the statement names it."""
        stmt = el.stmt
        if note.kind != library.NOTE_POLL and isinstance(stmt, n.Send | n.Receive):
            return stmt.chan
        polled = [e.chan for e in expressions_of(stmt) if isinstance(e, n.Poll)] if stmt is not None else []
        for chan in polled:
            if self.holding(chan, note.subject, pid):
                return chan
        return polled[0] if polled else None

    def leaves(self, ref: n.VarRef, pid: int) -> list[Leaf]:
        """The values a reference may mean."""
        symbol = ref.symbol
        if symbol is None:
            return []
        owner = self.memory.globals if symbol.context is None else self.owner(pid)
        if owner is None:
            return []
        return [leaf for variable in owner.variables if variable.symbol is symbol for leaf in variable.leaves]

    def owner(self, pid: int) -> Owner | None:
        return self.memory.processes[pid] if 0 <= pid < len(self.memory.processes) else None

    def holding(self, ref: n.VarRef, channel: int, pid: int) -> list[Leaf]:
        """The values a reference may mean that are this channel."""
        local = self.owner(pid) if ref.symbol is not None and ref.symbol.context is not None else None
        raw = (local or self.memory.globals).raw
        return [x for x in self.leaves(ref, pid) if x.symbol.kind is n.Kind.CHAN and raw[x.at] == channel]

    def channel_name(self, ref: n.VarRef, channel: int, pid: int) -> str:
        """The name SPIN gives a channel: the index of a struct comes last."""
        holding = self.holding(ref, channel, pid)
        top, leaf = ref, ref
        path = source_name(ref.symbol, ref.name)
        while leaf.field is not None:
            leaf = leaf.field
            path += f".{leaf.name}" if leaf.field is None else "."
        found = next((x for x in holding if x.symbol is leaf.symbol), None)
        text = path + _index_text(leaf, f"[{found.index}]" if found is not None else "[0]")
        if leaf is top:
            return text
        outer = found.name.partition("[")[2].partition("]")[0] if found is not None else "0"
        return text + _index_text(top, f"[{outer}]")

    # ---- variables

    def shows_steps_of(self, pid: int) -> bool:
        """Are steps of this process shown now?"""
        if self.depth < self.options.skip:
            return False
        return self.options.shows(VERBOSE) or (self.options.shows(SHOW_STEPS) and pid != CLAIM_PID)

    def dump_after(self, pid: int, automaton: Automaton, inside_d_step: bool = False) -> None:
        """The variables, after a step."""
        if self.options.shows(SHOW_GLOBALS):
            self.dump_globals(final=False)
        if self.options.shows(SHOW_LOCALS):
            self.dump_locals(pid, automaton, final=False)
        if self.options.gui and not inside_d_step:
            self.write("\n")

    def is_news(self, owner: Owner, variable: Variable) -> bool:
        if not self.options.shows(SHOW_STEPS) or self.options.shows(SHOW_ALL) or self.options.skip == self.depth:
            return True
        # SPIN never notices that a struct was set.
        return variable.symbol.struct is None and owner.set_at.get(id(variable.symbol), 0) >= self.depth

    def dump_globals(self, final: bool) -> None:
        owner = self.memory.globals
        for variable in owner.variables:
            symbol = variable.symbol
            if symbol.kind is n.Kind.CHAN:
                self.dump_channels(variable, owner.raw, "")
            elif symbol.struct is not None:
                if final or self.is_news(owner, variable):
                    self.dump_struct(variable, owner.raw, "", "")
            elif final or self.is_news(owner, variable):
                self.dump_values(variable, owner.raw, "")

    def dump_locals(self, pid: int, automaton: Automaton, final: bool) -> None:
        """Latest declaration first: SPIN keeps them so."""
        if pid == CLAIM_PID:
            return
        owner = self.owner(pid)
        assert owner is not None
        owner.raw = self.session.raw(pid)
        name = automaton.process.name
        for variable in reversed(owner.variables):
            symbol = variable.symbol
            if symbol.struct is not None:
                self.memory.look_at_local(owner, variable)
                self.dump_struct(variable, owner.raw, f"{name}({pid}):", f"{name}({pid + self.claimed}):")
            elif symbol.kind is n.Kind.CHAN:
                self.dump_channels(variable, owner.raw, f"{name}({pid}):")
            elif final or self.is_news(owner, variable):
                self.dump_values(variable, owner.raw, f"{name}({pid}):", f"{name}({pid + self.claimed}):")

    def dump_values(self, variable: Variable, raw: list[int], prefix: str, tracked_as: str = "") -> None:
        for leaf in variable.leaves:
            value = self.dump_value(leaf, raw, prefix)
            if self.options.track and variable.symbol.show and not self.at_end:
                self.track(leaf, value, tracked_as)

    def dump_value(self, leaf: Leaf, raw: list[int], prefix: str) -> int | str:
        value: int | str = raw[leaf.at]
        if leaf.symbol.kind is n.Kind.MTYPE:
            value = self.machine.mtype_name(leaf.symbol.subtype, raw[leaf.at])
        self.write(f"\t\t{prefix}{leaf.name} = {value}\n")
        return value

    def track(self, leaf: Leaf, value: int | str, prefix: str) -> None:
        """-Y: variables declared with `show` once more, for clients as a step in a column of its own."""
        name = prefix + leaf.symbol.name
        if not self.options.gui:
            self.write(f"\t\t{name} = {value}\n")
            return
        column = self.tracked.setdefault(id(leaf.symbol), len(self.tracked) % 10 + 1)
        kind = "locvar" if prefix else "globvar"
        place = f'{self.depth:3d}:\tproc {self.memory.n_created + column - 1:3d} (TRACK) line   1 "var" (state 0)'
        self.write(
            f"MSC: ~G {name} {value}\n{place}\t[printf('MSC: {kind}\\\\n')]\n\t\t{prefix}{leaf.name} = {value}\n"
        )

    def dump_struct(self, variable: Variable, raw: list[int], channel_prefix: str, prefix: str) -> None:
        self.memory.look_at_all(variable)
        for leaf in variable.leaves:
            if leaf.symbol.kind is n.Kind.CHAN:
                own = leaf.symbol.name + (f"[{leaf.index}]" if leaf.symbol.is_array else "")
                self.dump_queue(raw[leaf.at], f"{channel_prefix}{own}")
            else:
                self.dump_value(leaf, raw, prefix)

    def dump_channels(self, variable: Variable, raw: list[int], prefix: str) -> None:
        if self.memory.is_seen(variable):
            for leaf in variable.leaves:
                self.dump_queue(raw[leaf.at], f"{prefix}{leaf.name}")

    def dump_queue(self, channel: int, name: str) -> None:
        if not 1 <= channel <= self.session.n_channels or channel not in self.memory.queues:
            return
        kind = self.machine.program.channels[self.session.channel_kind(channel)]
        if kind.capacity == 0:
            return  # always empty
        if self.options.gui and self.options.shows(SHOW_STEPS) and not self.all_queues:
            if self.memory.queue_set_at.get(channel, 0) < self.depth:
                return
        self.write(f"\t\tqueue {self.memory.queue(channel)} ({name}): ")
        for message in self.session.channel_raw(channel):
            shown = [self.message_value(fld, value) for fld, value in zip(kind.fields, message, strict=True)]
            self.write(f"[{','.join(shown)}]")
        self.write("\n")

    # ---- the end

    def final_state(self, at: dict[int, Element | None]) -> None:
        """Everything there is to say about the last state; `at` tells where the processes stand."""
        if self.options.no_end:
            return
        if self.options.columns:
            self.write("-------------\nfinal state:\n-------------\n")
        alive = self.session.n_processes
        if alive or self.session.claim is not None:
            self.write(f"#processes: {alive}\n")
            self.at_end = self.all_queues = True
            self.dump_globals(final=True)
            self.all_queues = False
            for pid in [*range(alive - 1, -1, -1), *([CLAIM_PID] if CLAIM_PID in at else [])]:
                automaton = self.session.process(pid)
                self.talk(pid, automaton, at.get(pid))
                self.write("\n")
                if self.options.shows(SHOW_LOCALS):
                    self.dump_locals(pid, automaton, final=True)
        created = self.memory.n_created
        plural = self.options.gui or created + (self.session.claim is not None) != 1
        self.write(f"{created} process{'es' if plural else ''} created\n")


def _is_channel(arg: n.Expr) -> bool:
    symbol = last_link(arg).symbol if isinstance(arg, n.VarRef) else None
    return symbol is not None and symbol.kind is n.Kind.CHAN


def _index_text(ref: n.VarRef, computed: str) -> str:
    """The index of a reference; `computed` if it is no constant."""
    if ref.symbol is None or not ref.symbol.is_array:
        return ""
    if ref.index is None or isinstance(ref.index, n.Const):
        return f"[{ref.index.value if isinstance(ref.index, n.Const) else 0}]"
    return computed


def statement_text(el: Element) -> str:
    """A statement in SPIN's brackets. Its simulator shows strings as they would stand in C."""
    text = element_text(el)
    if el.op is Op.PRINTF:
        text = text.replace("\\", "\\\\")
    elif el.op is Op.PRINTM:
        text = text.replace("'", '"')
    return f"[{text}]"
