"""The phase map of (4) as exact polygons, and the rate along a cut through it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pages.figures import chart
from pages.figures.budget import equation, mechanism
from pages.figures.chart import number, theme
from rates.phases import Cut, Polygon, Regime

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


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of the map."""

    title: str
    log: bool
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PhaseMap:
    """One map, ready to draw.

    Attributes:
        regions: By label of (4), the polygons in which it decides.
        x: The horizontal axis.
        y: The vertical axis.
        here: The chosen point.
        wrong: Where a printed table names another term.
    """

    regions: Mapping[str, Sequence[Polygon]]
    x: Axis
    y: Axis
    here: tuple[float, float]
    wrong: Sequence[Polygon]


def plane(
    found: PhaseMap, regimes: Sequence[Regime], *, lines: Sequence[tuple[str, float]], caption: str
) -> chart.Drawn:
    """Return the map, the movable cut and, hatched, where a printed table differs.

    Args:
        found: The map.
        regimes: The phases on the cut.
        lines: Endpoints on the cut, to be named.
        caption: Below the figure.
    """
    regions, x, y, here, wrong = found.regions, found.x, found.y, found.here, found.wrong
    marks = [_filled(label, polygons) for label, polygons in regions.items() if polygons]
    if wrong:
        xs, ys = _path(wrong)
        hatch = chart.Hatch(shape="x", ink=_INK, size=9, solidity=0.25)
        fill = chart.Fill("rgba(255,255,255,0.35)", hatch)
        marks.append(chart.line(xs, ys, "printed table differs", _INK, "dash", 1.5, fill=fill))
    marks += _cross(here, x, y)
    if lines:
        shown = sorted((at, name) for name, at in lines if x.low <= at <= x.high)
        words = chart.Words(
            texts=[name for _, name in shown],
            at=(["top center", "bottom center"] * len(shown))[: len(shown)],
            font=chart.Font(colour=_INK, size=15, shadow=_HALO),
        )
        marks.append(
            chart.dots(
                [at for at, _ in shown],
                [here[1]] * len(shown),
                "endpoints on the cut",
                "line-ns-open",
                12,
                _INK,
                words=words,
                listed=False,
                hover="%{text} = %{x:.4g}",
                extra="",
            )
        )
    figure = chart.Chart(
        marks=marks,
        title="The term that decides the rate, in exact regions",
        height=560,
        x=_axis(x),
        y=_axis(y),
        notes=[*_labels(regions, x, y)],
        legend=chart.LOOSE,
        head=54,
        foot=150,
    )
    return chart.Drawn(
        figure=figure,
        alt=f"Phase map, {x.title} against {y.title}. Along the cut: {steps(regimes)}.",
        rows=[
            {"label": label, "polygon": k, x.title: float(a), y.title: float(b)}
            for label, polygons in regions.items()
            for k, polygon in enumerate(polygons, start=1)
            for a, b in zip(polygon.x.tolist(), polygon.y.tolist(), strict=True)
        ],
        name="phase-map",
        caption=caption,
    )


_INK = "#111111"
_HALO = "1px 1px 2px white, -1px -1px 2px white, 1px -1px 2px white, -1px 1px 2px white"


def _axis(axis: Axis) -> chart.Axis:
    ends = (axis.low, axis.high)
    if axis.log:
        return chart.log_axis(axis.title, ends, powers=True, step=1, fixed=True)
    return chart.Axis(title=axis.title, span=ends, fixed=True)


def _path(polygons: Sequence[Polygon]) -> tuple[np.ndarray, np.ndarray]:
    return chart.joined([(p.x, p.y) for p in polygons])


def _filled(label: str, polygons: Sequence[Polygon], **more: Any) -> chart.Curve:
    colour = COLOURS[label]
    hatch = None
    if label in HATCHES:
        ink = "rgba(255,255,255,0.55)"
        hatch = chart.Hatch(shape=HATCHES[label], paper=colour, ink=ink, size=9, solidity=0.14)
    fill = chart.Fill(colour, hatch)
    return chart.line(*_path(polygons), NAMES[label], "white", width=0.8, fill=fill, **more)


def _cross(here: tuple[float, float], x: Axis, y: Axis) -> list[chart.Curve]:
    at, up = [min(max(here[0], x.low), x.high)], [here[1]]
    hover = "%{x:.3g}, %{y:.3g}"
    return [
        chart.line([x.low, x.high], up * 2, None, _INK, "dot", 1.5, listed=False),
        chart.dots(
            at, up, "your point", "star", 15, "#ffd84d", chart.Stroke(_INK, 1.5), hover=hover
        ),
    ]


def _labels(regions: Mapping[str, Sequence[Polygon]], x: Axis, y: Axis) -> Iterator[chart.Note]:
    """A name in the widest part of every region that has room for it."""
    for label, polygons in regions.items():
        if spots := [spot for polygon in polygons if (spot := _spot(polygon, x, y))]:
            _, at_x, at_y = max(spots)
            yield _label(label, at_x, at_y, size=13, pad=2)


def _label(label: str, x: float, y: float, *, size: int, **more: Any) -> chart.Note:
    font, ground = chart.Font(colour=_INK, size=size), "rgba(255,255,255,0.85)"
    return chart.Note(text=f"<b>{SHORT[label]}</b>", x=x, y=y, font=font, ground=ground, **more)


def _spot(polygon: Polygon, x: Axis, y: Axis) -> tuple[float, float, float] | None:
    """The room, and the axis coordinates, of the middle of a polygon's best row."""
    across = np.log10(polygon.x) if x.log else polygon.x
    up = np.log10(polygon.y) if y.log else polygon.y
    low, high = (math.log10(v) if x.log else v for v in (x.low, x.high))
    bottom, top = (math.log10(v) if y.log else v for v in (y.low, y.high))
    across = np.clip(across, low, high)
    half = (len(across) - 1) // 2
    left, right = across[:half], across[half:-1][::-1]
    rows = up[:half]
    if not len(rows):
        return None
    width = (right - left) / (high - low)
    height = (rows.max() - rows.min()) / (top - bottom)
    k = int(np.argmax(width - 0.3 * np.abs(rows - rows.mean()) / (top - bottom)))
    if width[k] < 0.09 or height < 0.05:
        return None
    return float(width[k] * height), float((left[k] + right[k]) / 2), float(rows[k])


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
) -> chart.Drawn:
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
    strip = [
        (row.rate, max(row.lo, low), min(row.hi, high))
        for row in regimes
        if max(row.lo, low) < min(row.hi, high)
    ]
    marks = [
        *mechanism(x, cut.mechanism, hover),
        equation(x, cut.equation, hover, rates),
        chart.line([here, here], [least, 1.0], "your point", dash="dot"),
        *(_box(*row) for row in strip),
    ]
    powers = chart.Axis(kind="log", powers=True, fixed=True)
    figure = chart.Chart(
        marks=marks,
        title=title,
        height=460,
        x=replace(powers, title=label, step=1, beside=2),
        y=[
            replace(powers, title="Rate", part=(0.17, 1)),
            chart.Axis(part=(0, 0.11), shown=False, fixed=True, span=(0, 1)),
        ],
        notes=[
            _label(rate, (math.log10(lo) + math.log10(hi)) / 2, 0.5, size=12, y_axis=2)
            for rate, lo, hi in strip
            if math.log10(hi / lo) / math.log10(high / low) > 0.07
        ],
        legend=chart.LOOSE,
        head=54,
        foot=110,
    )
    columns = {"epsilon": cut.factors * here, "rate_equation": cut.equation}
    columns |= {f"mechanism_{k}": row for k, row in enumerate(cut.mechanism, 1)}
    alt = f"{what}. Phases: {steps(regimes)}."
    return chart.Drawn(figure=figure, alt=alt, rows=chart.rows_of(columns), **more)


def _box(rate: str, low: float, high: float) -> chart.Curve:
    """One phase of (4) in the band under the curve."""
    box = Polygon(x=np.array([low, low, high, high, low]), y=np.array([0, 1, 1, 0, 0]))
    return _filled(rate, [box], y_axis=2, listed=False)


def steps(regimes: Sequence[Regime]) -> str:
    """The order of the phases along the cut, in words."""
    return "; ".join(
        f"{NAMES[row.rate].lstrip(theme.TARGET_MARK + theme.SOURCE_MARK + ' ')}"
        f" up to {number(row.hi)}"
        for row in regimes
    )
