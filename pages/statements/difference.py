"""Figure: what is printed beside what is computed, for a slip that changes a conclusion."""

from __future__ import annotations

from pages import charts
from rates.errata import Line, shown

_PRINTED = "#c8384a"  # the colour of what does not hold, as in the list


def drawn(name: str) -> charts.Figure:
    """Return the printed curve, dashed, and the computed one of an entry of `errata.FIRST`."""
    found = shown(name)
    marks: list[charts.Mark] = []
    pair = [line.kind for line in found.lines] == ["printed", "computed"]
    if pair:
        printed, computed = found.lines
        marks += charts.band(computed.x, printed.y, computed.y, "rgba(200,56,74,0.15)")
    marks += [_curve(line, place, pair) for place, line in enumerate(found.lines)]
    figure = charts.Chart(
        marks=marks,
        title=found.title,
        head=64,
        height=400,
        foot=90,
        legend=charts.LOOSE,
        x=_axis(found.x, found.across, found.logs),
        y=_axis(found.y, found.up, found.logs),
    )
    columns = {found.x: found.lines[0].x} | {line.name: line.y for line in found.lines}
    ends = "; ".join(
        f"{line.name}: {charts.number(float(line.y[0]))} to {charts.number(float(line.y[-1]))}"
        for line in found.lines
    )
    return charts.Figure(
        figure=figure,
        alt=f"{found.title}. {found.y} against {found.x}, from left to right. {ends}.",
        rows=charts.rows_of(columns),
        name=f"difference-{name.casefold().replace(':', '-').replace('.', '-')}",
        caption=f"At {found.at}.",
    )


def _axis(title: str, ends: tuple[float, float], logs: bool) -> charts.Axis:
    if logs:
        return charts.log_axis(title, ends, fit=True, fixed=True)
    return charts.Axis(title=title, fixed=True)


def _curve(line: Line, place: int, pair: bool) -> charts.Curve:
    """The printed line is dashed; without one, lines differ by their place."""
    colour, _, dash = charts.look(place)
    if pair:
        colour = _PRINTED if line.kind == "printed" else charts.EQUATION
        dash = "dash" if line.kind == "printed" else "solid"
    x, y = (values.astype("float32") for values in (line.x, line.y))
    return charts.line(x, y, line.name, colour, dash, 2.5, hover="%{x:.3g}: %{y:.3g}")
