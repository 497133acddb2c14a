"""A layered drawing of a small graph: where boxes, labels and curves go (after Sugiyama).

Ranks run from top to bottom. Every edge carries its label as a box of its own on the rank below its
source, so labels cannot cover anything; longer edges pass through points on the ranks between.
Edges that would lead upwards are turned round while places are sought. A loop hangs at the
right side of its box, which is made wide enough for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

SWEEPS = 12  # passes over all ranks, for the order in them and again for the places
GAP_X, GAP_Y = 26.0, 22.0
LOOP = 34.0  # width of a loop without its label


@dataclass(slots=True)
class Box:
    """A node or a label: its size is given, its centre is found."""

    width: float
    height: float
    x: float = 0.0
    y: float = 0.0


@dataclass(slots=True)
class Link:
    """An edge: what it joins, its label's box, and the points its curve passes, source first."""

    source: int
    target: int
    label: Box
    points: list[tuple[float, float]] = field(default_factory=list)


@dataclass(slots=True)
class Drawing:
    boxes: list[Box]
    links: list[Link]
    width: float
    height: float


@dataclass(slots=True, eq=False)
class _Spot:
    """A place on a rank: a node, a label or a point of a longer edge."""

    rank: int
    left: float  # how far it reaches to both sides of its centre
    right: float
    height: float
    above: list[_Spot] = field(default_factory=list)
    below: list[_Spot] = field(default_factory=list)
    x: float = 0.0
    place: float = 0.0  # in its rank, while the order is sought


def lay_out(boxes: list[Box], links: list[Link], start: int) -> Drawing:
    """Finds a place for everything; boxes and links are filled in."""
    forward = _acyclic(len(boxes), links, start)
    rank = _ranks(len(boxes), forward)
    spots = [_Spot(2 * rank[i], box.width / 2, box.width / 2, box.height) for i, box in enumerate(boxes)]
    _make_room_for_loops(spots, links)
    chains = [_chain(spots, link, forward[i]) for i, link in enumerate(links)]
    rows = _rows(spots, chains)
    _order(rows)
    _place(rows)
    heights = _heights(rows)
    for box, spot in zip(boxes, spots, strict=True):
        box.x, box.y = spot.x, heights[spot.rank]
    for i, link in enumerate(links):
        _route(link, boxes, chains[i], heights, forward[i])
    edge = max((s.x + s.right for row in rows for s in row), default=0.0)
    bottom = max((heights[s.rank] + s.height / 2 for row in rows for s in row), default=0.0)
    return Drawing(boxes, links, edge + GAP_X, bottom + GAP_Y)


# ---------------------------------------------------------------- ranks


def _acyclic(count: int, links: list[Link], start: int) -> list[tuple[int, int] | None]:
    """Each link in the direction that leads downwards; None for loops."""
    out: list[list[int]] = [[] for _ in range(count)]
    for i, link in enumerate(links):
        out[link.source].append(i)
    state = [0] * count  # 1 while on the path, 2 when done
    turned: set[int] = set()
    for root in [start, *range(count)]:
        if state[root]:
            continue
        state[root] = 1
        work = [(root, iter(out[root]))]
        while work:
            node, pending = work[-1]
            for i in pending:
                target = links[i].target
                if state[target] == 1 and target != node:
                    turned.add(i)
                elif state[target] == 0:
                    state[target] = 1
                    work.append((target, iter(out[target])))
                    break
            else:
                state[node] = 2
                work.pop()
    return [
        None if link.source == link.target
        else (link.target, link.source) if i in turned
        else (link.source, link.target)
        for i, link in enumerate(links)
    ]  # fmt: skip


def _ranks(count: int, forward: list[tuple[int, int] | None]) -> list[int]:
    """The length of the longest way to each node."""
    rank = [0] * count
    edges = [pair for pair in forward if pair is not None]
    for _ in range(count):
        changed = False
        for source, target in edges:
            if rank[target] < rank[source] + 1:
                rank[target] = rank[source] + 1
                changed = True
        if not changed:
            break
    return rank


def _make_room_for_loops(spots: list[_Spot], links: list[Link]) -> None:
    for link in links:
        if link.source == link.target:
            spots[link.source].right += LOOP + link.label.width
            spots[link.source].height = max(spots[link.source].height, link.label.height)


def _chain(spots: list[_Spot], link: Link, pair: tuple[int, int] | None) -> list[_Spot]:
    """The spots between the ends of a link, from top to bottom; its label is one of them."""
    if pair is None:
        return []
    upper, lower = spots[pair[0]], spots[pair[1]]
    turned = pair[0] != link.source
    labelled = lower.rank - 1 if turned else upper.rank + 1
    chain = []
    last = upper
    for rank in range(upper.rank + 1, lower.rank):
        half = link.label.width / 2 if rank == labelled else 2.0
        spot = _Spot(rank, half, half, link.label.height if rank == labelled else 0.0)
        last.below.append(spot)
        spot.above.append(last)
        chain.append(spot)
        last = spot
    last.below.append(lower)
    lower.above.append(last)
    return chain


# ---------------------------------------------------------------- order and places


def _rows(spots: list[_Spot], chains: list[list[_Spot]]) -> list[list[_Spot]]:
    every = spots + [spot for chain in chains for spot in chain]
    rows: list[list[_Spot]] = [[] for _ in range(max((s.rank for s in every), default=0) + 1)]
    for spot in every:
        rows[spot.rank].append(spot)
    return rows


def _number(row: list[_Spot]) -> None:
    for i, spot in enumerate(row):
        spot.place = i


def _order(rows: list[list[_Spot]]) -> None:
    """Sorts each rank by where the neighbours are, down and up, and keeps the order with fewest crossings."""
    for row in rows:
        _number(row)
    best, fewest = [list(row) for row in rows], _crossings(rows)
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        for row in rows if down else reversed(rows):
            for spot in row:
                near = spot.above if down else spot.below
                if near:
                    spot.place = sum(other.place for other in near) / len(near)
            row.sort(key=lambda spot: spot.place)
            _number(row)
        crossings = _crossings(rows)
        if crossings < fewest:
            best, fewest = [list(row) for row in rows], crossings
    for row, found in zip(rows, best, strict=True):
        row[:] = found
        _number(row)


def _crossings(rows: list[list[_Spot]]) -> int:
    count = 0
    for row in rows:
        lines = [(spot.place, other.place) for spot in row for other in spot.below]
        count += sum(
            (a - c) * (b - d) < 0 for i, (a, b) in enumerate(lines) for c, d in lines[i + 1 :]
        )  # fmt: skip
    return count


def _place(rows: list[list[_Spot]]) -> None:
    """Moves spots towards their neighbours as far as the others in their rank allow."""
    for row in rows:
        _settle(row, lambda spot: 0.0)
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        for row in rows if down else reversed(rows):
            _settle(row, _wish_down if down else _wish_up)
    for row in rows:
        _settle(row, _wish_both)
    shift = GAP_X - min((s.x - s.left for row in rows for s in row), default=0.0)
    for row in rows:
        for spot in row:
            spot.x += shift


def _mean(spots: list[_Spot], otherwise: float) -> float:
    return sum(spot.x for spot in spots) / len(spots) if spots else otherwise


def _wish_down(spot: _Spot) -> float:
    return _mean(spot.above, spot.x)


def _wish_up(spot: _Spot) -> float:
    return _mean(spot.below, spot.x)


def _wish_both(spot: _Spot) -> float:
    return _mean(spot.above + spot.below, spot.x)


def _settle(row: list[_Spot], wish: Callable[[_Spot], float]) -> None:
    """Puts a rank where its spots wish to be, as near as distances allow: neighbours that would
    collide are joined to a group, which goes to the mean of its wishes."""
    offset = 0.0
    offsets = []
    for i, spot in enumerate(row):
        if i:
            offset += row[i - 1].right + GAP_X + spot.left
        offsets.append(offset)
    groups: list[tuple[float, int]] = []  # mean of wishes less offsets, number of spots
    for spot, distance in zip(row, offsets, strict=True):
        mean, count = wish(spot) - distance, 1
        while groups and groups[-1][0] >= mean:
            other, more = groups.pop()
            mean, count = (other * more + mean * count) / (more + count), more + count
        groups.append((mean, count))
    i = 0
    for mean, count in groups:
        for _ in range(count):
            row[i].x = mean + offsets[i]
            i += 1


def _heights(rows: list[list[_Spot]]) -> list[float]:
    """The middle of each rank."""
    heights = []
    y = GAP_Y
    for row in rows:
        tall = max((spot.height for spot in row), default=0.0)
        heights.append(y + tall / 2)
        y += tall + GAP_Y
    return heights


# ---------------------------------------------------------------- curves


def _route(
    link: Link, boxes: list[Box], chain: list[_Spot], heights: list[float], pair: tuple[int, int] | None
) -> None:
    source, target = boxes[link.source], boxes[link.target]
    if pair is None:
        side = source.x + source.width / 2
        link.label.x, link.label.y = side + LOOP + link.label.width / 2, source.y
        link.points = [(side, source.y - source.height / 4), (side, source.y + source.height / 4)]
        return
    turned = pair[0] != link.source
    labelled = chain[-1 if turned else 0]
    link.label.x, link.label.y = labelled.x, heights[labelled.rank]
    middle = [(spot.x, heights[spot.rank]) for spot in chain]
    sign = -1 if turned else 1
    begin = (source.x + _port(source, middle), source.y + sign * source.height / 2)
    end = (target.x + _port(target, middle), target.y - sign * target.height / 2)
    link.points = [begin, *(reversed(middle) if turned else middle), end]


def _port(box: Box, middle: list[tuple[float, float]]) -> float:
    """How far from the middle of its side a curve leaves a box: towards where it goes."""
    near = middle[0] if box.y < middle[0][1] else middle[-1]
    reach = max(-0.4, min(0.4, (near[0] - box.x) / 260))
    return reach * box.width
