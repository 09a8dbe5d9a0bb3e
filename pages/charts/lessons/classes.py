"""Errors of coins in the hand and of noise on the tally against the size of a class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages import charts
from pages.charts import number, simulation
from pages.charts.lessons import prediction
from sims.engine import Estimate, Point

X, Y = (8.0, 1_500.0), (0.04, 130.0)
COINS, TALLY = "coins", "tally"
NAMES = {COINS: "Coins, one in each hand", TALLY: "Noise once, on the tally"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Found:
    """What is true.

    Attributes:
        sizes: Sizes of classes.
        errors: By `COINS` and `TALLY`, the standard error of the share of yes at each size.
        own: The same at the size that is asked for.
        points: Points of a run, if there is one: series `COINS` and `TALLY`.
        estimates: The root of its mean squared error so far.
    """

    sizes: Sequence[float]
    errors: Mapping[str, Sequence[float]]
    own: Mapping[str, float]
    points: Sequence[Point] = ()
    estimates: Sequence[Estimate] = ()


def drawn(given: float | None, size: int, found: Found | None, **words: Any) -> charts.Figure:
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
        marks += _true(found)
        factor = found.own[COINS] / found.own[TALLY]
        marks.append(prediction.true([size], [factor], [f"× {number(factor)}"], "top right"))
        first, last = number(found.sizes[0]), number(found.sizes[-1])
        told += [
            f"{NAMES[key]}: standard error {number(errors[0])} of the share at {first} people, "
            f"{number(found.own[key])} at {size}, {number(errors[-1])} at {last}."
            for key, errors in found.errors.items()
        ]
    unit = f"The tally of {size}"
    marks.append(charts.dots([size], [1.0], unit, "square", 9, charts.GREY, hover="1"))
    if given is not None:
        marks.append(prediction.leader([size, size], [1.0, given]))
        marks.append(prediction.dots([size], [given], [f"× {number(given)}"], "middle left"))
        told.append(f"Your prediction at {size}: coins × {number(given)}.")
    return charts.plot(
        marks,
        charts.log_axis("People in the class", X, fixed=True),
        charts.log_axis(f"Times the tally's at {size}", Y, fixed=True),
        _rows(given, size, found),
        **charts.room(400, 66, prediction.HEAD, more=12 * charts.entries(marks)),
        keys=True,
        kept="run" if found is not None and found.points else None,
        alt=" ".join(told),
        **words,
    )


def _true(found: Found) -> list[charts.Curve]:
    """The laws, then what has been simulated, over the tally's own error."""
    unit, laws, seen = found.own[TALLY], [], []
    for place, key in enumerate((COINS, TALLY)):
        colour, _, dash = charts.look(place)
        over = [error / unit for error in found.errors[key]]
        look: charts.Fields = {"width": 2.5, "hover": "%{x:.4g} people: × %{y:.3g}"}
        laws.append(charts.line(found.sizes, over, NAMES[key], colour, dash, **look))
        if any(point.series == key for point in found.points):
            name = f"Simulated classes, {key}, 95 %"
            points = simulation.scores(found.points, found.estimates)[key]
            seen.append(simulation.divided(*points, unit, name, place))
    return [*laws, *seen]


def _rows(given: float | None, size: int, found: Found | None) -> list[dict[str, object]]:
    row: dict[str, object] = {"people": size, "your prediction": "" if given is None else given}
    if found is None:
        return [row]
    errors = ("coins, error", "tally, error")
    more = ("simulated", "error", "95 % low", "95 % high", "classes") if found.points else ()
    empty = {"people": "", "your prediction": "", **dict.fromkeys((*errors, *more), "")}
    truth = [(found.own[COINS], found.own[TALLY])]
    truth += zip(found.errors[COINS], found.errors[TALLY], strict=True)
    out = [{**empty, **dict(zip(errors, pair, strict=True))} for pair in truth]
    for x, line in zip(found.sizes, out[1:], strict=True):
        line["people"] = x
    out[0] |= row
    return out + [
        {**empty, "people": point.x}
        | dict(zip(more, (point.series, e.mean, e.low, e.high, e.replicates), strict=True))
        for point, e in zip(found.points, found.estimates, strict=True)
    ]
