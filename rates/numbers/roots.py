"""Where a function crosses 0, or a condition begins to hold: one search for each kind.

`crossing` is for a function of one number, `least` for a condition that only says yes or no, and
`bracketed` for many equations at once that know their slopes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_MAX_STEPS = 200


def crossing(
    of: Callable[[float], float],
    low: float,
    high: float,
    *,
    xtol: float = 2e-12,
    rtol: float = 9e-16,
) -> float:
    r"""Return x in [low, high] where a function changes its sign, by Brent's method.

    .. math:: f(x^*) = 0, \qquad |x - x^*| \le x_{tol} + r_{tol} |x|

    Args:
        of: The function f, continuous.
        low: Where it has one sign.
        high: Where it has the other, or is 0.
        xtol: See the formula.
        rtol: See the formula.

    >>> round(crossing(lambda x: x * x - 2.0, 0.0, 2.0), 12)
    1.414213562373

    Raises:
        ValueError: Both ends have the same sign.
    """
    from scipy.optimize import brentq  # here: loading it takes longer than a whole answer

    return float(brentq(of, low, high, xtol=xtol, rtol=rtol, maxiter=500))


def least(
    holds: Callable[[Any], bool], low: float, high: float, *, most: float = math.inf
) -> float:
    """Return the least number at which a condition holds that then holds for all larger ones.

    Halving goes on to neighbouring numbers: whole ones if both ends are, else to the last digit.

    Args:
        holds: The condition; at ``low`` it is taken not to hold.
        low: Below the answer.
        high: A first try, doubled until the condition holds.
        most: Where it need not be tried any more: then the answer is ``inf``.

    >>> least(lambda n: n * n >= 50, 0, 1), least(lambda x: x * x >= 0.25, 0.0, 1.0)
    (8, 0.5)
    >>> least(lambda n: False, 0, 1, most=1000)
    inf
    """
    whole = isinstance(low, int) and isinstance(high, int)
    while not holds(high):
        low, high = high, 2 * high
        if high > most:
            return math.inf
    while low < (middle := (low + high) // 2 if whole else 0.5 * (low + high)) < high:
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def bracketed(
    at: Callable[[Array], tuple[Array, NDArray[np.bool_], Array | float]],
    u: Array,
    low: Array,
    high: Array,
    *,
    settled: float = 2e-15,
) -> Array:
    """Solve many equations at once by steps that stay inside shrinking brackets.

    Args:
        at: From points, the step to take down from there (Newton's, or a better one), whether the
            root lies below, and the length over which the function changes by about its value.
        u: Where to begin, inside the brackets; where both ends are alike it stays.
        low: Lower ends.
        high: Upper ends.
        settled: The last step over the size of the root and that length.

    >>> square = lambda x: ((x * x - 2.0) / (2.0 * x), x * x > 2.0, 1.0)
    >>> bracketed(square, np.array([2.0]), np.array([1.0]), np.array([2.0])).round(12).tolist()
    [1.414213562373]
    """
    for turn in range(_MAX_STEPS):
        step, above, reach = at(u)
        high, low = np.where(above, u, high), np.where(above, low, u)
        new = u - step
        # Every fourth step halves the bracket from the eighth on, so the loop must end.
        lost = ~((new >= low) & (new <= high)) | (turn > 5 and turn % 4 == 0)
        new = np.where(lost, 0.5 * (low + high), new)
        moved = np.abs(new - u)
        u = new
        if np.all(moved <= settled * (np.abs(u) + reach)):
            break
    return u
