"""The phase map of (4) as exact polygons, and the rate along a cut through it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pages import charts
from pages.charts import number, theme
from pages.charts.budget import equation, mechanism
from pages.charts.maps import plane
from pages.charts.maps.plane import Look
from rates.phases import Cut, Regime

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


def drawn(
    found: plane.Plane,
    regimes: Sequence[Regime],
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
    return plane.draw(
        found,
        title="The term that decides the rate, in exact regions",
        alt=f"Phase map, {found.x.title} against {found.y.title}. Along the cut: {steps(regimes)}.",
        name="phase-map",
        lines=lines,
        wrong="printed table differs",
        caption=caption,
    )


def along(
    cut: Cut,
    regimes: Sequence[Regime],
    *,
    here: float,
    title: str,
    label: str,
    rates: str,
    what: str,
    **more: Any,
) -> charts.Figure:
    """Return the rate along the cut, by both answers, over a strip that names the phases.

    Args:
        cut: Rates as the budgets are multiplied.
        regimes: The phases on the same budgets.
        here: The budget at factor 1, the chosen point.
        title: The finding.
        label: Name of the horizontal axis.
        rates: Name of the line.
        what: What is drawn, in words.
        **more: Name and caption.
    """
    x = (cut.factors * here).astype("float32")
    low, high = float(x[0]), float(x[-1])
    hover = "%{x:.3g}: %{y:.3g}"
    least = min(float(cut.equation.min()), *(float(row.min()) for row in cut.mechanism), 0.5)
    rows = [(LOOKS[row.rate], row.lo, row.hi) for row in regimes]
    boxes, names = plane.strip(rows, (low, high))
    marks = [
        *mechanism(x, cut.mechanism, hover),
        equation(x, cut.equation, hover, rates),
        charts.line([here, here], [least, 1.0], "your point", dash="dot"),
        *boxes,
    ]
    powers = charts.Axis(kind="log", powers=True, fixed=True)
    figure = charts.Chart(
        marks=marks,
        title=title,
        height=460,
        x=replace(powers, title=label, step=1, beside=2),
        y=[
            replace(powers, title="Rate", part=(0.17, 1)),
            charts.Axis(part=(0, 0.11), shown=False, fixed=True, span=(0, 1)),
        ],
        notes=names,
        legend=charts.LOOSE,
        head=54,
        foot=110,
    )
    columns = {"epsilon": cut.factors * here, "rate_equation": cut.equation}
    columns |= {f"mechanism_{k}": row for k, row in enumerate(cut.mechanism, 1)}
    alt = f"{what}. Phases: {steps(regimes)}."
    return charts.Figure(figure=figure, alt=alt, rows=charts.rows_of(columns), **more)


def steps(regimes: Sequence[Regime]) -> str:
    """The order of the phases along the cut, in words."""
    return "; ".join(
        f"{NAMES[row.rate].lstrip(theme.TARGET_MARK + theme.SOURCE_MARK + ' ')}"
        f" up to {number(row.hi)}"
        for row in regimes
    )
