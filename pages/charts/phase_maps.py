"""The phase map of (4) with the rate along a cut, and a study's own map, as exact polygons."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from pages import charts
from pages.charts import label, maps, number, theme
from pages.charts.budget import both
from pages.charts.maps import Axis, Look, Plane
from rates import landscape, phases
from rates.answer import Lens
from rates.landscape import TRIVIAL, Label, Landscape, Moved, around
from rates.pieces import Polygon
from rates.study import Study, TransferStudy

# Privacy and sampling differ by hue and hatch, target and source by depth and mark.
COLOURS = {
    "1": "#9aa3af",
    "Pt": "#b5511b",
    "Ps": "#e79a68",
    "NPt": "#2563a8",
    "NPs": "#86b6e3",
    "public": "#5b9a68",
}
HATCHES = {"Pt": "/", "Ps": "\\", "1": "."}
NAMES = {
    "1": "trivial: rate 1",
    "Pt": f"{theme.TARGET_MARK} Pt: target, privacy binds",
    "NPt": f"{theme.TARGET_MARK} NPt: target, sampling binds",
    "Ps": f"{theme.SOURCE_MARK} Ps: sources, privacy binds",
    "NPs": f"{theme.SOURCE_MARK} NPs: sources, sampling binds",
    "public": "unprotected source",
}
SHORT = {label: text.split(":")[0] for label, text in NAMES.items()}
LOOKS = {
    label: Look(colour, HATCHES.get(label, ""), NAMES[label], SHORT[label])
    for label, colour in COLOURS.items()
}
ROWS = 121
AXES = {
    "gamma": "budget ε against signal exponent γ",
    "sources": "budget ε against number of sources m, total fixed",
    "target": "budget ε against target size n₀",
    "exponent": "signal exponent γ against number of sources m, total fixed",
}
READINGS = {"none": "Not shown", "A": "Reading A", "B": "Reading B"}
ANSWERS = {"equation": "Rate equation", "mechanism": "Named mechanism"}
# Privacy and sampling differ by hue and hatch as on every page, sites by depth and hatch.
_DEPTHS = {
    theme.PRIVACY: ("#b5511b", "#e79a68", "#cf7740", "#f1bf9c", "#8a3a10", "#dd8550"),
    theme.SAMPLE: ("#2563a8", "#86b6e3", "#4f8cc9", "#b9d5f0", "#17406f", "#6aa3da"),
}
_HATCHES = {theme.PRIVACY: ("/", "\\", "x"), theme.SAMPLE: ("", "-", "|")}
_LETTERS = 12  # of a site's name on the map
_BINDS = {theme.PRIVACY: "privacy", theme.SAMPLE: "sampling"}
_ALL = {"n": "All records", "epsilon": "All private budgets", "count": "All numbers of sites"}
_ONE = {
    "n": "Records n of {}",
    "epsilon": "Budget ε of {}",
    "signal_exponent": "Signal exponent γ of {}",
    "count": "Number of sites of {}",
}


def phase_figure(
    found: Plane,
    regimes: Sequence[phases.Regime],
    *,
    lines: Sequence[tuple[str, float]],
    caption: str,
) -> charts.Figure:
    """Return the map, the movable cut and, hatched, where a printed table differs.

    Args:
        found: The map.
        regimes: The phases on the cut.
        lines: Endpoints on the cut, to be named.
        caption: Below the figure.
    """
    return maps.map_figure(
        found,
        title="The term that decides the rate, in exact regions",
        alt=f"Phase map, {found.x.title} against {found.y.title}. Along the cut: {steps(regimes)}.",
        name="phase-map",
        lines=lines,
        wrong="printed table differs",
        caption=caption,
    )


def cut_figure(
    cut: phases.Cut,
    regimes: Sequence[phases.Regime],
    *,
    here: float,
    label: str,
    rates: str,
    what: str,
    **words: Any,
) -> charts.Figure:
    """Return the rate along the cut, by both answers, over a strip that names the phases.

    Args:
        cut: Rates as the budgets are multiplied.
        regimes: The phases on the same budgets.
        here: The budget at factor 1, the chosen point.
        label: Name of the horizontal axis.
        rates: Name of the line.
        what: What is drawn, in words.
        **words: Title (the finding), name and caption.
    """
    x, hover = (cut.factors * here).astype("float32"), "%{x:.3g}: %{y:.3g}"
    least = min(float(cut.equation.min()), *(float(row.min()) for row in cut.mechanism), 0.5)
    columns: charts.Fields = {"epsilon": cut.factors * here, "rate_equation": cut.equation}
    columns |= {f"mechanism_{k}": row for k, row in enumerate(cut.mechanism, 1)}
    powers: charts.Fields = {"kind": "log", "powers": True, "fixed": True}
    lines = both(x, cut.mechanism, cut.equation, hover, rates)
    return maps.over_strip(
        [*lines, charts.line([here, here], [least, 1.0], "your point", dash="dot")],
        [(LOOKS[row.rate], row.lo, row.hi) for row in regimes],
        (float(x[0]), float(x[-1])),
        charts.Axis(**powers, title=label, step=1),
        charts.Axis(**powers, title="Rate"),
        columns,
        alt=f"{what}. Phases: {steps(regimes)}.",
        **words,
    )


def steps(regimes: Sequence[phases.Regime]) -> str:
    """The order of the phases along the cut, in words."""
    return "; ".join(
        f"{NAMES[row.rate].lstrip(theme.TARGET_MARK + theme.SOURCE_MARK + ' ')}"
        f" up to {number(row.hi)}"
        for row in regimes
    )


def ends(design: phases.Design) -> phases.Endpoints:
    """The endpoints of the corollary for this design."""
    return phases.endpoints(*design.sizes, **design.shape)


def budget_range(design: phases.Design, upper: float) -> tuple[float, float]:
    """A range of budgets that shows the trivial phase and the chosen point."""
    first = min(ends(design).eps1, design.epsilon, 0.1)
    return 10.0 ** math.floor(math.log10(max(first, 1e-12)) - 0.3), max(upper, design.epsilon)


def build(design: phases.Design, axes: str, upper: float, reading: str) -> Plane:
    """Return the map of a design; the chosen reading's errors only on the first map."""
    low, high = budget_range(design, upper)
    budget = Axis("Sources' budget ε", True, low, high)
    shape = {"beta": design.smoothness, "d": design.dimension}
    span: charts.Fields = {"low": low, "high": high, "ratio": design.ratio, **shape}
    top = _gamma_top(design)
    gammas = Axis("Signal exponent γ of the sources", False, 0.1, top)
    gamma = min(design.gamma, top)
    wrong: tuple[Polygon, ...] = ()
    total = max(1.0, float(design.n) * design.m)
    counts = np.geomspace(1.0, max(total, 2.0), ROWS)
    sites = Axis("Number of sources m, m n fixed", True, 1.0, float(counts[-1]))
    many = min(max(design.m, 1), counts[-1])
    x, y, here = budget, sites, (design.epsilon, many)
    if axes == "gamma":
        y, here, values = gammas, (design.epsilon, gamma), np.linspace(0.1, top, ROWS)
        regions = phases.maps.gamma_regions(*design.sizes, gamma=values, **span)
        if reading != "none" and design.ratio == 1 and min(design.sizes) > 0:
            table = phases.checked_reading(reading)
            more: charts.Fields = {"gamma": values, "low": low, **shape}
            wrong = phases.disagreement_regions(*design.sizes, reading=table, **more)
    elif axes == "target":
        largest = 10.0 ** math.ceil(math.log10(max(10.0, design.n0 * 10, design.n * design.m)))
        y = Axis("Records of the target n₀", True, 1.0, largest)
        here, sizes = (design.epsilon, max(design.n0, 1)), np.geomspace(1.0, largest, ROWS)
        span["gamma"] = design.gamma
        regions = phases.maps.target_regions(design.n, design.m, n0=sizes, **span)
    elif axes == "sources":
        span["gamma"] = design.gamma
        regions = phases.maps.site_regions(total, design.n0, m=counts, **span)
    else:
        x, here = gammas, (gamma, many)
        regions = phases.maps.exponent_regions(
            lambda m: {"n": total / m, "m": m, "n0": design.n0, **shape},
            counts,
            epsilon=design.epsilon,
            low=0.1,
            high=top,
            ratio=design.ratio,
        )
    return Plane(regions=regions, looks=LOOKS, x=x, y=y, here=here, wrong=wrong)


def _gamma_top(design: phases.Design) -> float:
    """A range of exponents that shows gamma* where it is not far away."""
    star = ends(design).gamma_star
    far = star * 1.25 if 1 <= star <= 6 else 2.5
    return float(np.ceil(10 * max(2.0, far, min(design.gamma * 1.1, 20.0))) / 10)


def marks(design: phases.Design) -> Sequence[tuple[str, float]]:
    """The endpoints that lie on the cut through the chosen exponent."""
    found = ends(design)
    names = {"eps1": "ε₁", "eps2": "ε₂", "eps3": "ε₃", "eps11": "ε₁₁", "eps21": "ε₂₁"}
    values = [(text, float(getattr(found, name))) for name, text in names.items()]
    return [(text, v) for text, v in values if math.isfinite(v) and v > 0]


def factors(design: phases.Design, upper: float) -> np.ndarray:
    """The budgets of the cut over the design's own."""
    low, high = budget_range(design, upper)
    return np.geomspace(low, high, 121) / design.epsilon


made = functools.lru_cache(maxsize=64)(landscape.landscape)


def named(study: Study, moved: Moved) -> str:
    """Return what an axis moves, in words; a site's name is the user's."""
    if moved.row is None:
        return f"× {within(study, moved)}"
    return _ONE[moved.quantity].format(study.servers[moved.row].name)


def within(study: Study, moved: Moved) -> str:
    """Return the same within a sentence."""
    return named(study, moved) if moved.row is not None else _ALL[moved.quantity].lower()


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


def map_of(study: Study, x: str, y: str, reach: float, answer: str, risk: str) -> charts.Figure:
    """Draw who carries most over two numbers of a study, and what binds them.

    Args:
        study: The study.
        x: What moves across, as `rates.landscape.Moved` writes it.
        y: What moves upwards.
        reach: Factor below and above the study that a logarithmic axis shows.
        answer: "equation" or "mechanism".
        risk: Which error counts.
    """
    axes = [around(study, Moved.of(text), reach) for text in (x, y)]
    found = made(study, *axes, lens_of(answer, risk))
    looks = _looks(study, found)
    over, up = (
        Axis(label(named(study, axis.moved), 44), axis.moved.log, axis.low, axis.high)
        for axis in (found.x, found.y)
    )
    regions = {said(study, key): polygons for key, polygons in found.regions.items()}
    shown = {said(study, key): look for key, look in looks.items()}
    picture = Plane(regions=regions, looks=shown, x=over, y=up, here=found.here)
    areas = found.areas.items()
    parts = ", ".join(f"{said(study, key)} {charts.percent(area)}" for key, area in areas)
    return maps.map_figure(
        picture,
        title=_title(study, found.own),
        alt=f"Map of the study, {named(study, found.x.moved)} against "
        f"{named(study, found.y.moved)}, by the {ANSWERS[answer].lower()}. Parts of the map: "
        f"{parts}. The study's point: {said(study, found.own)}.",
        name="own-map",
        caption=_caption(study, found, answer),
    )


def _title(study: Study, own: Label) -> str:
    if own == TRIVIAL:
        return "Here the rate is 1: no site carries anything"
    return f"{label(site(study, own), 20)} carries most, {_BINDS[own.limit]} binds"


def _looks(study: Study, found: Landscape) -> dict[Label, Look]:
    """Give each label a look: hue and hatch for what binds, depth for the site."""
    rows = sorted({key.row for key in (*found.regions, found.own) if key.row is not None})
    out = {}
    for key in (*found.regions, found.own):
        if key == TRIVIAL:
            out[key] = Look(theme.COLOURS[theme.NONE], ".", said(study, key), "rate 1")
            continue
        place = len(rows) if key.row is None else rows.index(key.row)
        depths, hatches = _DEPTHS[key.limit], _HATCHES[key.limit]
        target = isinstance(study, TransferStudy) and key.row == 0
        mark = theme.TARGET_MARK if target else theme.SOURCE_MARK
        name = site(study, key)
        out[key] = Look(
            depths[place % len(depths)],
            hatches[place // len(depths) % len(hatches)],
            f"{mark} {label(name)}: {theme.LIMITS[key.limit]}",
            f"{mark} {label(name, _LETTERS)}",
        )
    return out


def _caption(study: Study, found: Landscape, answer: str) -> str:
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
