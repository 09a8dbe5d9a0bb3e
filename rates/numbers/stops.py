"""Where sliders stop."""

from __future__ import annotations


def steps(low: float, high: float, step: float) -> tuple[float, ...]:
    """Return evenly spaced slider stops.

    >>> steps(0.05, 0.2, 0.05)
    (0.05, 0.1, 0.15, 0.2)
    """
    return tuple(round(low + k * step, 10) for k in range(round((high - low) / step) + 1))


def decades(low: int, high: int, *, whole: bool = False) -> tuple[float, ...]:
    """Return slider stops on a log scale, ten per decade, to two digits.

    >>> decades(0, 1)[:4], decades(0, 1, whole=True)[:4]
    ((1.0, 1.3, 1.6, 2.0), (1.0, 2.0, 3.0, 4.0))
    """
    stops = tuple(float(f"{10 ** (k / 10):.1e}") for k in range(10 * low, 10 * high + 1))
    return tuple(sorted({float(round(s)) for s in stops})) if whole else stops
