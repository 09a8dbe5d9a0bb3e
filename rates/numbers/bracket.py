"""One root of a function of one number between two ends."""

from __future__ import annotations

from collections.abc import Callable

_STEPS = 200


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

    Here, as `scipy.optimize` takes longer to load than a whole answer to compute.

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

    Source: Brent, Algorithms for Minimization without Derivatives (1973), chapter 4.
    """
    before, f_before, best, f_best = low, of(low), high, of(high)
    if f_before == 0.0:
        return low
    if f_best != 0.0 and (f_before > 0.0) == (f_best > 0.0):
        raise ValueError(f"No change of sign between {low} and {high}.")
    other, f_other, step, last = before, f_before, best - before, best - before
    for _ in range(_STEPS):
        if (f_best > 0.0) == (f_other > 0.0):  # the root lies between the last two
            other, f_other, step, last = before, f_before, best - before, best - before
        if abs(f_other) < abs(f_best):
            before, best, other = best, other, best
            f_before, f_best, f_other = f_best, f_other, f_best
        near, half = 0.5 * (xtol + rtol * abs(best)), 0.5 * (other - best)
        if abs(half) <= near or f_best == 0.0:
            break
        if abs(last) >= near and abs(f_before) > abs(f_best):
            if before == other:  # the chord
                ratio = f_best / f_before
                top, bottom = 2.0 * half * ratio, 1.0 - ratio
            else:  # the parabola through three values
                q, r, s = f_before / f_other, f_best / f_other, f_best / f_before
                top = s * (2.0 * half * q * (q - r) - (best - before) * (r - 1.0))
                bottom = (q - 1.0) * (r - 1.0) * (s - 1.0)
            top, bottom = (top, -bottom) if top > 0.0 else (-top, bottom)
            inside = 2.0 * top < min(3.0 * half * bottom - abs(near * bottom), abs(last * bottom))
            last, step = (step, top / bottom) if inside else (half, half)
        else:
            last = step = half
        before, f_before = best, f_best
        best += step if abs(step) > near else (near if half > 0.0 else -near)
        f_best = of(best)
    return best
