"""A rate along one of its sizes: values, order, and which term decides where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.orders.axes import intervals
from rates.orders.order import Order
from rates.pieces import Interval

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Along:
    """A rate along one size.

    Attributes:
        x: Places, ascending.
        rate: The rate there, sums as sums, a balance by its root.
        order: Its order there, sums as maxima.
        steps: Which term decides where, with the slope of the log rate.
    """

    x: Array
    rate: Array
    order: Array
    steps: Sequence[Interval]


def along(
    order: Order,
    letter: str,
    sizes: Mapping[str, float],
    exponents: Mapping[str, float],
    *,
    ends: tuple[float, float],
    points: int = 241,
) -> Along:
    """Return a rate at places evenly spread over the log of one size.

    Args:
        order: The rate.
        letter: The size that varies.
        sizes: A number for every other size.
        exponents: A number for every exponent.
        ends: Where the size begins and ends, positive.
        points: How many places.

    Raises:
        DomainError: A letter or a number is outside its domain.

    Examples:
        >>> from rates.orders import parse
        >>> found = along(parse("n^(-1/2) + 1/n", sizes=["n"]), "n", {}, {}, ends=(1, 1e4))
        >>> [round(x, 9) for x in (float(found.rate[0]), float(found.order[0]))]
        [2.0, 1.0]
    """
    low, high = ends
    x = np.geomspace(low, high, points)
    at: dict[str, ArrayLike] = {**sizes, letter: x}
    return Along(
        x=x,
        rate=np.broadcast_to(order.value(at, exponents), x.shape),
        order=np.broadcast_to(order.at(exponents).value(at), x.shape),
        steps=intervals(order, letter, sizes, exponents, lo=low, hi=high),
    )
