"""From a question about a rate to the rate."""

from __future__ import annotations

from rates.orders.inquiry import FREE, Inquiry, Span
from rates.orders.order import Order
from rates.orders.read import parse


def order_of(asked: Inquiry, *, outer: bool = True) -> Order:
    """Read the rate of a question.

    Args:
        asked: The question.
        outer: Whether a balance's own rate is read with it.

    Raises:
        OrderError: The text, or the rate in the unknown, cannot be read.
        DomainError: The letters are not in order.

    Examples:
        >>> str(order_of(Inquiry(text="n^(-1/2)", sizes=("n",))))
        'n^(-1/2)'
    """
    return parse(
        asked.text,
        sizes=asked.sizes,
        exponents=_ranges(asked),
        unknown=asked.unknown or None,
        rate=(asked.rate or None) if outer else None,
        sites=asked.sites,
    )


def rival_of(asked: Inquiry) -> Order:
    """Read the second rate of a question, in the same letters.

    Raises:
        OrderError: It cannot be read.
    """
    return parse(asked.rival, sizes=asked.sizes, exponents=_ranges(asked))


def _ranges(asked: Inquiry) -> dict[str, Span | None]:
    return {x: None if ends == FREE else ends for x, ends in asked.exponents}
