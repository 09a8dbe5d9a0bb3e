"""What is found about the rate that is asked about: read once for each question."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from pages.charts import words
from pages.charts.maps import plane
from rates.numbers import DomainError
from rates.orders import Inquiry, Order, OrderError, reading, texts

_LEGEND = 44  # letters that a legend has room for on a phone


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
