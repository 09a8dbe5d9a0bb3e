"""The phase map of (4) with the rate along a cut, and a study's own map, as exact polygons."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pages import charts
from pages.charts import label, maps, number, theme
from pages.charts.budget import both
from pages.charts.planes import TERMS, Axis, Look, Plane
from rates import maps as phases
from rates.answer import Lens
from rates.maps import TRIVIAL, Label, Moved, Standing, StudyMap, around, study_map
from rates.numbers import MAX_COUNT
from rates.pieces import Polygon
from rates.plan import RateCurve
from rates.study import Study

ROWS, SMALL_ROWS = 121, 31
FACTORS = (0.1, 1.0, 10.0)  # by which small maps differ
AXES = {"gamma": "signal γ", "sources": "sources m", "target": "target n₀"}  # against the budget
FEW = "few → many"
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


def cut_figure(
    cut: RateCurve, regimes: Sequence[phases.Regime], *, here: float, **words: Any
) -> charts.Figure:
    """Return the rate along the cut, by both answers, over a strip that names the phases.

    Args:
        cut: Rates as the budgets are multiplied.
        regimes: The phases on the same budgets.
        here: The budget at factor 1, the chosen point.
        **words: Title (the finding), name and caption.
    """
    hover, name = "%{x:.3g}: %{y:.3g}", "Rate equation (5)"
    lines = both(cut.factors * here, cut.mechanism, cut.equation, hover, name)
    steps = [(TERMS[row.rate], row.lo, row.hi) for row in regimes]
    return maps.over_strip(lines, steps, "Sources' budget ε", here, **words)


def ends(design: phases.Design) -> phases.Endpoints:
    """The endpoints of the corollary for this design."""
    return phases.endpoints(*design.sizes, **design.shape)


def budget_range(design: phases.Design) -> tuple[float, float]:
    """A range of budgets that shows the trivial phase; a point within it does not move it."""
    first = min(ends(design).eps1, 0.1)
    low = 10.0 ** math.floor(math.log10(max(first, 1e-12)) - 0.3)
    if design.epsilon < low:
        low = 10.0 ** math.floor(math.log10(max(design.epsilon, 1e-12)))
    return low, max(1.0, design.epsilon)


def ground(design: phases.Design, axes: str) -> phases.Design:
    """Return the design whose map is the same but for its point, one for all points of a map."""
    base = replace(design, epsilon=budget_range(design)[1])
    if axes == "gamma":
        base = replace(base, gamma=1.0)
    same = budget_range(base) == budget_range(design) and _gamma_top(base) == _gamma_top(design)
    return base if same else design


def build(design: phases.Design, axes: str, reading: str) -> Plane:
    """Return the map of a design; the chosen reading's errors only on the first map."""
    low, high = budget_range(design)
    budget = Axis("budget ε of the sources", True, low, high, "strict → loose", "ε = ")
    shape = {"beta": design.smoothness, "d": design.dimension}
    view: charts.Fields = {"low": low, "high": high, "ratio": design.ratio, **shape}
    wrong: tuple[Polygon, ...] = ()
    if axes == "gamma":
        top = _gamma_top(design)
        up = Axis("signal γ of the sources", False, 0.1, top, "sharper → weaker", "γ = ")
        regions, here = _gamma_map(design, (low, high, 0.1, top), ROWS), min(design.gamma, top)
        if reading != "none" and design.ratio == 1 and min(design.sizes) > 0:
            table = phases.checked_reading(reading)
            more: charts.Fields = {"gamma": np.linspace(0.1, top, ROWS), "low": low, **shape}
            wrong = phases.disagreement_regions(*design.sizes, reading=table, **more)
    elif axes == "target":
        most = 10.0 ** math.ceil(math.log10(max(10.0, design.n0 * 10, design.n * design.m)))
        up, here = Axis("records n₀ of the target", True, 1.0, most, FEW, "n₀ = "), design.n0
        view |= {"gamma": design.gamma, "n0": np.geomspace(1.0, most, ROWS)}
        regions = phases.target_regions(design.n, design.m, **view)
    else:
        total = max(1.0, float(design.n) * design.m)
        most, title = max(total, 2.0), "sources m, all their records fixed"
        up, here = Axis(title, True, 1.0, most, FEW, "m = "), min(design.m, most)
        view |= {"gamma": design.gamma, "m": np.geomspace(1.0, most, ROWS)}
        regions = phases.site_regions(total, design.n0, **view)
    at = (design.epsilon, here if axes == "gamma" else max(here, 1))
    return Plane(regions=regions, looks=TERMS, x=budget, y=up, here=at, wrong=wrong)


def changes(design: phases.Design, axes: str, x: float, y: float) -> dict[str, float]:
    """Return what of a design is another at a point of one of its maps.

    >>> design = phases.Design(
    ...     n=100, m=5, n0=50, smoothness=0.5, dimension=2, margin=1, gamma=1, epsilon=1
    ... )
    >>> changes(design, "sources", 0.2, 10.0)
    {'epsilon': 0.2, 'm': 10, 'n': 50}
    """
    if axes in ("gamma", "target"):
        return {"epsilon": x, "gamma": y} if axes == "gamma" else {"epsilon": x, "n0": round(y)}
    many = max(1, round(y))
    return {"epsilon": x, "m": many, "n": round(design.n * design.m / many)}


def _gamma_map(
    design: phases.Design, ends: tuple[float, float, float, float], rows: int
) -> Mapping[str, tuple[Polygon, ...]]:
    """Return the regions over budgets and exponents; the ends are those of both axes."""
    return _regions(design.sizes, design.smoothness, design.dimension, design.ratio, ends, rows)


@functools.lru_cache(maxsize=128)  # a point that moves leaves the regions as they are
def _regions(
    sizes: tuple[int, int, int],
    beta: float,
    d: int,
    ratio: float,
    ends: tuple[float, float, float, float],
    rows: int,
) -> Mapping[str, tuple[Polygon, ...]]:
    low, high, bottom, top = ends
    view: charts.Fields = {"beta": beta, "d": d, "low": low, "high": high, "ratio": ratio}
    return phases.gamma_regions(*sizes, gamma=np.linspace(bottom, top, rows), **view)


def small(design: phases.Design, like: Plane) -> Plane:
    """Return the map of a design on the axes of another map, to be drawn small."""
    ends = (like.x.low, like.x.high, like.y.low, like.y.high)
    regions = _gamma_map(design, ends, SMALL_ROWS)
    return Plane(regions=regions, looks=TERMS, x=like.x, y=like.y)


def neighbours(design: phases.Design) -> tuple[phases.Design, ...]:
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


def _gamma_top(design: phases.Design) -> float:
    """A range of exponents that shows gamma* where it is not far away, and the point."""
    star = ends(design).gamma_star
    far = star * 1.25 if 1 <= star <= 6 else 2.5
    return float(np.ceil(10 * max(2.0, far, min(design.gamma, 20.0))) / 10)


def marks(design: phases.Design) -> Sequence[tuple[str, float]]:
    """The endpoints that lie on the cut through the chosen exponent."""
    found = ends(design)
    names = {"eps1": "ε₁", "eps2": "ε₂", "eps3": "ε₃", "eps11": "ε₁₁", "eps21": "ε₂₁"}
    values = [(text, float(getattr(found, name))) for name, text in names.items()]
    return [(text, v) for text, v in values if math.isfinite(v) and v > 0]


def factors(design: phases.Design) -> np.ndarray:
    """The budgets of the cut over the design's own."""
    low, high = budget_range(design)
    return np.geomspace(low, high, 121) / design.epsilon


made = functools.lru_cache(maxsize=64)(study_map)


def named(study: Study, moved: Moved) -> str:
    """Return what an axis moves, in words; a site's name is the user's."""
    return f"{'× ' if moved.row is None else ''}{within(study, moved)}"


def within(study: Study, moved: Moved) -> str:
    """Return the same within a sentence."""
    lever = moved.lever
    return lever.every if moved.row is None else lever.at.format(site=study.servers[moved.row].name)


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
    study: Study,
    x: str,
    y: str,
    reach: float,
    answer: str,
    risk: str,
    at: tuple[float, ...] = (),
) -> charts.Figure:
    """Draw who carries most over two numbers of a study, and what binds them.

    Args:
        study: The study.
        x: What moves across, as `rates.maps.Moved` writes it.
        y: What moves upwards.
        reach: Factor below and above the study that a logarithmic axis shows.
        answer: "equation" or "mechanism".
        risk: Which error counts.
        at: The point that is looked at; empty for the study's own.
    """
    across, up = (around(study, Moved.of(text), reach) for text in (x, y))
    lens = lens_of(answer, risk)
    found, here = made(study, across, up, lens), standing(study, across, up, lens, at)
    parts = (f"{said(study, key)} {charts.percent(area)}" for key, area in found.areas.items())
    return maps.map_figure(
        own_plane(study, found, here),
        title=label(look_of(study, found, here.label).said, _SENTENCE),
        alt=f"Map of the study, {named(study, found.x.moved)} against "
        f"{named(study, found.y.moved)}, by the {ANSWERS[answer].lower()}. Parts of the map: "
        f"{', '.join(parts)}. {'The point' if at else _OWN_POINT}: {said(study, here.label)}.",
        name="own-map",
        caption=_caption(found, answer),
    )


def standing(
    study: Study, x: phases.Axis, y: phases.Axis, lens: Lens, at: tuple[float, ...]
) -> Standing:
    """Return what holds at a point of the map, at the study's own where none is given."""
    return phases.standing(study, x, y, lens, at=(at[0], at[1]) if at else None)


def own_plane(study: Study, found: StudyMap, here: Standing) -> Plane:
    """Return the map of a study with the point that is looked at."""
    axes = []
    for axis in (found.x, found.y):
        moved = axis.moved
        sign = f"{moved.lever.letter} × "
        if moved.row is not None:
            sign = f"{moved.lever.letter} of {_cut(study.servers[moved.row].name)} = "
        title = label(named(study, moved), 44)
        axes.append(Axis(title, moved.log, axis.low, axis.high, sign=sign))
    keys = (*found.regions, here.label)
    return Plane(
        regions={said(study, key): polygons for key, polygons in found.regions.items()},
        looks={said(study, key): look_of(study, found, key) for key in keys},
        x=axes[0],
        y=axes[1],
        here=here.at,
        own=found.here,
    )


def _cut(name: str) -> str:
    return name if len(name) <= _CUT else f"{name[: _CUT - 1]}…"


def look_of(study: Study, found: StudyMap, key: Label) -> Look:
    """Return a label's look: hue for what binds, depth for the site, hatch where depths end."""
    name = said(study, key)
    if key == TRIVIAL:
        says = "Here the rate is 1: no site carries anything."
        return replace(TERMS["1"], name=name, short="rate 1", said=says)
    rows = sorted({one.row for one in (*found.regions, found.own) if one.row is not None})
    place = rows.index(key.row) if key.row in rows else len(rows)
    hatches, binds = _HATCHES[key.limit], theme.LIMITS[key.limit]
    target = study.target is not None and key.row == 0
    mark, who = theme.TARGET_MARK if target else theme.SOURCE_MARK, site(study, key)
    return Look(
        key.limit,
        place % _DEPTHS,
        hatches[place // _DEPTHS % len(hatches)],
        f"{mark} {label(who)}: {binds}",
        f"{mark} {label(who, _LETTERS)}",
        words=(_cut(who), binds),
        said=f"Here {_cut(who)} carries most, {binds}.",
        helps=_HELPS[key.limit].format(_cut(who)),
    )


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
