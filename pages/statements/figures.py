"""Figures of the ledger: a square per statement, and what is printed beside what holds."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pages import charts
from pages.statements import run
from pages.statements.view import LOOKS, View, chosen, group, ordered
from rates import errata
from rates.statements import Statement, StoredVerdict

_ROW = 24  # pixels for a row of squares
_ACROSS = 41  # squares in a row, as many as have room for their marks on a phone
_HALF = 0.43  # of a square's side; the rest is the gap
_FRAME = 110  # pixels for title and legend
_PRINTED = LOOKS["refuted"].colour


def by_place(
    view: View, other: tuple[tuple[str, tuple[StoredVerdict, ...]], ...] = ()
) -> charts.Figure:
    """A square for every statement, in the papers' order, coloured and marked by its verdict.

    Args:
        view: What it leaves out is faint.
        other: Verdicts by id that differ from the stored ones.
    """
    verdicts = {**run.stored(), **dict(other)}
    inside = {item.id for item in chosen(verdicts, view)}
    groups = {item.id: group(verdicts[item.id][0]) for item in ordered()}
    spots, ticks = _places(ordered())
    squares, marks, counts = [], [], []
    for name, look in LOOKS.items():
        items = [item for item in ordered() if groups[item.id] == name]
        if not items:
            continue
        counts.append(f"{len(items)} {look.words}")
        kept = [item for item in items if item.id in inside]
        left = [item for item in items if item.id not in inside]
        more: charts.Fields = {"group": name, "hover": "", "width": 0.0}
        for part, colour in ((kept, look.colour), (left, f"{look.colour}33")):
            if part:
                more |= {"fill": charts.Fill(colour), "listed": part is (kept or left)}
                path = _outlines([spots[item.id] for item in part])
                words = f"{look.mark} {look.words} ({len(items)})"
                squares.append(charts.line(*path, words, look.colour, **more))
        x, y = zip(*(spots[item.id] for item in items), strict=True)
        marks.append(
            charts.Curve(
                name=look.words,
                x=x,
                y=y,
                data=[[i.id, charts.label(i.title, 70), verdicts[i.id][0].words] for i in items],
                words=charts.Words(
                    texts=[look.mark] * len(items),
                    at="middle center",
                    font=charts.Font(size=10, colour="#ffffff"),
                ),
                hover="%{customdata[1]}<br>%{customdata[0]}: %{customdata[2]}",
                extra="",
                listed=False,
            )
        )
    rows = max(row for _, row in spots.values()) + 1
    found = errata.headline()
    return charts.plot(
        [*squares, *marks],
        charts.Axis(shown=False, span=(0.4, _ACROSS + 0.6), fixed=True),
        charts.Axis(
            ticks=charts.Ticks(list(ticks.values()), list(ticks)),
            span=(rows - 0.4, -0.6),
            fixed=True,
            grid=False,
            zero=False,
            gap=6,
        ),
        [
            {
                "id": item.id,
                "place": f"{item.paper} {item.section}",
                "verdict": LOOKS[groups[item.id]].words,
            }
            for item in ordered()
        ],
        title=f"{found.total} of {found.printed} printed statements do not hold as printed",
        head=24,
        height=_ROW * rows + _FRAME,
        legend=charts.Legend(entry=0, ordered=False, hanging=True, picks=False),
        choosing=True,
        alt=f"One square per statement, a row or more for each of {len(ticks)} papers: "
        f"{', '.join(counts)}. The list below holds the same statements as text.",
        name="statements-by-paper",
        caption="One square per statement, in the papers' order. A click opens it.",
    )


def _outlines(spots: Sequence[tuple[int, int]]) -> tuple[list[float], list[float]]:
    """Return squares around some places, with gaps between them."""
    x, y = [], []
    for column, row in spots:
        x += [column + side * _HALF for side in (-1, 1, 1, -1, -1)] + [math.nan]
        y += [row + side * _HALF for side in (-1, -1, 1, 1, -1)] + [math.nan]
    return x, y


def _places(items: Sequence[Statement]) -> tuple[dict[str, tuple[int, int]], dict[str, int]]:
    """Column and row of each statement by its id, and the first row of each paper."""
    spots: dict[str, tuple[int, int]] = {}
    ticks: dict[str, int] = {}
    row = column = 0
    for item in items:
        if item.paper not in ticks or column == _ACROSS:
            row, column = row + bool(ticks), 0
            ticks.setdefault(item.paper, row)
        column += 1
        spots[item.id] = (column, row)
    return spots, ticks


def drawn(name: str) -> charts.Figure:
    """Return the printed curve, dashed, and the computed one of an entry of `errata.FIRST`."""
    found = errata.shown(name)
    marks: list[charts.Mark] = []
    pair = [line.kind for line in found.lines] == ["printed", "computed"]
    if pair:
        printed, computed = found.lines
        marks += charts.band(computed.x, printed.y, computed.y, "rgba(200,56,74,0.15)")
    marks += [_curve(line, place, pair) for place, line in enumerate(found.lines)]
    ends = "; ".join(
        f"{line.name}: {charts.number(float(line.y[0]))} to {charts.number(float(line.y[-1]))}"
        for line in found.lines
    )
    return charts.plot(
        marks,
        _axis(found.x, found.across, found.logs),
        _axis(found.y, found.up, found.logs),
        {found.x: found.lines[0].x} | {line.name: line.y for line in found.lines},
        title=found.title,
        **charts.room(400, 90),
        alt=f"{found.title}. {found.y} against {found.x}, from left to right. {ends}.",
        name=f"difference-{name.casefold().replace(':', '-').replace('.', '-')}",
        caption=f"At {found.at}.",
    )


def _axis(title: str, ends: tuple[float, float], logs: bool) -> charts.Axis:
    if logs:
        return charts.log_axis(title, ends, fit=True, fixed=True)
    return charts.Axis(title=title, fixed=True)


def _curve(line: errata.Line, place: int, pair: bool) -> charts.Curve:
    """The printed line is dashed; without one, lines differ by their place."""
    colour, _, dash = charts.look(place)
    if pair:
        is_printed = line.kind == "printed"
        colour, dash = (_PRINTED, "dash") if is_printed else (charts.EQUATION, "solid")
    x, y = (values.astype("float32") for values in (line.x, line.y))
    return charts.line(x, y, line.name, colour, dash, 2.5, hover="%{x:.3g}: %{y:.3g}")
