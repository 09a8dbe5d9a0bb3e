"""By which factor an exact error changes from one size to another, with simulated points on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pages import charts
from pages.charts import exact, number
from pages.charts.lessons import prediction
from sims.engine import Estimate, Point
from sims.regression import ExactCurve

_DASHES = ("dash", "dot")
_FLAT = 1.1  # one end over the other, up to which a curve is flat


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What is asked: from one size to another.

    Attributes:
        parts: What is predicted, in words.
        start: The size that all errors are divided at.
        end: The size that is asked for.
        x: Ends of the axis of sizes, with its
        title: title.
        y: Ends of the axis of factors.
    """

    parts: tuple[str, ...]
    start: float
    end: float
    x: tuple[float, float]
    title: str
    y: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Found:
    """What is true.

    Attributes:
        curves: The exact errors along the axis, one for each part in their order.
        factors: The factor of each part.
        points: Points of a run, if there is one.
        estimates: What it has found so far.
    """

    curves: Mapping[str, ExactCurve]
    factors: tuple[float, ...]
    points: Sequence[Point] = ()
    estimates: Sequence[Estimate] = ()


def drawn(
    step: Step,
    given: Sequence[float] | None,
    found: Found | None,
    *,
    title: str,
    caption: str,
    name: str,
) -> charts.Figure:
    """Return errors over those at the first size, in logarithms.

    Args:
        step: What is asked.
        given: The factors predicted; None where nobody has answered.
        found: What is true; None as long as it is not to be known.
        title: The question, or the finding.
        caption: Below the figure.
        name: Of the files.
    """
    marks: list[charts.Mark] = []
    rows: list[dict[str, object]] = []
    told = [f"Error over that at {number(step.start)}, against {step.title}, both logarithmic."]
    if found is not None:
        marks += _exact(step, found)
    if given is not None:
        for k, value in enumerate(given):
            dash = _DASHES[k % 2]
            marks.append(prediction.leader([step.start, step.end], [1.0, value], dash))
            star = prediction.path([step.end], [value], name=f"{prediction.YOURS}: {step.parts[k]}")
            words = charts.Words(
                texts=[f"× {number(value)}"], at="top left", font=charts.Font(size=13)
            )
            stroke = replace(star.stroke or charts.Stroke(), dash=dash)
            marks.append(replace(star, stroke=stroke, words=words))
            told.append(f"Your prediction, {step.parts[k]}: × {number(value)}.")
    begin = charts.dots(
        [step.start],
        [1.0],
        f"At {number(step.start)}",
        "square",
        9,
        charts.GREY,
        hover="%{x:.4g}: 1",
    )
    marks.append(begin)
    for k, part in enumerate(step.parts):
        row: dict[str, object] = {"series": part, "size": step.end}
        row["your prediction"] = "" if given is None else given[k]
        if found is not None:
            row["factor"] = found.factors[k]
            told.append(f"True, {part}: × {number(found.factors[k])}.")
        rows.append(row)
    if found is not None:
        rows += _numbers(step, found)
    entries = charts.entries(marks)
    figure = charts.Chart(
        marks=marks,
        title=title,
        height=400 + 22 * entries,
        head=prediction.HEAD,
        foot=60 + 22 * entries,
        legend=charts.SINGLE,
        keys=True,
        x=charts.log_axis(step.title, step.x, fixed=True),
        y=charts.log_axis("Factor on the error", step.y, fixed=True),
        kept="run" if found is not None and found.points else None,
    )
    return charts.Figure(figure=figure, alt=" ".join(told), rows=rows, caption=caption, name=name)


def _base(curve: ExactCurve, start: float) -> float:
    """The exact error at the first size, between points by logarithms."""
    return float(np.exp(np.interp(np.log(start), np.log(curve.x), np.log(curve.risk))))


def _exact(step: Step, found: Found) -> list[charts.Mark]:
    marks: list[charts.Mark] = []
    curves = {name: _over(curve, _base(curve, step.start)) for name, curve in found.curves.items()}
    marks += exact.lines(curves)
    marks += [_named(step.parts[k], curve) for k, curve in enumerate(curves.values())]
    for place, (name, curve) in enumerate(found.curves.items() if found.points else ()):
        colour, symbol, _ = charts.look(place)
        base = _base(curve, step.start)
        at = [i for i, point in enumerate(found.points) if point.series == name]
        marks.append(
            charts.measured(
                [found.points[i].x for i in at],
                [_divided(found.estimates[i], base) for i in at],
                f"{step.parts[place]}: simulated, 95 % intervals",
                colour,
                log=True,
                ends=3,
                counted=True,
                dots=charts.Dots(symbol=symbol, size=9, colour=colour),
            )
        )
    falls = float(next(iter(curves.values())).risk[-1]) < 1 / _FLAT
    texts = [f"× {number(v)}" for v in found.factors]
    least = min(found.factors)
    beside = ["bottom left" if v == least else "top right" for v in found.factors]
    beside = beside if falls else ["bottom right"] * len(texts)
    true = prediction.true([step.end] * len(texts), list(found.factors), texts, at=beside)
    return [*marks, true]


def _named(part: str, curve: ExactCurve) -> charts.Curve:
    """The name of a curve at one end, so that it is not told by its colour alone."""
    rise = float(curve.risk[-1] / curve.risk[0])
    flat = 1 / _FLAT < rise < _FLAT
    end, at = (0, "top right") if flat else (-1, "top left" if rise > 1 else "bottom left")
    words = charts.Words(texts=[part], at=at, font=charts.Font(size=12))
    return charts.Curve(x=[curve.x[end]], y=[curve.risk[end]], words=words, listed=False)


def _over(curve: ExactCurve, base: float) -> ExactCurve:
    risk, without, every = (part / base for part in (curve.risk, curve.without, curve.every))
    return replace(curve, risk=risk, without=without, every=every)


def _divided(one: Estimate, base: float) -> Estimate:
    ends = (one.low / base, one.high / base)
    return Estimate(one.mean / base, one.stderr / base, one.replicates, *ends)


def _numbers(step: Step, found: Found) -> list[dict[str, object]]:
    """The curves, then what has been simulated, as rows."""
    rows: list[dict[str, object]] = []
    for part, curve in zip(step.parts, found.curves.values(), strict=True):
        over = curve.risk / _base(curve, step.start)
        for x, y in zip(curve.x.tolist(), over.tolist(), strict=True):
            rows.append({"series": part, "size": x, "your prediction": "", "factor": y})
    names = dict(zip(found.curves, step.parts, strict=True))
    out = [
        {**row, "simulated": "", "95 % low": "", "95 % high": "", "replicates": ""} for row in rows
    ]
    for point, one in zip(found.points, found.estimates, strict=True):
        base = _base(found.curves[point.series], step.start)
        many = _divided(one, base)
        out.append(
            {
                "series": names[point.series],
                "size": point.x,
                "your prediction": "",
                "factor": "" if point.exact is None else point.exact / base,
                "simulated": many.mean,
                "95 % low": many.low,
                "95 % high": many.high,
                "replicates": many.replicates,
            }
        )
    return out if found.points else rows
