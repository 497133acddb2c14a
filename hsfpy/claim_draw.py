"""Drawings of never claims: dot text for graphviz, and svg laid out here."""

from __future__ import annotations

import textwrap
from html import escape

from hsfpy.claim_view import ClaimView, Place
from hsfpy.layered import Box, Link, lay_out

# ---------------------------------------------------------------- dot

COLOURS = {"N": "#e8eaed", "F": "#cfead6", "P": "#fde8c4", "S": "#f8d0cc"}


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def claim_dot(view: ClaimView) -> str:
    """The claim for graphviz: accepting locations with two lines, a box around each component with a cycle."""
    lines = [
        f"digraph {_quoted(view.name)} {{",
        f"  label={_quoted(view.formula or view.name)}; labelloc=t; fontname=Helvetica;",
        "  node [shape=box, style=\"rounded,filled\", fontname=Helvetica]; edge [fontname=Courier, fontsize=10];",
        "  start [shape=point];",
    ]  # fmt: skip
    for members in view.analysis.components():
        shown = [view.places[i] for i in members]
        boxed = [place for place in shown if place.letter != "S"]
        if boxed and view.analysis.has_cycle(members):
            kind = boxed[0].letter
            lines.append(f"  subgraph cluster_{boxed[0].component} {{")
            lines.append(f'    label="component {boxed[0].component}: {kind}"; style=dashed; color=gray;')
            lines += [f"    {_dot_node(place)}" for place in boxed]
            lines.append("  }")
            shown = [place for place in shown if place.letter == "S"]
        lines += [f"  {_dot_node(place)}" for place in shown]
    lines.append(f"  start -> {view.analysis.graph.start};")
    for place in view.places.values():
        for target, labels in place.arrows.items():
            lines.append(f"  {place.number} -> {target} [label={_quoted(' || '.join(labels))}];")
    return "\n".join([*lines, "}", ""])


def _dot_node(place: Place) -> str:
    peripheries = ", peripheries=2" if place.accepting else ""
    return f'{place.number} [label={_quoted(place.name)}, fillcolor="{COLOURS[place.letter]}"{peripheries}];'


# ---------------------------------------------------------------- svg

CHAR, LINE = 6.7, 15.0  # size of a character in the drawing
LABEL = 46  # characters in a line of a label
LINES = 5  # lines of a label; the rest is in its tooltip
TITLE = 96  # characters in a line of the heading


def claim_svg(view: ClaimView) -> str:
    """The claim as a drawing of its own."""
    places = list(view.places.values())
    index = {place.number: i for i, place in enumerate(places)}
    boxes = [Box(max(64.0, CHAR * len(place.name) + 26), 40.0) for place in places]
    links, texts = [], []
    for place in places:
        for target, labels in place.arrows.items():
            shown = _wrapped(labels)
            width = CHAR * max(map(len, shown)) + 8
            links.append(Link(index[place.number], index[target], Box(width, LINE * len(shown))))
            texts.append((shown, " || ".join(labels)))
    drawing = lay_out(boxes, links, index[view.analysis.graph.start])
    title = textwrap.wrap(view.formula or view.name, TITLE, max_lines=3, placeholder=" ...")
    top = 42.0 + 16 * len(title)
    width = max(drawing.width, 1.1 * CHAR * max(map(len, title)) + 40, 420.0)
    body = [_svg_link(link) for link in links]
    body += [_svg_label(link, shown, full) for link, (shown, full) in zip(links, texts, strict=True)]
    body += [_svg_place(place, box, view) for place, box in zip(places, boxes, strict=True)]
    first = boxes[index[view.analysis.graph.start]]
    body.append(_svg_path([(first.x, -14.0), (first.x, first.y - first.height / 2)], "start"))
    shift = (width - drawing.width) / 2
    return _SVG.format(
        width=round(width),
        height=round(drawing.height + top + 34),
        title="\n  ".join(
            f'<text class="title" x="20" y="{24 + 16 * i}">{escape(line)}</text>' for i, line in enumerate(title)
        ),
        shift=round(shift, 1),
        top=top,
        body="\n    ".join(body),
        legend=_legend(view, drawing.height + top + 16),
    )


_SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">
  <style>
    text {{ font: 11px "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #202124; }}
    .title {{ font-weight: bold; font-size: 12px; }}
    .small {{ font-size: 9px; fill: #5f6368; }}
    .box {{ stroke: #3c4043; stroke-width: 1.2; }}
    .inner {{ fill: none; stroke: #3c4043; stroke-width: 1; }}
    .link {{ fill: none; stroke: #5f6368; stroke-width: 1.2; }}
    .halo {{ fill: white; fill-opacity: 0.92; }}
  </style>
  <defs>
    <marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">
      <path d="M0,1 L10,5 L0,9 z" fill="#5f6368"/>
    </marker>
  </defs>
  <rect width="100%" height="100%" fill="white"/>
  {title}
  <g transform="translate({shift},{top})">
    {body}
  </g>
  {legend}
</svg>
"""


def _wrapped(labels: list[str]) -> list[str]:
    lines = [line for label in labels for line in textwrap.wrap(_breakable(label), LABEL) or [""]]
    return lines if len(lines) <= LINES else [*lines[: LINES - 1], "..."]


def _breakable(label: str) -> str:
    """A condition with blanks where a line may end, and without needless parentheses around it."""
    if label.startswith("(") and label.endswith(")") and _closes(label) == len(label) - 1:
        label = label[1:-1]
    return label.replace("&&", " && ").replace("||", " || ")


def _closes(text: str) -> int:
    """Where the parenthesis that a text begins with is closed."""
    depth = 0
    for i, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return i
    return -1


def _svg_path(points: list[tuple[float, float]], what: str) -> str:
    """A smooth curve through the points that begins and ends upright."""
    slopes = []
    for i in range(len(points)):
        before, after = points[max(0, i - 1)], points[min(len(points) - 1, i + 1)]
        inner = 0 < i < len(points) - 1
        slopes.append(((after[0] - before[0]) / 2 * inner, (after[1] - before[1]) / (2 if inner else 1)))
    d = ["M{:.1f},{:.1f}".format(*points[0])]
    for (x, y), (to_x, to_y), here, there in zip(points, points[1:], slopes, slopes[1:], strict=False):
        first = (x + here[0] / 3, y + here[1] / 2)
        second = (to_x - there[0] / 3, to_y - there[1] / 2)
        d.append("C{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}".format(*first, *second, to_x, to_y))
    return f'<path class="link" d="{" ".join(d)}" marker-end="url(#tip)"><title>{escape(what)}</title></path>'


def _svg_link(link: Link) -> str:
    if link.source != link.target:
        return _svg_path(link.points, "transition")
    (x, above), (_, below) = link.points
    return (
        f'<path class="link" d="M{x:.1f},{above:.1f} C{x + 30:.1f},{above - 12:.1f} {x + 30:.1f},{below + 12:.1f} '
        f'{x:.1f},{below:.1f}" marker-end="url(#tip)"/>'
    )


def _svg_label(link: Link, lines: list[str], full: str) -> str:
    box = link.label
    if link.source == link.target:
        left, anchor, x = box.x - box.width / 2, "start", box.x - box.width / 2 - 6
    else:
        left, anchor, x = box.x - box.width / 2, "middle", box.x
    rows = [
        f'<text x="{x:.1f}" y="{box.y + LINE * (i - (len(lines) - 1) / 2) + 4:.1f}" text-anchor="{anchor}">'
        f"{escape(line)}</text>"
        for i, line in enumerate(lines)
    ]
    halo = ""
    if link.source != link.target:
        halo = (
            f'<rect class="halo" x="{left:.1f}" y="{box.y - box.height / 2:.1f}" width="{box.width:.1f}" '
            f'height="{box.height:.1f}"/>'
        )
    return f"<g><title>{escape(full)}</title>{halo}{''.join(rows)}</g>"


def _svg_place(place: Place, box: Box, view: ClaimView) -> str:
    x, y = box.x - box.width / 2, box.y - box.height / 2
    round_ = 8 if place.letter != "S" else 2
    parts = [
        f'<rect class="box" x="{x:.1f}" y="{y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="{round_}" '
        f'fill="{COLOURS[place.letter]}"/>'
    ]
    if place.accepting:
        parts.append(
            f'<rect class="inner" x="{x + 3:.1f}" y="{y + 3:.1f}" width="{box.width - 6:.1f}" '
            f'height="{box.height - 6:.1f}" rx="{max(1, round_ - 3)}"/>'
        )
    note = "violated" if place.letter == "S" else f"component {place.component}, {place.letter}"
    parts.append(f'<text x="{box.x:.1f}" y="{box.y - 1:.1f}" text-anchor="middle">{escape(place.name)}</text>')
    small = f"{place.component}: {place.letter}" if place.letter != "S" else "S"
    parts.append(f'<text class="small" x="{box.x:.1f}" y="{box.y + 12:.1f}" text-anchor="middle">{small}</text>')
    return f"<g><title>location {place.number}, {note}</title>{''.join(parts)}</g>"


def _legend(view: ClaimView, y: float) -> str:
    texts = {"N": "no accepting cycle", "F": "every cycle accepts", "P": "some cycles accept", "S": "violated at once"}
    x = 20.0
    parts = []
    for letter in "NFPS":
        if any(place.letter == letter for place in view.places.values()):
            text = f"{letter} {texts[letter]}"
            parts.append(
                f'<rect class="inner" style="fill:{COLOURS[letter]}" x="{x:.0f}" y="{y - 9:.0f}" width="11" '
                f'height="11" rx="2"/><text class="small" x="{x + 16:.0f}" y="{y:.0f}">{text}</text>'
            )
            x += 34 + 5.6 * len(text)
    return "".join(parts)
