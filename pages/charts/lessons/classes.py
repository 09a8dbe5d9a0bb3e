"""Errors of coins in the hand and of noise on the tally against the size of a class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pages import charts
from pages.charts import number
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


def drawn(
    given: float | None,
    size: int,
    found: Found | None,
    *,
    title: str,
    caption: str,
    name: str,
) -> charts.Figure:
    """Return both errors over the tally's in a class of one size, in logarithms.

    Args:
        given: How many times larger the coins' is predicted there; None where nobody answered.
        size: Of that class.
        found: What is true; None as long as it is not to be known.
        title: The question, or the finding.
        caption: Below the figure.
        name: Of the files.
    """
    marks: list[charts.Mark] = []
    told = [f"Error over that of noise on the tally of {size} people, against the size of a class."]
    if found is not None:
        marks += _lines(found)
        marks += _simulated(found)
        factor = found.own[COINS] / found.own[TALLY]
        marks.append(prediction.true([size], [factor], [f"× {number(factor)}"], at="top right"))
        told += _told(found, size)
    marks.append(
        charts.dots([size], [1.0], f"The tally of {size}", "square", 9, charts.GREY, hover="1")
    )
    if given is not None:
        marks.append(prediction.leader([size, size], [1.0, given]))
        marks.append(prediction.dots([size], [given], [f"× {number(given)}"], at="middle left"))
        told.append(f"Your prediction at {size}: coins × {number(given)}.")
    entries = charts.entries(marks)
    figure = charts.Chart(
        marks=marks,
        title=title,
        height=400 + 12 * entries,
        head=prediction.HEAD,
        foot=66 + 12 * entries,
        legend=charts.LOOSE,
        keys=True,
        x=charts.log_axis("People in the class", X, fixed=True),
        y=charts.log_axis(f"Times the tally's at {size}", Y, fixed=True),
        kept="run" if found is not None and found.points else None,
    )
    return charts.Figure(
        figure=figure,
        alt=" ".join(told),
        rows=_rows(given, size, found),
        caption=caption,
        name=name,
    )


def _lines(found: Found) -> list[charts.Curve]:
    unit = found.own[TALLY]
    hover = "%{x:.4g} people: × %{y:.3g}"
    return [
        charts.line(
            found.sizes,
            [error / unit for error in found.errors[key]],
            NAMES[key],
            charts.look(place)[0],
            charts.look(place)[2],
            2.5,
            hover=hover,
        )
        for place, key in enumerate((COINS, TALLY))
    ]


def _simulated(found: Found) -> list[charts.Curve]:
    unit, marks = found.own[TALLY], []
    for place, key in enumerate((COINS, TALLY)):
        colour, symbol, _ = charts.look(place)
        at = [i for i, point in enumerate(found.points) if point.series == key]
        if not at:
            continue
        many = [found.estimates[i] for i in at]
        over = [
            Estimate(e.mean / unit, e.stderr / unit, e.replicates, e.low / unit, e.high / unit)
            for e in many
        ]
        marks.append(
            charts.measured(
                [found.points[i].x for i in at],
                over,
                f"Simulated classes, {key}, 95 %",
                colour,
                log=True,
                ends=3,
                counted=True,
                dots=charts.Dots(symbol=symbol, size=9, colour=colour),
            )
        )
    return marks


def _told(found: Found, size: int) -> list[str]:
    first, last = number(found.sizes[0]), number(found.sizes[-1])
    return [
        f"{NAMES[key]}: standard error {number(errors[0])} of the share at {first} people, "
        f"{number(found.own[key])} at {size}, {number(errors[-1])} at {last}."
        for key, errors in found.errors.items()
    ]


def _rows(given: float | None, size: int, found: Found | None) -> list[dict[str, object]]:
    row: dict[str, object] = {"people": size, "your prediction": "" if given is None else given}
    if found is None:
        return [row]
    columns = ("coins, error", "tally, error", "simulated", "error", "95 % low", "95 % high")
    empty = {"people": "", "your prediction": "", **dict.fromkeys((*columns, "classes"), "")}
    own = {"coins, error": found.own[COINS], "tally, error": found.own[TALLY]}
    out = [{**empty, **row, **own}]
    for x, coins, tally in zip(found.sizes, found.errors[COINS], found.errors[TALLY], strict=True):
        out.append({**empty, "people": x, "coins, error": coins, "tally, error": tally})
    for point, one in zip(found.points, found.estimates, strict=True):
        seen: dict[str, object] = {"simulated": point.series, "error": one.mean}
        seen |= {"95 % low": one.low, "95 % high": one.high, "classes": one.replicates}
        out.append({**empty, "people": point.x, **seen})
    return out if found.points else [{k: v for k, v in r.items() if k in (*row, *own)} for r in out]
