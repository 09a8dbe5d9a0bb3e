"""Where a function crosses 0, or a condition begins to hold: one search for each kind.

`crossing` is for a function of one number, `least` for a condition that only says yes or no,
`rising` for many functions at once, and `bracketed` for many that know their slopes and bounds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_MAX_STEPS = 200
_WIDER = 4.0  # each step outwards is so many times the one before


def crossing(
    of: Callable[[float], float], low: float, high: float, *, xtol: float = 2e-12
) -> float:
    r"""Return x in [low, high] where a function changes its sign, by Brent's method.

    .. math:: f(x^*) = 0, \qquad |x - x^*| \le x_{tol} + r_{tol} |x|

    Args:
        of: The function f, continuous.
        low: Where it has one sign.
        high: Where it has the other, or is 0.
        xtol: See the formula.

    >>> round(crossing(lambda x: x * x - 2.0, 0.0, 2.0), 12)
    1.414213562373

    Raises:
        ValueError: Both ends have the same sign.
    """
    from scipy.optimize import brentq  # here: loading it takes longer than a whole answer

    return float(brentq(of, low, high, xtol=xtol, rtol=9e-16, maxiter=500))


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


@np.errstate(all="ignore")  # of values that are infinite or alike, the middle is taken
def rising(
    of: Callable[[Array], Array],
    start: Array,
    *,
    low: float = -700.0,
    high: float = 709.0,
    exact: float = 1e-14,
) -> Array:
    r"""Return where rising functions of one number each pass 0, all of them at once.

    From its start each steps outwards to a change of sign. The first step is its own value: the
    log of a term rises about as fast as that of a count, so that one step is often enough.

    Args:
        of: Takes one number for each function, and returns the value of each.
        start: Where each begins.
        low: The left end; the root of a function that is not below 0 there is -inf.
        high: The right end; the root of a function that is below 0 there is inf.
        exact: The largest error of a root, over the larger of 1 and its size.

    >>> rising(lambda x: np.exp(x) - [1.0, 8.0, np.inf], np.zeros(3)).round(6).tolist()
    [0.0, 2.079442, inf]
    """
    a = np.clip(start, low, high)
    f_a = of(a)
    step = np.clip(np.nan_to_num(np.abs(f_a), posinf=1.0), 1e-3, 1e3)
    up = f_a < 0
    b, f_b = a, f_a
    while True:
        open_ = ((f_b < 0) == up) & (f_b != 0) & np.where(up, b < high, b > low)
        if not open_.any():
            break
        a, f_a = np.where(open_, b, a), np.where(open_, f_b, f_a)
        b = np.where(open_, np.clip(b + np.where(up, step, -step), low, high), b)
        f_b, step = np.where(open_, of(b), f_b), _WIDER * step
    found = _closed(of, a, f_a, b, f_b, exact, exact)
    return np.where(f_b < 0, np.where(up, np.inf, found), np.where(up | (f_b == 0), found, -np.inf))


def _closed(
    of: Callable[[Array], Array],
    a: Array,
    f_a: Array,
    b: Array,
    f_b: Array,
    xtol: float,
    rtol: float,
) -> Array:
    """Close brackets by the rule of Chandrupatla, Advances in Engineering Software 28 (1997).

    The inverse parabola through the last three values is taken where these lie so that it stays
    inside, and else the middle; the first step is along the chord.
    """
    c, f_c = a, f_a
    part = f_a / (f_a - f_b)
    part = np.where((part > 0) & (part < 1), part, 0.5)
    done = (f_a == 0) | (f_b == 0) | ((f_a < 0) == (f_b < 0))
    for _ in range(_MAX_STEPS):
        best = np.where(np.abs(f_a) < np.abs(f_b), a, b)
        room = 0.5 * (xtol + rtol * np.abs(best)) / np.abs(b - a)
        done |= (room > 0.5) | (f_a == 0)
        if done.all():
            break
        x = np.where(done, best, a + np.clip(part, room, 1.0 - room) * (b - a))
        f = of(x)
        beyond = (f < 0) == (f_a < 0)  # then b stays the other end
        c, f_c = np.where(beyond, a, b), np.where(beyond, f_a, f_b)
        b, f_b = np.where(beyond | done, b, a), np.where(beyond | done, f_b, f_a)
        a, f_a = np.where(done, a, x), np.where(done, f_a, f)
        xi, phi = (a - b) / (c - b), (f_a - f_b) / (f_c - f_b)
        bent = f_a / (f_b - f_a) * f_c / (f_b - f_c)
        bent += (c - a) / (b - a) * f_a / (f_c - f_a) * f_b / (f_c - f_b)
        part = np.where((phi**2 < xi) & ((1.0 - phi) ** 2 < 1.0 - xi), bent, 0.5)
    return np.where(np.abs(f_a) < np.abs(f_b), a, b)


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
    near: NDArray[np.bool_] = np.zeros(np.shape(u), dtype=bool)
    for turn in range(_MAX_STEPS):
        step, above, reach = at(u)
        high, low = np.where(above, u, high), np.where(above, low, u)
        new = u - step
        # Every fourth step halves the bracket from the eighth on, so the loop must end; where the
        # last step was small the root is found, and others are waited for.
        lost = ~((new >= low) & (new <= high)) | (~near & (turn > 5 and turn % 4 == 0))
        new = np.where(lost, 0.5 * (low + high), new)
        near = np.abs(new - u) <= settled * (np.abs(new) + reach)
        u = new
        if near.all():
            break
    return u
