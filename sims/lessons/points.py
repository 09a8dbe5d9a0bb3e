"""Points over several parts: what becomes of the others when one gets more or fewer."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rates.numbers import DomainError
from sims.lessons.records import POINTS


def even(parts: int) -> tuple[float, ...]:
    """Return all points spread as evenly as whole points allow.

    >>> even(3)
    (34.0, 33.0, 33.0)
    """
    return _whole([1.0] * parts, POINTS)


def moved(
    points: Sequence[float], place: int, value: float, kept: Sequence[int] = ()
) -> tuple[float, ...]:
    """Return the points after one part was given some; they sum to 100 as before.

    The others give or take in proportion to what they have, in whole points: first those that
    are not to be kept, and the kept ones only where that is not enough.

    Args:
        points: Whole points of each part.
        place: The part that is given another number, from 0.
        value: Its new number, from 0 to 100.
        kept: Parts that should stay as they are if they can.

    Raises:
        DomainError: There is no such part, or the number is no whole one from 0 to 100.

    >>> moved((25, 25, 25, 25), 0, 40)
    (40.0, 20.0, 20.0, 20.0)
    >>> moved((40, 20, 20, 20), 1, 30, kept=(0,))
    (40.0, 30.0, 15.0, 15.0)
    >>> moved((40, 30, 15, 15), 3, 90, kept=(0, 1))
    (6.0, 4.0, 0.0, 90.0)
    """
    if not 0 <= place < len(points) or value not in range(POINTS + 1):
        rule = f"A part is given a whole number of points from 0 to {POINTS}."
        raise DomainError(rule, f"part {place + 1}", value)
    if len(points) == 1:
        return (float(POINTS),)
    rest = POINTS - int(value)
    others = [k for k in range(len(points)) if k != place]
    held = [k for k in others if k in kept]
    free = [k for k in others if k not in kept]
    in_held = sum(points[k] for k in held)
    if free and in_held <= rest:
        groups = [(free, rest - int(in_held))]
    else:
        groups = [(held, rest), (free, 0)]
    out = [float(x) for x in points]
    out[place] = float(value)
    for group, sum_of_it in groups:
        shares = _whole([points[k] for k in group], sum_of_it)
        for k, share in zip(group, shares, strict=True):
            out[k] = share
    return tuple(out)


def _whole(weights: Sequence[float], total: int) -> tuple[float, ...]:
    """Share a whole number out in proportion to weights, by largest remainders."""
    if not weights:
        return ()
    used = list(weights) if math.fsum(weights) > 0 else [1.0] * len(weights)
    exact = [total * w / math.fsum(used) for w in used]
    out = [math.floor(x) for x in exact]
    order = sorted(range(len(out)), key=lambda k: (out[k] - exact[k], k))
    for k in order[: total - sum(out)]:
        out[k] += 1
    return tuple(float(x) for x in out)
