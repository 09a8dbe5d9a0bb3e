"""Errors over one of them: of a class by its size, and from one size of a study to another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pages import charts
from pages.charts import number, predictions, simulation
from sims.regression import ExactCurve

CLASSES, _TIMES = (8.0, 1_500.0), (0.04, 130.0)
_DASHES = ("dash", "dot")
_FLAT = 1.1  # one end over the other, up to which a curve is flat
COINS, TALLY = "coins", "tally"
NAMES = {COINS: "Coins, one in each hand", TALLY: "Noise once, on the tally"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClassErrors:
    """What is true.

    Attributes:
        sizes: Sizes of classes.
        errors: By `COINS` and `TALLY`, the standard error of the share of yes at each size.
        own: The same at the size that is asked for.
    """

    sizes: Sequence[float]
    errors: Mapping[str, Sequence[float]]
    own: Mapping[str, float]


def class_figure(
    given: float | None, size: int, found: ClassErrors | None, **words: Any
) -> charts.Figure:
    """Return both errors over the tally's in a class of one size, in logarithms.

    Args:
        given: How many times larger the coins' is predicted there; None where nobody answered.
        size: Of that class.
        found: What is true; None as long as it is not to be known.
        **words: Title (the question, or the finding), caption, and name of the files.
    """
    marks: list[charts.Curve] = []
    told = [f"Error over that of noise on the tally of {size} people, against the size of a class."]
    if found is not None:
        marks += _laws(found)
        factor = found.own[COINS] / found.own[TALLY]
        marks.append(predictions.triangles([size], [factor], [f"× {number(factor)}"], "top right"))
        first, last = number(found.sizes[0]), number(found.sizes[-1])
        told += [
            f"{NAMES[key]}: standard error {number(errors[0])} of the share at {first} people, "
            f"{number(found.own[key])} at {size}, {number(errors[-1])} at {last}."
            for key, errors in found.errors.items()
        ]
    unit = f"The tally of {size}"
    marks.append(charts.dots([size], [1.0], unit, "square", 9, charts.GREY, hover="1"))
    if given is not None:
        marks.append(predictions.leader([size, size], [1.0, given]))
        marks.append(predictions.stars([size], [given], [f"× {number(given)}"], "middle left"))
        told.append(f"Your prediction at {size}: coins × {number(given)}.")
    return charts.plot(
        marks,
        charts.log_axis("People in the class", CLASSES, fixed=True),
        charts.log_axis(f"Times the tally's at {size}", _TIMES, fixed=True),
        _class_rows(given, size, found),
        **charts.room(400, 66, predictions.HEAD, more=12 * charts.entries(marks)),
        keys=True,
        alt=" ".join(told),
        **words,
    )


def _laws(found: ClassErrors) -> list[charts.Curve]:
    """The laws over the tally's own error."""
    unit, laws = found.own[TALLY], []
    for place, key in enumerate((COINS, TALLY)):
        colour, _, dash = charts.look(place)
        over = [error / unit for error in found.errors[key]]
        look: charts.Fields = {"width": 2.5, "hover": "%{x:.4g} people: × %{y:.3g}"}
        laws.append(charts.line(found.sizes, over, NAMES[key], colour, dash, **look))
    return laws


def _class_rows(
    given: float | None, size: int, found: ClassErrors | None
) -> list[dict[str, object]]:
    row: dict[str, object] = {"people": size, "your prediction": "" if given is None else given}
    if found is None:
        return [row]
    coins, tally = "coins, error", "tally, error"
    truth = zip(found.sizes, found.errors[COINS], found.errors[TALLY], strict=True)
    out = [row | {coins: found.own[COINS], tally: found.own[TALLY]}]
    out += [{"people": x, coins: one, tally: other} for x, one, other in truth]
    return charts.aligned(out)


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
class ExactErrors:
    """What is true.

    Attributes:
        curves: The exact errors along the axis, one for each part in their order.
        factors: The factor of each part.
    """

    curves: Mapping[str, ExactCurve]
    factors: tuple[float, ...]


def step_figure(
    step: Step, given: Sequence[float] | None, found: ExactErrors | None, **words: Any
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
        look: charts.Fields = {"name": f"{predictions.YOURS}: {part}", "dash": _DASHES[k % 2]}
        marks.append(predictions.leader([step.start, step.end], [1.0, value], look["dash"]))
        marks.append(predictions.path([step.end], [value], [f"× {number(value)}"], **look))
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
        charts.aligned(rows + ([] if found is None else _step_rows(step, found))),
        **charts.room(400, 60, predictions.HEAD, charts.SINGLE, more=22 * charts.entries(marks)),
        keys=True,
        alt=" ".join(told),
        **words,
    )


def _base(curve: ExactCurve, start: float) -> float:
    """The exact error at the first size, between points by logarithms."""
    return float(np.exp(np.interp(np.log(start), np.log(curve.x), np.log(curve.risk))))


def _exact(step: Step, found: ExactErrors) -> list[charts.Curve]:
    curves = {}
    for name, curve in found.curves.items():
        base = _base(curve, step.start)
        parts = {key: getattr(curve, key) / base for key in ("risk", "without", "every")}
        curves[name] = replace(curve, **parts)
    named = [_name_at_end(step.parts[k], curve) for k, curve in enumerate(curves.values())]
    texts, least = [f"× {number(v)}" for v in found.factors], min(found.factors)
    beside = ["bottom left" if v == least else "top right" for v in found.factors]
    if not float(next(iter(curves.values())).risk[-1]) < 1 / _FLAT:  # it does not fall
        beside = ["bottom right"] * len(texts)
    true = predictions.triangles([step.end] * len(texts), list(found.factors), texts, beside)
    return [*simulation.exact_lines(curves), *named, true]


def _name_at_end(part: str, curve: ExactCurve) -> charts.Curve:
    """The name of a curve at one end, so that it is not told by its colour alone."""
    rise = float(curve.risk[-1] / curve.risk[0])
    flat = 1 / _FLAT < rise < _FLAT
    end, at = (0, "top right") if flat else (-1, "top left" if rise > 1 else "bottom left")
    words = charts.Words(texts=[part], at=at, font=charts.Font(size=12))
    return charts.Curve(x=[curve.x[end]], y=[curve.risk[end]], words=words, listed=False)


def _step_rows(step: Step, found: ExactErrors) -> list[dict[str, object]]:
    """The curves as rows."""
    rows: list[dict[str, object]] = []
    for part, curve in zip(step.parts, found.curves.values(), strict=True):
        over = curve.risk / _base(curve, step.start)
        pairs = zip(curve.x.tolist(), over.tolist(), strict=True)
        rows += [{"series": part, "size": x, "factor": y} for x, y in pairs]
    return rows
