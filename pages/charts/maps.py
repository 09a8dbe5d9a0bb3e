"""Maps of labelled regions, a rate along one size of such a map, the phases, a study's own map."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pages import charts
from pages.charts import label, planes, theme
from pages.charts.planes import TERMS, Axis, Look, Plane
from pages.charts.words import number
from rates import maps as theory
from rates.answer import Lens, solve_r
from rates.maps import TRIVIAL, Label, Moved, Standing, StudyMap, around, study_map
from rates.numbers import MAX_COUNT
from rates.pieces import Polygon
from rates.study import Study

if TYPE_CHECKING:  # its room needs sympy, which other figures do without
    pass

INK = "#111111"
_HALO = "1px 1px 2px white, -1px -1px 2px white, 1px -1px 2px white, -1px 1px 2px white"
_ENTRIES = 8  # of the legend, in the room that every map has
_NAMED = 0.07  # of a strip, for a name


def map_figure(
    plane: Plane, *, lines: Sequence[tuple[str, float]] = (), wrong: str = "", **words: Any
) -> charts.Figure:
    """Return the map, the row of the chosen point, and what is hatched over it.

    Args:
        plane: The map.
        lines: Places on the row to be named.
        wrong: Name of what is hatched.
        **words: Title, alt, name and caption.
    """
    x, y = plane.x, plane.y
    names = planes.names(plane)
    told = {name.label: False for name in names if name.whole}  # the legend need not repeat it
    edge = None if plane.seams else "white"
    marks = [
        filled(plane.looks[label], polygons, edge=edge, showlegend=told.get(label))
        for label, polygons in plane.regions.items()
        if polygons
    ]
    if plane.wrong:
        look: charts.Fields = {"fill": "toself", "fillcolor": "rgba(255,255,255,0.35)"}
        look["fillpattern"] = charts.hatch("x", None, INK)
        marks.append(charts.line(*_path(plane.wrong), wrong, INK, "dash", 1.5, **look))
    if plane.here is not None:
        marks += _cross(plane.here, x)
        if lines:
            marks.append(_named(lines, plane.here, x))
    rows = [
        {"label": label, "polygon": k, x.title: float(a), y.title: float(b)}
        for label, polygons in plane.regions.items()
        for k, polygon in enumerate(polygons, start=1)
        for a, b in zip(polygon.x.tolist(), polygon.y.tolist(), strict=True)
    ]
    # A map keeps its size however many terms a typed rate has.
    more = 16 * max(0, charts.entries(marks) - _ENTRIES)
    notes = [_note(name.text, name.x, name.y, size=13) for name in names]
    space = charts.room(560, 150, 54, more=more)
    return charts.plot(marks, _axis(x), _axis(y), rows, annotations=notes, **space, **words)


def filled(
    look: Look, polygons: Sequence[Polygon], *, edge: str | None = "white", **more: Any
) -> charts.Fields:
    """Return the regions of one label; without an edge, neighbours of one label are one."""
    more |= {"fill": "toself", "fillcolor": look.colour}
    if look.hatch:
        more["fillpattern"] = charts.hatch(look.hatch, look.colour)
    return charts.line(*_path(polygons), look.name, edge or look.colour, width=0.8, **more)


def over_strip(
    marks: Sequence[charts.Fields],
    rows: Sequence[tuple[Look, float, float]],
    label: str,
    here: float,
    **words: Any,
) -> charts.Figure:
    """Return rates in logarithms over a band that says what decides where.

    Args:
        marks: The rates; the band is as wide as the first one.
        rows: How each stretch of the band is shown, and where it begins and ends.
        label: What stands below the axis.
        here: The chosen place.
        **words: Title, name and caption.
    """
    low, high = float(marks[0]["x"][0]), float(marks[0]["x"][-1])
    heights = [v for mark in marks for v in mark["y"] if 0 < v < math.inf]
    rise = charts.around(heights or [1.0], 1.6)
    # Phases reach beyond the axis, which ends where the rates do.
    shown = [(look, max(a, low), min(b, high)) for look, a, b in rows]
    shown = [(look, a, b) for look, a, b in shown if a < b]
    up = np.array([0, 1, 1, 0, 0])
    boxes = [
        filled(look, [Polygon(x=np.array([a, a, b, b, a]), y=up)], yaxis="y2", showlegend=False)
        for look, a, b in shown
    ]
    names = [
        _note(look.short, (math.log10(a) + math.log10(b)) / 2, 0.5, size=12, yref="y2")
        for look, a, b in shown
        if math.log10(b / a) / math.log10(high / low) > _NAMED
    ]
    band = charts.axis(domain=(0, 0.11), visible=False, span=(0, 1))
    x, y = _powers(label, (low, high), anchor="y2"), _powers("Rate", rise, domain=(0.17, 1))
    all_marks = [*marks, charts.line([here] * 2, rise, "your point", dash="dot"), *boxes]
    space = charts.room(460, 110, 54)
    return charts.plot(all_marks, x, [y, band], annotations=names, **space, **words)


def _note(name: str, x: float, y: float, *, size: float, **more: Any) -> charts.Fields:
    """Return the name of a label, at axis coordinates."""
    look: charts.Fields = {
        "font": {"color": INK, "size": size},
        "bgcolor": "rgba(255,255,255,0.85)",
    }
    return charts.note(f"<b>{name}</b>", x, y, **look, **more)


def _axis(axis: Axis) -> charts.Fields:
    ends = (axis.low, axis.high)
    if axis.log:
        return _powers(axis.heading, ends)
    return charts.axis(axis.heading, ends)


def _path(polygons: Sequence[Polygon]) -> tuple[np.ndarray, np.ndarray]:
    return charts.joined([(p.x, p.y) for p in polygons])


def _cross(here: tuple[float, float], x: Axis) -> list[charts.Fields]:
    # A point beyond the axis stands on its edge, and its row is drawn all the same.
    at, up = [min(max(here[0], x.low), x.high)], [here[1]]
    look: charts.Fields = {"edge": {"color": INK, "width": 1.5}, "hover": "%{x:.3g}, %{y:.3g}"}
    return [
        charts.line([x.low, x.high], up * 2, None, INK, "dot", 1.5, showlegend=False),
        charts.dots(at, up, "your point", "star", 15, "#ffd84d", **look),
    ]


def _named(lines: Sequence[tuple[str, float]], here: tuple[float, float], x: Axis) -> charts.Fields:
    shown = sorted((at, name) for name, at in lines if x.low <= at <= x.high)
    words: charts.Fields = {
        "text": [name for _, name in shown],
        # Neighbouring endpoints may lie closer than their names are wide.
        "textposition": (["top center", "bottom center"] * len(shown))[: len(shown)],
        "textfont": {"color": INK, "size": 15, "shadow": _HALO},
    }
    words |= {"showlegend": False, "hover": "%{text} = %{x:.4g}", "extra": ""}
    at, name = [at for at, _ in shown], "endpoints on the cut"
    return charts.dots(at, [here[1]] * len(shown), name, "line-ns-open", 12, INK, **words)


def _powers(title: str, ends: tuple[float, float], **more: Any) -> charts.Fields:
    return charts.log_axis(title, ends, powers=True, **more)


# Phases ---------------------------------------------------------------------------------------

ROWS, SMALL_ROWS = 121, 31
FACTORS = (0.1, 1.0, 10.0)  # by which small maps differ
READINGS = {"none": "Not shown", "A": "Reading A", "B": "Reading B"}
ANSWERS = {"equation": "Rate equation", "mechanism": "Named mechanism"}
_HATCHES = {theme.PRIVACY: ("/", "\\", "x"), theme.SAMPLE: ("", "-", "|")}
_DEPTHS = 4  # that a hue has
_LETTERS = 12  # of a site's name on the map, in short
_SENTENCE = 120  # letters of a title
_OWN_POINT = "The study's point"
_CUT = 20  # letters of a site's name in a sentence
_HELPS = {
    theme.PRIVACY: "More budget or records at {} help.",
    theme.SAMPLE: "More records at {} help. More budget does not.",
}


def ends(design: theory.Design) -> theory.Endpoints:
    """The endpoints of the corollary for this design."""
    return theory.endpoints(*design.sizes, **design.shape)


def budget_range(design: theory.Design) -> tuple[float, float]:
    """A range of budgets that shows the trivial phase; a point within it does not move it."""
    # Below eps1 the rate is 1: some of that region has to be seen, or it would look like an error.
    first = min(ends(design).eps1, 0.1)
    low = 10.0 ** math.floor(math.log10(max(first, 1e-12)) - 0.3)
    if design.epsilon < low:
        low = 10.0 ** math.floor(math.log10(max(design.epsilon, 1e-12)))
    return low, max(1.0, design.epsilon)


def ground(design: theory.Design) -> theory.Design:
    """Return the design whose map is the same but for its point, one for all points of a map."""
    base = replace(design, epsilon=budget_range(design)[1], gamma=1.0)
    # A point far out widens its map, which then is its own.
    same = budget_range(base) == budget_range(design) and _gamma_top(base) == _gamma_top(design)
    return base if same else design


def build(design: theory.Design, reading: str) -> Plane:
    """Return the map of a design, with the errors of a reading of the printed table."""
    (low, high), top = budget_range(design), _gamma_top(design)
    x = Axis("budget ε of the sources", True, low, high, "strict → loose", "ε = ")
    y = Axis("signal γ of the sources", False, 0.1, top, "sharper → weaker", "γ = ")
    wrong: tuple[Polygon, ...] = ()
    # Table 1 is printed for one common budget and for sources that have records.
    if reading != "none" and design.ratio == 1 and min(design.sizes) > 0:
        shape: charts.Fields = {"beta": design.smoothness, "d": design.dimension, "low": low}
        shape["gamma"] = np.linspace(0.1, top, ROWS)
        table = theory.checked_reading(reading)
        wrong = theory.disagreement_regions(*design.sizes, reading=table, **shape)
    regions = _regions(ground(design), (low, high, 0.1, top), ROWS)
    here = design.epsilon, min(design.gamma, top)
    return Plane(regions=regions, looks=TERMS, x=x, y=y, here=here, wrong=wrong)


@functools.lru_cache(maxsize=128)  # a point that moves leaves the regions as they are
def _regions(
    design: theory.Design, ends: tuple[float, float, float, float], rows: int
) -> Mapping[str, tuple[Polygon, ...]]:
    """Return the regions over budgets and exponents; the ends are those of both axes."""
    low, high, bottom, top = ends
    view: charts.Fields = {"low": low, "high": high, "ratio": design.ratio}
    view |= {"beta": design.smoothness, "d": design.dimension}
    return theory.gamma_regions(*design.sizes, gamma=np.linspace(bottom, top, rows), **view)


def small(design: theory.Design, like: Plane) -> Plane:
    """Return the map of a design on the axes of another map, to be drawn small."""
    ends = (like.x.low, like.x.high, like.y.low, like.y.high)
    regions = _regions(design, ends, SMALL_ROWS)
    return Plane(regions=regions, looks=TERMS, x=like.x, y=like.y)


def neighbours(design: theory.Design) -> tuple[theory.Design, ...]:
    """Return nine designs row by row: fewer, as many and more sources; from more target records.

    None where the target or the sources have no records.
    """
    if not min(design.sizes):
        return ()
    many, records = (
        [int(min(max(1, round(size * factor)), MAX_COUNT)) for factor in FACTORS]
        for size in (design.m, design.n0)
    )
    return tuple(replace(design, m=m, n0=n0) for n0 in records[::-1] for m in many)


def _gamma_top(design: theory.Design) -> float:
    """A range of exponents that shows gamma* where it is not far away, and the point."""
    star = ends(design).gamma_star
    # A threshold far away would squeeze all that one can use into a corner.
    far = star * 1.25 if 1 <= star <= 6 else 2.5
    return float(np.ceil(10 * max(2.0, far, min(design.gamma, 20.0))) / 10)


def phase_cut(design: theory.Design, regimes: Sequence[theory.Regime]) -> charts.Figure:
    """Return the rate along the cut through a point, over a strip that names the phases."""
    x, shape = np.geomspace(*budget_range(design), 121), design.shape
    sites: charts.Fields = {"n": [design.n0, design.n], "count": [1, design.m]}
    budgets, gamma = np.stack([x * design.ratio, x], axis=-1), [1.0, shape.pop("gamma")]
    r = solve_r(**sites, epsilon=budgets, gamma=gamma, **shape)
    rate = np.minimum(r, 1.0) ** (design.smoothness * (1.0 + design.margin))
    told: charts.Fields = {"width": 2.5, "hover": "%{x:.3g}: %{y:.3g}"}
    line = charts.line(x, rate, "Rate equation (5)", charts.EQUATION, **told)
    steps = [(TERMS[row.rate], row.lo, row.hi) for row in regimes]
    return over_strip(
        [line],
        steps,
        "Sources' budget ε",
        design.epsilon,
        title="The rate as the budget grows, and the phase of (4) below it",
        caption="The line solves (5), which adds the terms that (4) takes the larger of, so it "
        "bends before and after a phase ends.",
        name="rate-along-the-cut",
    )


def marks(design: theory.Design) -> Sequence[tuple[str, float]]:
    """The endpoints that lie on the cut through the chosen exponent."""
    found = ends(design)
    names = {"eps1": "ε₁", "eps2": "ε₂", "eps3": "ε₃", "eps11": "ε₁₁", "eps21": "ε₂₁"}
    values = [(text, float(getattr(found, name))) for name, text in names.items()]
    return [(text, v) for text, v in values if math.isfinite(v) and v > 0]


made = functools.lru_cache(maxsize=64)(study_map)


def named(study: Study, moved: Moved) -> str:
    """Return what an axis moves, in words; a site's name is the user's."""
    return f"{'× ' if moved.row is None else ''}{within(study, moved)}"


def within(study: Study, moved: Moved) -> str:
    """Return the same within a sentence."""
    lever = moved.lever
    return lever.grown if moved.row is None else f"{lever.title} of {study.servers[moved.row].name}"


def stated(moved: Moved, at: float) -> str:
    """Return a value of an axis in words, with a times sign for a factor."""
    return f"{'× ' if moved.row is None else ''}{number(at)}"


def lens_of(answer: str, risk: str) -> Lens:
    """Return one of the two answers for a risk."""
    return Lens(risk=risk, mechanism=None if answer == "equation" else "analytic")


def site(study: Study, found: Label) -> str:
    """Return who carries most; a site's name is the user's."""
    return "another site" if found.row is None else study.servers[found.row].name


def said(study: Study, found: Label) -> str:
    """Return a label in words; a site's name is the user's."""
    if found == TRIVIAL:
        return "nobody: rate 1"
    return f"{site(study, found)}: {theme.LIMITS[found.limit]}"


def map_of(
    study: Study, x: str, y: str, answer: str, risk: str, at: tuple[float, ...] = ()
) -> charts.Figure:
    """Draw who carries most over two numbers of a study, and what binds them.

    Args:
        study: The study.
        x: What moves across, as `rates.maps.Moved` writes it.
        y: What moves upwards.
        answer: "equation" or "mechanism".
        risk: Which error counts.
        at: The point that is looked at; empty for the study's own.
    """
    across, up = (around(study, Moved.of(text)) for text in (x, y))
    lens = lens_of(answer, risk)
    found, here = made(study, across, up, lens), standing(study, across, up, lens, at)
    parts = (f"{said(study, key)} {charts.percent(area)}" for key, area in found.areas.items())
    return map_figure(
        own_plane(study, found, here),
        title=label(look_of(study, found, here.label).said, _SENTENCE),
        alt=f"Map of the study, {named(study, found.x.moved)} against "
        f"{named(study, found.y.moved)}, by the {ANSWERS[answer].lower()}. Parts of the map: "
        f"{', '.join(parts)}. {'The point' if at else _OWN_POINT}: {said(study, here.label)}.",
        name="own-map",
        caption=_caption(found, answer),
    )


def standing(
    study: Study, x: theory.Axis, y: theory.Axis, lens: Lens, at: tuple[float, ...]
) -> Standing:
    """Return what holds at a point of the map, at the study's own where none is given."""
    return theory.standing(study, x, y, lens, at=(at[0], at[1]) if at else None)


def own_plane(study: Study, found: StudyMap, here: Standing) -> Plane:
    """Return the map of a study with the point that is looked at."""
    axes = []
    for axis in (found.x, found.y):
        moved = axis.moved
        sign = f"{moved.lever.letter} × "
        if moved.row is not None:
            sign = f"{moved.lever.letter} of {_short(study.servers[moved.row].name)} = "
        title = label(named(study, moved), 44)
        axes.append(Axis(title, moved.log, axis.low, axis.high, sign=sign))
    regions = {said(study, key): polygons for key, polygons in found.regions.items()}
    keys, (x, y) = (*found.regions, here.label), axes
    looks = {said(study, key): look_of(study, found, key) for key in keys}
    own = theory.value(study, found.x.moved), theory.value(study, found.y.moved)
    return Plane(regions=regions, looks=looks, x=x, y=y, here=here.at, own=own)


def _short(name: str) -> str:
    return name if len(name) <= _CUT else f"{name[: _CUT - 1]}…"


def look_of(study: Study, found: StudyMap, key: Label) -> Look:
    """Return a label's look: hue for what binds, depth for the site, hatch where depths end."""
    name = said(study, key)
    if key == TRIVIAL:
        says = "Here the rate is 1: no site carries anything."
        return replace(TERMS["1"], name=name, short="rate 1", said=says)
    rows = sorted({one.row for one in found.regions if one.row is not None})
    # By the order of the table, so that a site keeps its tone while the map changes.
    place = rows.index(key.row) if key.row in rows else len(rows)
    hatches, binds = _HATCHES[key.limit], theme.LIMITS[key.limit]
    target = study.target is not None and key.row == 0
    mark, who = theme.TARGET_MARK if target else theme.SOURCE_MARK, site(study, key)
    tone = key.limit, place % _DEPTHS, hatches[place // _DEPTHS % len(hatches)]
    names = f"{mark} {label(who)}: {binds}", f"{mark} {label(who, _LETTERS)}"
    said_, helps = f"Here {_short(who)} carries most, {binds}.", _HELPS[key.limit]
    return Look(*tone, *names, (_short(who), binds), said_, helps.format(_short(who)))


def _caption(found: StudyMap, answer: str) -> str:
    how = (
        "On each row of the map the ends of regions are exact, by the rate equation."
        if answer == "equation"
        else "By the named mechanism ends are located to 1e-6 of the axis; a part of a row "
        "thinner than 1/32 of it can be missed."
    )
    text = f"{how} Of equal shares the first in the table is named."
    if found.grouped:
        text += f" The {found.grouped} smallest labels are put together as another site."
    return text
