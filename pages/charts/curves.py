"""Curves of theory: budgets, the balance behind a root, and how much detail survives.

Both answers along a quantity are one figure; so are a root's terms, and D with its elbows.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages import charts
from pages.charts import theme, words
from pages.charts.words import label, number, percent
from rates.answer import Balance, Sweep
from rates.maps import Branch, Curve
from rates.study import Study

_MOST = 1e300  # budgets of which a multiple is a number


def kept_figure(
    sweep: Sweep,
    *,
    unit: float,
    label: str,
    here: float = 1.0,
    mark: str = "This study",
    least: float | None = None,
    **words: Any,
) -> charts.Figure:
    """Return the fraction of the effective sample that is kept against the budgets.

    Args:
        sweep: Both answers on a grid of factors.
        unit: What factor 1 stands for on the horizontal axis: the common budget, or 1.
        label: Name of the horizontal axis.
        here: The factor to mark.
        mark: What is marked there.
        least: Lower end of a logarithmic axis of the fraction; a plain axis if None.
        **words: Title (the finding), name and caption.
    """
    elbows: tuple[tuple[Any, ...], ...] = (
        (sweep.elbow, 1.0, "Equation: no cost from here", "circle", 11, charts.EQUATION),
        (sweep.half, 0.5, "Mechanism: half is kept", "diamond", 11, charts.MECHANISM),
    )
    look: charts.Fields = {"edge": {"width": 1}, "hover": "%{x:.3g}"}
    points = (charts.dots([at * unit], [y], *how, **look) for at, y, *how in elbows)
    lines = sweep.factors * unit, sweep.mechanism, sweep.equation
    today, hover = [(here * unit, mark, charts.GREY, "dot")], "%{x:.3g}: %{y:.1%} kept"
    words |= charts.room(430, 120)
    return answers(lines, label, kept_axis(least), hover, today, points=points, **words)


def common(study: Study) -> tuple[str, float]:
    """Return what a factor on all budgets is called, and what 1 stands for."""
    # One common budget has a value of its own to read on the axis; several have only their factor.
    budgets = {s.epsilon for s in study.servers if s.private}
    if len(budgets) == 1 and max(budgets) < _MOST:
        return "Common budget ε", budgets.pop()
    return "Every budget ε multiplied by", 1.0


def of_study(study: Study, sweep: Sweep, **more: Any) -> charts.Figure | None:
    """What the sample keeps if all budgets change together; None without a protected site.

    Args:
        study: The study.
        sweep: Both answers on a grid of factors.
        **more: What `kept_figure` is told besides.
    """
    if not any(s.private for s in study.servers):
        return None
    label, unit = common(study)
    title = "What the sample is still worth, if all budgets change together"
    return kept_figure(sweep, unit=unit, label=label, title=title, name="budgets", **more)


def kept_axis(least: float | None = None) -> charts.Fields:
    """Return the axis of the fraction that is kept, logarithmic down to `least` if it is given."""
    title = "Effective sample kept"
    if least is None:
        return charts.axis(title, span=(-0.03, 1.08), share=True)
    # In per cent down to 0.01%, where powers of ten would hide what a share is.
    levels = [10.0**k for k in range(round(math.log10(least)), 1)]
    ticks = levels, [percent(v) for v in levels]
    return charts.log_axis(title, (least, 3.0), ticks=ticks, tickformat=".0%")


Guide = tuple[float, str, str, str]  # place, name, colour and dash of a straight line


def answers(
    lines: tuple[NDArray, NDArray, NDArray],
    label: str,
    up: charts.Fields,
    hover: str,
    upright: Sequence[Guide],
    level: Sequence[Guide] = (),
    points: Iterable[charts.Fields] = (),
    **words: Any,
) -> charts.Figure:
    """Return both answers along a quantity in logarithms, with what is marked on it.

    Args:
        lines: What `both` takes: places, the mechanism and the rate equation.
        label: Name of the horizontal axis.
        up: The other one, with its ends.
        hover: What a pointer is told.
        upright: Lines over the whole height; left out where they are off the range.
        level: Lines over the whole width.
        points: Marks at one place each; left out likewise.
        **words: Title (the finding), name, caption and room.
    """
    ends, (low, high) = (float(lines[0][0]), float(lines[0][-1])), up["range"]
    heights = (10**low, 10**high) if up.get("type") == "log" else (low, high)
    marks = both(*lines, hover)
    for at, name, colour, dash in upright:
        if ends[0] <= at <= ends[1]:
            listed = name != marks[-1]["name"]  # both ends of a band are one entry
            marks.append(charts.line([at, at], heights, name, colour, dash, showlegend=listed))
    marks += [charts.line(ends, [at, at], *look) for at, *look in level]  # type: ignore[arg-type]
    # An elbow that does not exist is nan, and lies nowhere.
    marks += [point for point in points if ends[0] <= point["x"][0] <= ends[1]]
    return charts.plot(marks, charts.log_axis(label, ends, fit=True), up, **words)


def both(
    x: NDArray, rows: NDArray, y: NDArray, hover: str, name: str = "Rate equation"
) -> list[charts.Fields]:
    """Return both answers; the mechanism as a band over its free constant, and its middle.

    Args:
        x: Where they are.
        rows: The mechanism by its constant; without rows it is left out.
        y: The rate equation.
        hover: What a pointer is told.
        name: Of the rate equation.
    """
    told: charts.Fields = {"width": 2.5, "hover": hover, "extra": "rate equation"}
    line = charts.line(x, y, name, charts.EQUATION, **told)
    if not len(rows):
        return [line]
    # The constant is free, so no single line is the mechanism; the middle one
    # stands for all.
    low, middle, high = rows.min(axis=0), rows[len(rows) // 2], rows.max(axis=0)
    told |= {"dash": "dash", "extra": "named mechanism"}
    if len(rows) == 1:
        return [charts.line(x, middle, "Named mechanism", charts.MECHANISM, **told), line]
    told["error_y"] = charts.spread(high - middle, middle - low) | {"visible": False}
    name = "Named mechanism (band: its free constant)"
    mechanism = charts.line(x, middle, name, charts.MECHANISM, **told)
    return [*charts.band(x, low, high, "rgba(209,104,43,0.25)"), mechanism, line]


# The balance ----------------------------------------------------------------------------------

LOWEST = -4.0  # decades below 1 that are shown
_LOG10 = math.log(10.0)
_HUES = ("#1b8a7a", "#7b4fb5", "#b5487a", "#6b8e23", "#8a6d3b", "#4f6db5", "#c23b3b", "#5b7083")
_DASHES = ("dash", "dot", "dashdot", "longdash", "longdashdot", "solid", "5px,2px", "2px,6px")
_J = "<sub>j</sub>"


# By whether it is a study of a classifier: the axis, which starts its root, and a site's term.
_OF_TERMS = {
    True: ("r", f"(n{_J} ∧ n{_J}²ε{_J}²r<sup>d</sup>) r<sup>2βγ{_J}+d</sup>"),
    False: ("D", f"(n{_J}²ε{_J}² ∧ n{_J}D) / D<sup>2g+2</sup>"),
}


def balance_figure(
    result: Balance, names: Sequence[str], *, transfer: bool, caption: str
) -> charts.Figure:
    """Return the terms of a study's equation and their sum, which passes 1 at the root.

    Args:
        result: Curves around the root, with information.
        names: Site names in table order.
        transfer: Whether the study is one of a classifier, with r on the axis; else it is D = 1/r.
        caption: Below the figure.
    """
    axis, term = _OF_TERMS[transfer]
    # D = 1/r: the same balance, read from right to left.
    sign = 1.0 if transfer else -1.0
    x, root = _raised(sign * result.log_r), math.exp(sign * result.root)
    look: charts.Fields = {"hover": "%{x:.4g}", "extra": "root"}
    look |= {"symbol": "circle", "size": 12, "colour": theme.INK["light"]}
    marks = [
        *_terms_of(result, names, x, sign),
        _term(x, result.total, "Sum of all terms", theme.COLOURS[theme.MIXED], "solid", 3.5),
        charts.dots([root], [1.0], "Root", edge={"color": "#ffffff", "width": 2}, **look),
    ]
    total = result.total / _LOG10
    ends = max(float(total.min()), LOWEST) - 0.2, min(float(total.max()), -LOWEST) + 0.2
    up = charts.axis(term, ends, type="log", exponentformat="power", dtick=1)
    across = charts.log_axis(axis, (float(x[0]), float(x[-1])), fit=True)
    words: charts.Fields = {"title": f"The terms add up to 1 at {axis} = {number(root)}"}
    words |= _room(380, marks) | {"name": "balance", "caption": caption}
    words["shapes"] = [charts.upright(root, colour=charts.GREY, width=1.5)]
    return charts.plot(marks, across, up, **words)


def _terms_of(
    result: Balance, names: Sequence[str], x: NDArray, sign: float
) -> Iterator[charts.Fields]:
    """One line per site with a marker where privacy stops binding, and one for the others."""
    for k, (row, y) in enumerate(zip(result.rows, result.terms, strict=True)):
        if np.isneginf(y).all():
            continue
        name, hue, kink = label(names[row], 20), _HUES[k % len(_HUES)], result.kinks[k]
        # Privacy noise grows faster as r falls, so it binds to the left of the kink.
        binds = np.where(result.log_r <= kink, "privacy binds", "sampling binds")
        if math.isnan(kink):
            binds = np.full(x.shape, "unprotected")
        more: charts.Fields = {"customdata": binds, "hover": "%{x:.3g}: %{y:.3g}, %{customdata}"}
        yield _term(x, y, name, hue, _DASHES[k % len(_DASHES)], 2.0, legendgroup=name, **more)
        if result.log_r[0] <= kink <= result.log_r[-1]:
            meets, place = "privacy meets sampling", charts.Fields(legendgroup=name)
            place |= {"showlegend": False, "hover": f"%{{x:.3g}}: {meets}"}
            up, at = _raised(np.interp([kink], result.log_r, y)), [math.exp(sign * kink)]
            yield charts.dots(at, up, f"{name}: {meets}", "diamond-open", 11, hue, **place)
    if result.others is not None:
        yield _term(x, result.others, "Others together", "#9aa3af", "2px,3px", 2.0)


def _term(
    x: NDArray, log_y: NDArray, name: str, colour: str, dash: str, width: float, **more: Any
) -> charts.Fields:
    look = {"hover": "%{x:.3g}: %{y:.3g}"} | more
    return charts.line(x, _raised(log_y), name, colour, dash, width, **look)


def _raised(log_x: NDArray) -> NDArray:
    # Beyond e^690 a number is infinite, and an axis with it.
    return np.asarray(np.exp(np.clip(log_x, -690.0, 690.0)))


# Resolution -----------------------------------------------------------------------------------

AXES = {
    "budget": "Budget ε of each site",
    "spread": "Sites m, all records fixed",
    "sites": "Sites m, records per site fixed",
    "records": "Records per site n",
    "smoothness": "Smoothness α",
}
_RISKS = {  # name, colour, symbol
    "integrated": ("Whole curve", theme.COLOURS[theme.BIAS], "circle"),
    "pointwise": ("One point", theme.COLOURS[theme.UNLIKE], "diamond"),
}


def curve_figure(curve: Curve, *, here: float, caption: str) -> charts.Figure:
    """Return D along one quantity, with branches and elbows.

    Args:
        curve: Both risks of equal servers.
        here: The study's own value.
        caption: Below the figure.
    """
    x, risks = curve.x, {risk: getattr(curve, risk) for risk in _RISKS}
    # With p infinite the error at a point is that of the whole curve: one line says both.
    if alone := np.array_equal(*(branch.smoothness for branch in risks.values())):
        del risks["pointwise"]
    shown = {risk: _raised(branch.log_D) for risk, branch in risks.items()}
    rise = charts.around(np.concatenate(list(shown.values())).tolist(), 1.3)
    marks: list[charts.Fields] = []
    for risk, branch in risks.items():
        marks += _thin(x, branch, first=risk == "integrated")
    elbows: list[charts.Fields] = []
    for risk, y in shown.items():
        name, colour, symbol = _RISKS[risk]
        told: charts.Fields = {"hover": "%{x:.3g}: %{y:.3g}, level %{customdata:.0f}"}
        told |= {"marker": {"symbol": symbol, "size": 7, "maxdisplayed": 9}}
        told["customdata"] = risks[risk].level
        marks.append(charts.line(x, y, "Both errors" if alone else name, colour, width=3, **told))
        if x[0] <= (at := risks[risk].elbow) <= x[-1]:  # nowhere if it is nan
            look: charts.Fields = {"legendgroup": "elbow", "edge": {"width": 2.5}}
            look |= {"hover": "%{x:.4g}", "extra": f"elbow, {words.RISKS[risk].lower()}"}
            look["showlegend"] = not elbows
            height = [float(np.interp(at, x, y))]
            elbows.append(charts.dots([at], height, "Elbow", f"{symbol}-open", 15, colour, **look))
    marks += elbows
    if x[0] <= here <= x[-1]:
        marks.append(charts.line([here, here], rise, "This design", dash="dot"))
    title, ends = AXES[curve.axis], (float(x[0]), float(x[-1]))
    plain = curve.axis == "smoothness"
    along = charts.axis(title) if plain else charts.log_axis(title, ends, fit=True)
    bends = "bends where privacy meets sampling" if elbows else "where one limit binds throughout"
    look = _room(440, marks) | {"title": f"D {bends}", "name": "resolution", "caption": caption}
    return charts.plot(marks, along, charts.log_axis("Functions recovered, D", rise), **look)


def _room(height: float, marks: Sequence[charts.Fields], head: float = 56) -> dict[str, Any]:
    more = 20 * math.ceil(charts.entries(marks) / 2)
    return charts.room(height, 64, head, charts.COLUMNS, more=more)


def _thin(x: NDArray, branch: Branch, *, first: bool) -> Iterator[charts.Fields]:
    """Both branches as they would go on alone; D is the smaller one."""
    for log_D, name, limit, dash in (
        (branch.log_private, "Privacy alone", theme.PRIVACY, "dash"),
        (branch.log_free, "Sampling alone", theme.SAMPLE, "dashdot"),
    ):
        # A branch may not exist: without private servers there is no privacy alone.
        if np.isfinite(log_D).all():
            more: charts.Fields = {"legendgroup": name, "showlegend": first}
            more["hover"] = "%{x:.3g}: %{y:.3g}"
            yield charts.line(x, _raised(log_D), name, theme.COLOURS[limit], dash, 1.5, **more)
