"""By which factor an exact error changes from one size to another, with simulated points on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pages import charts
from pages.charts import exact, number, simulation
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
    step: Step, given: Sequence[float] | None, found: Found | None, **words: Any
) -> charts.Figure:
    """Return errors over those at the first size, in logarithms.

    Args:
        step: What is asked.
        given: The factors predicted; None where nobody has answered.
        found: What is true; None as long as it is not to be known.
        **words: Title (the question, or the finding), caption, and name of the files.
    """
    start = number(step.start)
    marks: list[charts.Curve] = [] if found is None else _exact(step, found)
    told = [f"Error over that at {start}, against {step.title}, both logarithmic."]
    for k, (value, part) in enumerate(zip(given or (), step.parts, strict=given is not None)):
        look: charts.Fields = {"name": f"{prediction.YOURS}: {part}", "dash": _DASHES[k % 2]}
        marks.append(prediction.leader([step.start, step.end], [1.0, value], look["dash"]))
        marks.append(prediction.path([step.end], [value], [f"× {number(value)}"], **look))
        told.append(f"Your prediction, {part}: × {number(value)}.")
    at, hover = f"At {start}", "%{x:.4g}: 1"
    marks.append(charts.dots([step.start], [1.0], at, "square", 9, charts.GREY, hover=hover))
    rows: list[dict[str, object]] = []
    for k, part in enumerate(step.parts):
        row: dict[str, object] = {"series": part, "size": step.end}
        row["your prediction"] = "" if given is None else given[k]
        if found is not None:
            row["factor"] = found.factors[k]
            told.append(f"True, {part}: × {number(found.factors[k])}.")
        rows.append(row)
    return charts.plot(
        marks,
        charts.log_axis(step.title, step.x, fixed=True),
        charts.log_axis("Factor on the error", step.y, fixed=True),
        rows if found is None else rows + _numbers(step, found),
        **charts.room(400, 60, prediction.HEAD, charts.SINGLE, more=22 * charts.entries(marks)),
        keys=True,
        kept="run" if found is not None and found.points else None,
        alt=" ".join(told),
        **words,
    )


def _base(curve: ExactCurve, start: float) -> float:
    """The exact error at the first size, between points by logarithms."""
    return float(np.exp(np.interp(np.log(start), np.log(curve.x), np.log(curve.risk))))


def _exact(step: Step, found: Found) -> list[charts.Curve]:
    curves, seen = {}, []
    for place, (name, curve) in enumerate(found.curves.items()):
        base = _base(curve, step.start)
        parts = {key: getattr(curve, key) / base for key in ("risk", "without", "every")}
        curves[name] = replace(curve, **parts)
        if found.points:
            text = f"{step.parts[place]}: simulated, 95 % intervals"
            points = simulation.scores(found.points, found.estimates).get(name, ((), ()))
            seen.append(simulation.divided(*points, base, text, place))
    named = [_named(step.parts[k], curve) for k, curve in enumerate(curves.values())]
    texts, least = [f"× {number(v)}" for v in found.factors], min(found.factors)
    beside = ["bottom left" if v == least else "top right" for v in found.factors]
    if not float(next(iter(curves.values())).risk[-1]) < 1 / _FLAT:  # it does not fall
        beside = ["bottom right"] * len(texts)
    true = prediction.true([step.end] * len(texts), list(found.factors), texts, beside)
    return [*exact.lines(curves), *named, *seen, true]


def _named(part: str, curve: ExactCurve) -> charts.Curve:
    """The name of a curve at one end, so that it is not told by its colour alone."""
    rise = float(curve.risk[-1] / curve.risk[0])
    flat = 1 / _FLAT < rise < _FLAT
    end, at = (0, "top right") if flat else (-1, "top left" if rise > 1 else "bottom left")
    words = charts.Words(texts=[part], at=at, font=charts.Font(size=12))
    return charts.Curve(x=[curve.x[end]], y=[curve.risk[end]], words=words, listed=False)


def _numbers(step: Step, found: Found) -> list[dict[str, object]]:
    """The curves, then what has been simulated, as rows."""
    rows: list[dict[str, object]] = []
    more = ("simulated", "95 % low", "95 % high", "replicates") if found.points else ()
    for part, curve in zip(step.parts, found.curves.values(), strict=True):
        over = curve.risk / _base(curve, step.start)
        for x, y in zip(curve.x.tolist(), over.tolist(), strict=True):
            row = {"series": part, "size": x, "your prediction": "", "factor": y}
            rows.append(row | dict.fromkeys(more, ""))
    names = dict(zip(found.curves, step.parts, strict=True))
    for point, one in zip(found.points, found.estimates, strict=True):
        base = _base(found.curves[point.series], step.start)
        many = simulation.over(one, base)
        row = {"series": names[point.series], "size": point.x, "your prediction": ""}
        row["factor"] = "" if point.exact is None else point.exact / base
        values = (many.mean, many.low, many.high, many.replicates)
        rows.append(row | dict(zip(more, values, strict=True)))
    return rows
