"""Figures of the ledger: every statement at its place, and what is printed beside what holds."""

from __future__ import annotations

from collections.abc import Sequence

from pages import charts
from pages.statements import run
from pages.statements.view import LOOKS, View, chosen, group, ordered
from rates import errata
from rates.statements import Statement, StoredVerdict

_ROW = 22  # pixels for a row of marks
_ACROSS = 12  # marks in a row; more would touch on a phone
_FRAME = 130  # pixels for title and legend
_PRINTED = LOOKS["refuted"].colour


def by_place(
    view: View, other: tuple[tuple[str, tuple[StoredVerdict, ...]], ...] = ()
) -> charts.Figure:
    """Every statement at its place in the papers, marked by its verdict.

    Marks stand in rows by section; those of a section stand together.

    Args:
        view: What it leaves out is faint.
        other: Verdicts by id that differ from the stored ones.
    """
    verdicts = {**run.stored(), **dict(other)}
    inside = {item.id for item in chosen(verdicts, view)}
    groups = {item.id: group(verdicts[item.id][0]) for item in ordered()}
    spots, ticks = _places(ordered())
    curves, counts = [], []
    for name, look in LOOKS.items():
        items = [item for item in ordered() if groups[item.id] == name]
        if not items:
            continue
        counts.append(f"{len(items)} {look.words}")
        x, y = (list(place) for place in zip(*(spots[item.id] for item in items), strict=True))
        texts = [f"{charts.label(i.title, 70)}<br>{i.id}: {verdicts[i.id][0].words}" for i in items]
        dots = charts.Dots(
            symbol=look.symbol,
            colour=look.colour,
            size=11,
            edge=charts.Stroke(look.colour, 2),
            opacity=[1.0 if item.id in inside else 0.15 for item in items],
        )
        curve = charts.Curve(
            name=look.words,
            x=x,
            y=y,
            data=[[item.id] for item in items],
            words=charts.Words(texts=texts, shown=False),
            hover="%{text}",
            extra="",
            dots=dots,
            chosen_alike=True,
        )
        curves.append(curve)
    rows = max(row for _, row in spots.values()) + 1
    found = errata.headline()
    return charts.plot(
        curves,
        charts.Axis(shown=False, span=(0.3, _ACROSS + 0.7), fixed=True),
        charts.Axis(
            ticks=charts.Ticks(list(ticks.values()), list(ticks)),
            span=(rows - 0.3, -0.7),
            fixed=True,
            zero=False,
            gap=6,
        ),
        [
            {"id": item.id, "place": _place(item), "verdict": LOOKS[groups[item.id]].words}
            for item in ordered()
        ],
        title=f"{found.total} of {found.printed} printed statements do not hold as printed",
        head=64,
        height=_ROW * rows + _FRAME,
        legend=charts.Legend(entry=0, ordered=False, hanging=True, picks=False),
        choosing=True,
        alt=f"One mark per statement in {len(ticks)} sections of the papers: {', '.join(counts)}. "
        "The list below holds the same statements as text.",
        name="statements-by-section",
        caption="One mark per statement, in the papers' order. A click opens it.",
    )


def _place(item: Statement) -> str:
    return f"{item.paper} {item.section}"


def _places(items: Sequence[Statement]) -> tuple[dict[str, tuple[int, int]], dict[str, int]]:
    """Column and row of each statement by its id, and the first row of each section."""
    spots: dict[str, tuple[int, int]] = {}
    ticks: dict[str, int] = {}
    row = column = -1
    for item in items:
        if _place(item) not in ticks or column == _ACROSS:
            row, column = row + 1, 0
            ticks.setdefault(_place(item), row)
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
