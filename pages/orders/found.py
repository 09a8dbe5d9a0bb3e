"""What is found about the rate that is asked about; kept, so that a page may ask again."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

from pages.charts import words
from pages.charts.maps import plane
from rates import orders
from rates.numbers import DomainError
from rates.orders import Inquiry, Order, OrderError, Said, reading, texts
from sims.engine import Estimate, Fit, Point, fit

_LEGEND = 44  # letters that a legend has room for on a phone
Rows = tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, slots=True)
class Read:
    """What a text was read as.

    Attributes:
        order: The rate, if it can be read.
        problem: Why not.
        field: Where the problem is: "text" or "rate".
    """

    order: Order | None
    problem: DomainError | None = None
    field: str = "text"


@functools.lru_cache(maxsize=256)
def read(asked: Inquiry) -> Read:
    """Read the text of a question, and its rate in the unknown."""
    for outer in (False, True) if asked.rate else (False,):
        try:
            order = reading.order_of(asked, outer=outer)
        except DomainError as problem:
            return Read(None, problem.kept(), "rate" if outer else "text")
    return Read(order)


def order_of(now: Inquiry) -> Order:
    """Return the rate of a question.

    Raises:
        DomainError: It cannot be read.
    """
    result = read(now)
    if result.order is None:
        problem = result.problem or DomainError("The rate cannot be read.", "text", now.text)
        raise problem.kept()  # the one that was read is shared
    return result.order


def marked(text: str, problem: DomainError) -> str | None:
    """Return a text with a mark below what is wrong, if the problem says where.

    >>> marked("a", DomainError("No."))
    """
    if not isinstance(problem, OrderError):
        return None
    first = max(problem.column, 1)
    return f"{text}\n{' ' * (first - 1)}{'^' * max(1, problem.end - first)}"


def looks(order: Order) -> dict[str, plane.Look]:
    """Return how each term of a rate is shown: by its label, with its powers."""
    names = {}
    for label, text in texts.term_texts(order).items():
        short = label if not label.isdigit() else text if len(text) < 9 else f"term {label}"
        long = text if short == text else f"{short}: {text}"
        legend = long if len(long) <= _LEGEND else short  # a table below has all of it
        names[label] = (words.label(legend, _LEGEND), words.label(short))
    return plane.looks(names)


@functools.lru_cache(maxsize=64)
def thresholds(order: Order, along: str) -> tuple[orders.Crossing, ...]:
    """The symbolic thresholds of a letter."""
    return orders.crossings(order, along)


@functools.lru_cache(maxsize=32)
def cases(order: Order, along: str, where: tuple[str, ...]) -> tuple[orders.Table, ...]:
    """The tables of cases, with symbolic exponents."""
    return orders.cases(order, along, where)


def claim(now: Inquiry, said: Said) -> orders.Claim:
    """Read a claim.

    Raises:
        DomainError: The claim or the rate cannot be read.
    """
    return orders.Claim(order_of(now), said.equals, said.where)


@functools.lru_cache(maxsize=256)
def decision(now: Inquiry, said: Said) -> orders.Decision:
    """Decide a claim at the exponents of a question.

    Raises:
        DomainError: The claim cannot be read, or nothing satisfies its conditions.
    """
    return orders.decide(claim(now, said), now.split()[1])


@functools.lru_cache(maxsize=64)
def for_all(now: Inquiry, said: Said) -> orders.Shown:
    """Try to prove a claim for all exponents in their ranges."""
    return orders.decide_symbolic(claim(now, said))


def slopes(points: Rows, theory: list[float]) -> Fit | None:
    """Return the slope of measurements and that of a rate at the same places."""
    if len(points) < 2:
        return None
    places = zip(points, theory, strict=True)
    return fit(
        [Point(series="measured", x=x, theory=value) for (x, _, _), value in places],
        # More than one replicate: how many stood behind an error is the author's matter.
        [Estimate(mean, error, 2) for _, mean, error in points],
    )


def line(points: Rows) -> tuple[float, float] | None:
    """Return level and slope of the line through measurements, in logs."""
    found = slopes(points, [x for x, _, _ in points])
    if found is None or found.slope is None or found.constant is None:
        return None
    own = slopes(points, [x**found.slope.value for x, _, _ in points])
    assert own is not None
    assert own.constant is not None
    return math.log(own.constant.value), found.slope.value
