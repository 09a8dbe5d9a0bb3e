"""Simulated points with their intervals over theory's curves, and exact ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pages import charts
from pages.charts.words import number
from sims.engine import Estimate, Fit, Point, Progress, Spent, fits, scaling

if TYPE_CHECKING:  # not every page that shows a run needs it
    from sims.ccv import ExactCurve


BUDGET = "Budget ε (none: no privacy)"
_HOVER = "%{x:.4g}: %{y:.3g}"
_PLAIN_DASHES = ("dash", "dot", "longdash", "dashdot")
Scores = Mapping[str, tuple[Sequence[float], Sequence[Estimate]]]  # by series, along the axis


def series_of(points: Sequence[Point]) -> dict[str, list[int]]:
    """Return the places of each series' points, in order of appearance."""
    out: dict[str, list[int]] = {}
    for i, point in enumerate(points):
        out.setdefault(point.series, []).append(i)
    return out


def rate_figure(
    progress: Progress,
    *,
    names: Mapping[str, str] | None = None,
    x_title: str,
    y_title: str,
    curve: str,
    bends: Mapping[str, Sequence[float]] | None = None,
    left_out: str = "Saturated, left out",
    **words: Any,
) -> charts.Figure:
    """Draw simulated risks over the theory's curves, in logarithms.

    Args:
        progress: The run.
        names: What the series are called that are drawn; all, by their own names, if None.
        x_title: Name of the axis.
        y_title: Name of the other.
        curve: What the theory's line is called.
        bends: By series, where its rate bends.
        left_out: What points are called that no slope is fitted to.
        **words: Title (the finding), name and caption.
    """
    points, estimates = _renamed(progress.request.points, progress.estimates, names)
    many = series_of(points)
    heights = [point.exact for point in points if point.exact]
    heights += [e.mean for e in estimates if e.replicates >= 2 and e.mean > 0]
    # Before a run only the theory says where the axis lies.
    heights = heights or [point.theory for point in points if point.theory]
    rise = charts.around(heights, 2.5) if heights else (1e-3, 1.0)
    bent = [
        charts.upright(x, colour=charts.look(place)[0])
        for place, series in enumerate(many)
        for x in (bends or {}).get(series, ())
    ]
    marks = _simulated(points, estimates, fits(points, estimates), curve, left_out)
    x = charts.log_axis(x_title, charts.around([point.x for point in points], 1.25))
    y = charts.log_axis(y_title, rise, powers=True)
    words |= {"height": 430, "entries": len(many) + 4, "shapes": bent}
    return _plotted(marks, x, y, **words)


def _renamed(
    points: Sequence[Point], estimates: Sequence[Estimate], names: Mapping[str, str] | None
) -> tuple[tuple[Point, ...], tuple[Estimate, ...]]:
    """Return what has a name here, by that name; everything as it is without names."""
    pairs = zip(points, estimates, strict=True)
    kept = [(p, e) for p, e in pairs if names is None or p.series in names]
    renamed = (replace(p, series=names[p.series]) if names else p for p, _ in kept)
    return tuple(renamed), tuple(found for _, found in kept)


def _simulated(
    points: Sequence[Point],
    estimates: Sequence[Estimate],
    fitted: Sequence[Fit],
    curve: str,
    left_out: str,
) -> list[charts.Fields]:
    """The theory's curves lifted by fitted constants, exact ones, points, and their legend."""
    marks: list[charts.Fields] = []
    constants = {fit.series: fit.constant for fit in fitted if fit.constant is not None}
    drawn = [p for p, e in zip(points, estimates, strict=True) if e.replicates >= 2]
    for place, (series, at) in enumerate(series_of(points).items()):
        colour, symbol, dash = charts.look(place)
        mine = [points[i] for i in at]
        xs, more = [point.x for point in mine], charts.Fields(legendgroup=series, hover=_HOVER)
        if series in constants:
            lifted = [constants[series].value * (point.theory or math.nan) for point in mine]
            name = f"{series}, C × {curve}"
            marks.append(charts.line(xs, lifted, name, colour, dash, showlegend=False, **more))
        if any(point.exact is not None for point in mine):
            exact, name = [point.exact for point in mine], f"{series}, exact"
            listed = not any(point.series == series for point in drawn)
            marks.append(
                charts.line(xs, exact, name, colour, "dot", 1.5, showlegend=listed, **more)
            )
        found, out = [estimates[i] for i in at], [bool(point.left_out) for point in mine]
        look = colour, symbol
        # An interval that reaches 0 is cut where it can be drawn.
        how: charts.Fields = {"log": True, "hollow": out, "legendgroup": series}
        marks.append(charts.measured(xs, found, series, look, **how))
    # One line of the legend for all: the curves have the colours of their series.
    if constants:
        marks.append(charts.line([None], [None], f"C × {curve}"))
    if any(point.exact is not None for point in points):
        key = [None], [None], "Exact, not simulated"
        marks.append(charts.line(*key, dash="dot", width=1.5))
    if any(point.left_out for point in drawn):
        marks.append(charts.dots([None], [None], left_out, "circle-open", colour=charts.GREY))
    return marks


def judged(fit: Fit, far: Any) -> str:
    """Return the verdict on a fitted slope, with the slopes that it is not told apart from.

    Args:
        fit: The slope.
        far: The slopes far out where `sampling` and where `privacy` decides alone, if it has both.
    """
    others: dict[str, float] = {}
    if far is not None and far.privacy is not None:
        # An interval that also holds the slope far out cannot tell which of them it saw.
        others = {"sampling alone": far.sampling, "privacy alone": far.privacy}
    verdict = fit.verdict(others)
    if verdict != scaling.CANNOT_DISTINGUISH:
        return verdict
    names = [n for n, s in others.items() if fit.verdict({n: s}) == scaling.CANNOT_DISTINGUISH]
    return f"agrees, but cannot distinguish it from {' or '.join(names)}"


def guaranteed(found: Sequence[Spent], *, who: str = "Each server's release") -> tuple[bool, str]:
    """Return whether all budgets are kept, and a sentence with the worst one that is not.

    >>> guaranteed([Spent(epsilon=16.0, delta=4e-6, actual=8.2e-5)])[1][:35]
    '**Not private as asked for.** Each '
    """
    if not found:
        return True, "Without noise (no finite ε) nothing is protected."
    broken = [one for one in found if not one.valid]
    if not broken:
        deltas = {one.delta for one in found}
        upto = "at most" if len(deltas) > 1 else "="
        return True, (
            f"{who} is (ε, δ)-differentially private under replacement of one record, at every "
            f"finite ε shown, with δ {upto} {number(max(deltas))}."
        )
    # The one that is exceeded most, in ratio: a warning of the mildest would mislead.
    worst = max(broken, key=lambda one: (one.actual / (one.delta or math.ulp(0.0)), one.actual))
    some = f", and not at {len(broken)} of the {len(found)} shown" if len(found) > 1 else ""
    return False, (
        f"**Not private as asked for.** {who} is not (ε, δ)-differentially private at ε = "
        f"{number(worst.epsilon)}, δ = {number(worst.delta)}{some}: the δ that "
        f"really holds at this ε is **{number(worst.actual)}**."
    )


def scores(
    points: Sequence[Point],
    estimates: Sequence[Estimate],
    named: Callable[[str], str] = str,
    setting: str = "",
) -> Scores:
    """Return the estimates of a run by the name of their series, along x or a setting."""
    return {
        named(series): (
            [points[i].settings.number(setting) if setting else points[i].x for i in at],
            [estimates[i] for i in at],
        )
        for series, at in series_of(points).items()
    }


def error_figure(
    progress: Progress,
    x_title: str,
    y_title: str,
    *,
    plain: Sequence[str] = (),
    log: str = "xy",
    names: Mapping[str, str] | None = None,
    ranked: bool = False,
    setting: str = "",
    span: tuple[float, float] | None = None,
    level: float | None = None,
    **words: Any,
) -> charts.Figure:
    """Draw simulated errors with 95% intervals, over lines where they are known exactly.

    Args:
        progress: What has been simulated so far.
        x_title: Name of the axis.
        y_title: Name of the other.
        plain: Series without privacy: grey lines.
        log: Which axes are logarithmic: "xy", "x", "y" or none.
        names: Names of the series that are shown; of all, as they are, if None.
        ranked: Whether the series with privacy are budgets, from strict to loose.
        setting: Which of the points' settings lies along the axis; their place if empty.
        span: Ends of the upright axis; around what is seen if None.
        level: Where a grey line is drawn across; nowhere if None.
        **words: Title (the finding), name and caption.
    """
    points, estimates = _renamed(progress.request.points, progress.estimates, names)
    shown = scores(points, estimates, setting=setting)
    places = [x for xs, _ in shown.values() for x in xs]
    if min(places, default=1.0) <= 0:  # a logarithmic axis has no room for 0
        log = log.replace("x", "")
    exact = {series: [points[i].exact for i in at] for series, at in series_of(points).items()}
    marks = _means(shown, exact, plain=plain, ranked=ranked, log=log)
    half = (len(shown) - 1) / 2
    edges = [x for k in (-half, half) for x in _dodged(places, k, places, log="x" in log)]
    seen = [e for e in estimates if e.replicates >= 2 and (e.mean > 0 or "y" not in log)]
    # An interval that reaches below zero would stretch a logarithmic axis without end.
    means = [end for e in seen for end in (max(e.low, 0.1 * e.mean), e.high)]
    labels = None if means or span else False  # nothing to fit the axis to yet
    room = 0.05 * (max(places) - min(places)) or 0.5
    x = charts.axis(x_title, span=(min(edges) - room, max(edges) + room))
    y = charts.axis(y_title, showticklabels=labels, span=span or (None if means else (0, 1)))
    if "x" in log:
        x = charts.log_axis(x_title, charts.around(edges, 1.1))
    if "y" in log:
        ends = charts.around(means, 1.1) if means else (0.01, 1.0)
        y = charts.log_axis(y_title, ends, showticklabels=labels)
    rules = [] if level is None else [charts.across(level)]
    words |= {"entries": len(marks) + 2, "shapes": rules}
    return _plotted(marks, x, y, **words)


def _means(
    shown: Scores,
    exact: Mapping[str, Sequence[float | None]],
    *,
    plain: Sequence[str],
    ranked: bool = False,
    log: str = "",
    where: Callable[[float], float] = float,
) -> list[charts.Fields]:
    """Return estimates with their intervals, joined and beside each other, or on an exact line."""
    places, half = [where(x) for xs, _ in shown.values() for x in xs], (len(shown) - 1) / 2
    coloured = [series for series in shown if series not in plain]
    marks: list[charts.Fields] = []
    for order, (series, (xs, found)) in enumerate(shown.items()):
        grey = series in plain
        place = plain.index(series) if grey else coloured.index(series)
        colour, symbol, dash = charts.look(place)
        if ranked and not grey:
            colour = charts.theme.strict(len(coloured) - 1 - place, len(coloured))
        if grey:
            colour, dash = charts.GREY, _PLAIN_DASHES[place % len(_PLAIN_DASHES)]
            symbol = f"{symbol}-open"
        how: charts.Fields = {"log": "y" in log, "size": 6 if grey else 9}
        if None in (known := exact.get(series, [None])):
            how["line"] = {"color": colour, "width": 2, "dash": dash}
            at = [where(x) for x in xs]
            how["at"] = _dodged(at, order - half, places, log="x" in log)
        else:  # the points stay on the line
            line: charts.Fields = {"hover": f"{_HOVER}, exact", "extra": ""}
            marks.append(charts.line(xs, known, f"{series}, exact", colour, dash, 1.5, **line))
        marks.append(charts.measured(xs, found, series, (colour, symbol), **how))
    return marks


def _plotted(
    marks: Sequence[charts.Fields],
    x: charts.Fields,
    y: charts.Fields,
    *,
    entries: int,
    height: float = 420,
    **words: Any,
) -> charts.Figure:
    """Return the figure of a run, with room for so many entries of the legend in two columns."""
    space = charts.room(height, 60, 48, charts.COLUMNS, more=22 * math.ceil(entries / 2))
    return charts.plot(marks, x, y, **space, uirevision="run", **words)


def _dodged(
    xs: Sequence[float], order: float, places: Sequence[float], *, log: bool
) -> list[float]:
    """Return places moved by a hundredth of the axis for each series, so that all bars show."""
    low, high = min(places), max(places)
    if log:
        return [x * (high / low) ** (order / 100) for x in xs]
    return [x + (high - low) * order / 100 for x in xs]


def budget_figure(
    shown: Scores,
    y_title: str,
    *,
    plain: Sequence[str] = (),
    x_title: str = BUDGET,
    per_cent: bool = True,
    **words: Any,
) -> charts.Figure:
    """Draw scores against the budget, at even steps; no privacy stands at the end.

    Args:
        shown: By series, budgets, or values of another quantity, and estimates.
        y_title: Name of the scores.
        plain: Series without privacy, such as a baseline: grey lines.
        x_title: Name of the axis.
        per_cent: Whether the scores are shares.
        **words: Title (the finding), name and caption, and further fields of the chart.
    """
    # At even steps: the infinite budget has no place on a logarithmic axis.
    budgets = sorted({x for xs, _ in shown.values() for x in xs})
    places = {x: float(place) for place, x in enumerate(budgets)}
    texts = ["none" if math.isinf(x) else number(x) for x in budgets]
    seen = any(e.replicates > 1 for _, many in shown.values() for e in many)
    span = None if seen else (0.5, 1.0)  # nothing to fit it to yet
    labels = None if seen or per_cent else False
    marks = _means(shown, {}, plain=plain, where=places.__getitem__)
    x = charts.axis(x_title, ticks=(list(places.values()), texts))
    y = charts.axis(y_title, span=span, share=per_cent, showticklabels=labels)
    return _plotted(marks, x, y, entries=len(marks) + 2, **words)


def exact_figure(
    points: Sequence[Point],
    estimates: Sequence[Estimate],
    curves: Mapping[str, ExactCurve],
    *,
    zero: float,
    x_title: str,
    curve: str,
    **words: Any,
) -> charts.Figure:
    """Draw exact risks, the theory over the same axis, both elbows, and simulated points.

    Args:
        points: The points of the run.
        estimates: What has been simulated so far, in the same order.
        curves: Exact risks by series.
        zero: Risk of the estimate 0.
        x_title: Name of the axis.
        curve: What the theory's line is called.
        **words: Title (the finding), name and caption.
    """
    bare = [replace(point, exact=None) for point in points]
    seen = [e.mean for e in estimates if e.replicates >= 2]
    found = curves.values()
    highest = max([zero, *(float(c.risk.max()) for c in found), *seen])
    rise = min(float(c.without.min()) for c in found) / 2.0, 2.0 * highest
    ends = min(float(c.x[0]) for c in found), max(float(c.x[-1]) for c in found)
    x, y = charts.joined([(c.x, c.without) for c in found])
    exact = list(_exact(curves, ends, rise, run=bool(seen)))
    marks: list[charts.Fields] = [
        *exact[: len(curves)],
        charts.line(x, y, "No privacy", dash="dash", width=1.5),
        charts.line(ends, (zero, zero), "Estimating by zero", dash="longdashdot", width=1.5),
        *exact[len(curves) :],
        *_simulated(bare, estimates, fits(points, estimates), curve, "Outside the fit"),
    ]
    across = charts.log_axis(x_title, charts.around([point.x for point in points], 1.25))
    up = charts.log_axis("Squared error", rise, powers=True)
    return _plotted(marks, across, up, entries=charts.entries(marks), **words)


def _exact(
    curves: Mapping[str, ExactCurve],
    ends: tuple[float, float],
    height: tuple[float, float],
    *,
    run: bool,
) -> Iterator[charts.Fields]:
    """The exact risk of every series, and where its elbow is by the printed formula and really.

    The risks are named as long as no run's marks are.
    """
    for place, (series, found) in enumerate(curves.items()):
        told: charts.Fields = {"customdata": found.dimension, "extra": f"{series}, exact"}
        told["hover"] = "%{x:.4g}: %{y:.3g}, K = %{customdata:.0f}"
        name = "Exact, not simulated" if run else f"{series}, exact"
        colour, told["showlegend"] = charts.look(place)[0], not run or place == 0
        yield charts.line(found.x, found.risk, name, colour, "dot", 2.5, **told)
    for name, dash, which in (
        ("Elbow as printed", "dash", "printed"),
        ("Elbow where it lies", "solid", "actual"),
    ):
        elbows = [
            (getattr(c.elbow, which), charts.look(k)[0])
            for k, c in enumerate(curves.values())
            if c.elbow
        ]
        there = [(at, colour) for at, colour in elbows if ends[0] <= at <= ends[1]]
        for k, (at, colour) in enumerate(there):
            told = {"hover": f"{name}: %{{x:.3g}}", "extra": "", "showlegend": k == 0}
            yield charts.line([at, at], height, name, colour, dash, 1.2, **told)
