"""Message sequence charts as SVG."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from hsfpy.trail.chart import HEAD, MARGIN, Layout, short
from hsfpy.trail.run import Run, RunStep

_STYLE = """\
text{font:12px ui-sans-serif,system-ui,sans-serif;fill:#1f2937}
.head{font-weight:600;text-anchor:middle}.number{fill:#9ca3af;text-anchor:end;font-size:10px}
.label{paint-order:stroke;stroke:#fff;stroke-width:4px}.local{text-anchor:middle;font-size:11px}
.message{fill:none;stroke:#1f2937;stroke-width:1.4}.copied,.pending{stroke-dasharray:4 3}
.cycle{fill:#fef3c7}.cycle-mark{fill:#92400e;font-weight:600}.error{fill:#b91c1c;font-weight:600}"""


def svg(run: Run) -> str:
    """The chart as an SVG document."""
    return _Drawing(Layout(run)).text()


class _Drawing:
    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.run = layout.run

    def text(self) -> str:
        width = self.layout.width
        ending = self._ending()
        height = self.layout.bottom + 20 * len(ending) + 12
        body = [*self._cycle(), *self._lifelines(), *self._steps(), *self._messages(), *ending]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}">\n<style>{_STYLE}</style>\n'
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
            'orient="auto-start-reverse"><path d="M0,0 8,4 0,8z" fill="#1f2937"/></marker></defs>\n'
            f'<rect width="{width}" height="{height}" fill="#fff"/>\n' + "\n".join(body) + "\n</svg>\n"
        )

    def _cycle(self) -> Iterator[str]:
        top = self.layout.cycle_top
        if top is None:
            return
        height = max(4, self.layout.bottom - top)
        yield (
            f'<rect class="cycle" x="0" y="{top}" width="{self.layout.width}" height="{height}"/>'
            f'<text class="cycle-mark" x="4" y="{top + 12}">cycle</text>'
        )

    def _lifelines(self) -> Iterator[str]:
        for line in self.layout.lines:
            x = self.layout.columns[line.pid]
            title = self.layout.title(line)
            for first, last in line.spans:
                top = HEAD - 12 if first == 0 else self.layout.y(first)
                bottom = self.layout.bottom if last == len(self.run) else self.layout.y(last + 1)
                yield f'<path d="M{x},{top}V{bottom}" stroke="{line.colour}" stroke-width="1.5" opacity=".5"/>'
                if last < len(self.run):
                    yield f'<path d="M{x - 6},{bottom}h12" stroke="{line.colour}" stroke-width="2"/>'
            yield f'<text class="head" x="{x}" y="20" style="fill:{line.colour}">{_safe(title)}</text>'

    def _steps(self) -> Iterator[str]:
        for step in self.layout.steps:
            y = self.layout.y(step.number)
            yield f'<text class="number" x="{MARGIN - 12}" y="{y + 4}">{step.number}</text>'
            if not step.transfers:
                yield self._local(step, y)

    def _local(self, step: RunStep, y: int) -> str:
        x = self.layout.columns[step.pid]
        text = self.layout.local_text(step)
        width = self.layout.box_width(text)
        colour = self.layout.colour(step)
        return (
            f'<g><title>{_safe(self._tip(step))}</title><rect x="{x - width // 2}" y="{y - 10}" width="{width}" '
            f'height="20" rx="4" fill="#fff" stroke="{colour}"/>'
            f'<text class="local" x="{x}" y="{y + 4}">{_safe(text)}</text></g>'
        )

    def _tip(self, step: RunStep) -> str:
        return f"{step.actor.name}: {step.text} ({step.file}:{step.line})"

    def _messages(self) -> Iterator[str]:
        for arrow in self.layout.arrows:
            x1, y1 = self.layout.columns[arrow.sender], self.layout.y(arrow.send_step)
            label = f"{arrow.channel}!{arrow.text}"
            side = 1  # the label stands beside the sender, on the side of the receiver
            if arrow.receiver is None or arrow.receive_step is None:
                path, kind = f"M{x1},{y1}h28", "message pending"
                end = f'<circle cx="{x1 + 32}" cy="{y1}" r="4" class="message"/>'
            else:
                x2, y2 = self.layout.columns[arrow.receiver], self.layout.y(arrow.receive_step)
                path, end, side = f"M{x1},{y1}L{x2},{y2}", "", -1 if x2 < x1 else 1
                if x1 == x2:
                    path = f"M{x1},{y1}C{x1 + 60},{y1} {x2 + 60},{y2} {x2},{y2}"
                kind = "message rendezvous" if arrow.is_rendezvous else "message buffered"
                kind += " copied" if arrow.copied else ""
            tip = "" if arrow.receiver is None else ' marker-end="url(#tip)"'
            anchor = "start" if side > 0 else "end"
            yield (
                f'<g><title>{_safe(label)}</title><path class="{kind}" d="{path}"{tip}/>{end}<text class="label" '
                f'text-anchor="{anchor}" x="{x1 + 8 * side}" y="{y1 - 5}">{_safe(short(label, 32))}</text></g>'
            )

    def _ending(self) -> list[str]:
        first = self.layout.bottom + 18
        return [
            f'<text class="{kind}" x="{MARGIN}" y="{first + 20 * i}">{_safe(text)}</text>'
            for i, (kind, text) in enumerate(self.layout.ending())
        ]


def _safe(text: str) -> str:
    """Text for XML; control characters have no place there."""
    return escape("".join(c if c >= " " else "·" for c in text).encode("utf-8", "replace").decode())
