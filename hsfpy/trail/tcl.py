"""Message sequence charts as programs for wish: `spin -M`."""

from __future__ import annotations

from collections.abc import Iterator

from hsfpy.trail.chart import HEAD, MARGIN, Arrow, Layout, Lifeline, short
from hsfpy.trail.run import Run, RunStep

_COLOURS = {"error": "#b91c1c", "cycle-mark": "#92400e", "note": "#1f2937"}


def tcl_script(run: Run, title: str) -> str:
    """A program that shows the chart in a window."""
    layout = Layout(run)
    height = layout.bottom + 20 * len(layout.ending()) + 12
    lines = _window(title, layout.width, height)
    if layout.cycle_top is not None:
        lines.append(f".c create rectangle 0 {layout.cycle_top} {layout.width} {layout.bottom} -fill #fef3c7 -width 0")
    for line in layout.lines:
        lines += _lifeline(layout, line)
    for step in layout.steps:
        lines += _step(layout, step)
    for arrow in layout.arrows:
        lines += _message(layout, arrow)
    lines += _ending(layout)
    return "\n".join(lines) + "\n"


def _window(title: str, width: int, height: int) -> list[str]:
    return [
        f"wm title . {_word(title)}",
        f"wm geometry . {min(width, 1000)}x{min(height, 600)}",
        f"canvas .c -bg white -scrollregion {{0 0 {width} {height}}} \\",
        "    -xscrollcommand {.hscroll set} -yscrollcommand {.vscroll set}",
        "scrollbar .vscroll -command {.c yview}",
        "scrollbar .hscroll -orient horizontal -command {.c xview}",
        "pack .vscroll -side right -fill y",
        "pack .hscroll -side bottom -fill x",
        "pack .c -expand yes -fill both",
    ]


def _lifeline(layout: Layout, line: Lifeline) -> Iterator[str]:
    x, n_states = layout.columns[line.pid], len(layout.run)
    for first, last in line.spans:
        top = HEAD - 12 if first == 0 else layout.y(first)
        bottom = layout.bottom if last == n_states else layout.y(last + 1)
        yield f".c create line {x} {top} {x} {bottom} -fill {line.colour}"
        if last < n_states:
            yield f".c create line {x - 6} {bottom} {x + 6} {bottom} -fill {line.colour} -width 2"
    yield f".c create text {x} 18 -fill {line.colour} -text {_word(layout.title(line))}"


def _step(layout: Layout, step: RunStep) -> Iterator[str]:
    y = layout.y(step.number)
    yield f".c create text {MARGIN - 12} {y} -anchor e -fill grey -text {step.depth}"
    if step.transfers:
        return
    text = layout.local_text(step)
    x, half = layout.columns[step.pid], layout.box_width(text) // 2
    yield f".c create rectangle {x - half} {y - 10} {x + half} {y + 10} -fill ivory -outline {layout.colour(step)}"
    yield f".c create text {x} {y} -font {{Helvetica -11}} -text {_word(text)}"


def _message(layout: Layout, arrow: Arrow) -> Iterator[str]:
    x1, y1 = layout.columns[arrow.sender], layout.y(arrow.send_step)
    if arrow.receiver is None or arrow.receive_step is None:
        side, dash = 1, " -dash {4 3}"
        yield f".c create line {x1} {y1} {x1 + 28} {y1} -fill darkblue{dash}"
        yield f".c create oval {x1 + 28} {y1 - 4} {x1 + 36} {y1 + 4} -outline darkblue"
    else:
        x2, y2 = layout.columns[arrow.receiver], layout.y(arrow.receive_step)
        side, dash = -1 if x2 < x1 else 1, " -dash {4 3}" if arrow.copied else ""
        way = f"{x1} {y1} {x1 + 40} {y1} {x2 + 40} {y2} {x2} {y2} -smooth 1" if x1 == x2 else f"{x1} {y1} {x2} {y2}"
        colour = "darkred" if arrow.is_rendezvous else "darkblue"
        yield f".c create line {way} -fill {colour} -arrow last{dash}"
    label = short(f"{arrow.channel}!{arrow.text}", 32)
    yield f".c create text {x1 + 8 * side} {y1 - 8} -anchor {'w' if side > 0 else 'e'} -text {_word(label)}"


def _ending(layout: Layout) -> Iterator[str]:
    for i, (kind, text) in enumerate(layout.ending()):
        y = layout.bottom + 14 + 20 * i
        yield f".c create text {MARGIN} {y} -anchor w -fill {_COLOURS[kind]} -text {_word(text)}"


def _word(text: str) -> str:
    """Any text as one word of Tcl."""
    quoted = "".join(f"\\{c}" if c in '\\"[]{}$;' else c for c in text.replace("\n", " "))
    return f'"{quoted}"'
