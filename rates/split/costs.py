"""What an effective sample costs: the cheapest mix at each of some multiples of today's."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rates.answer import BY_EQUATION, Lens
from rates.numbers import DomainError, as_number, frame, safe_exp
from rates.plan import Mix, Offer, Unreachable, base, cheapest, reach
from rates.study import Study

POINTS = 8
SECONDS = 3.0  # for all points together
_INSIDE = 0.999  # of the reach, in the log: at the end itself rounding may lose a record


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierPoint:
    """One point: an effective sample, and the cheapest mix that gives it.

    Attributes:
        effective_n: The effective sample wanted.
        multiple: The same over today's.
        mix: What is bought for it.
    """

    effective_n: float
    multiple: float
    mix: Mix


@dataclass(frozen=True, slots=True, kw_only=True)
class Frontier:
    """Cost against effective sample, by one answer.

    Attributes:
        now: The effective sample today.
        most: The same with everything on offer.
        points: From the smallest to the largest; each has its own proof.
        stopped: Whether the time was over before all points were looked at.
    """

    now: float
    most: float
    points: tuple[FrontierPoint, ...]
    stopped: bool

    def to_frame(self) -> Any:
        """Return a row for each point as a pandas table; cost in the unit of the prices."""
        return frame(
            {
                "effective sample (unprotected records)": [x.effective_n for x in self.points],
                "effective sample over today's": [x.multiple for x in self.points],
                "cost (unit of the prices)": [x.mix.cost for x in self.points],
            }
        )


def frontier(
    study: Study,
    offers: Sequence[Offer],
    *,
    lens: Lens = BY_EQUATION,
    points: int = POINTS,
    seconds: float = SECONDS,
) -> Frontier:
    """Find the cheapest mix at equal steps of the log of the effective sample.

    Args:
        study: A study.
        offers: What can be bought, as for `rates.plan.cheapest`.
        lens: Which risk, by which answer.
        points: How many points, 2 to 100.
        seconds: Time for all of them; the points found by then are returned.

    Raises:
        DomainError: As for `rates.plan.cheapest`, or an argument lies outside its set.

    Examples:
        A lone open target pays for each further effective record with one record.

        >>> from rates.study import Server, TransferStudy
        >>> lone = Server(name="target", n=100, epsilon=float("inf"))
        >>> study = TransferStudy(target=lone, smoothness=1, dimension=1, margin=0)
        >>> offers = [Offer(what="records", site="target", price=2, most=300)]
        >>> line = frontier(study, offers, points=2)
        >>> [(round(p.effective_n, 1), round(p.mix.cost, 1)) for p in line.points]
        [(199.9, 199.7), (399.4, 598.9)]

    Source: as `rates.plan.cheapest`; the cost model is ours.
    """
    if as_number(points) is None or not 2 <= points <= 100 or points != int(points):
        raise DomainError("A frontier has 2 to 100 points.", "points", points)
    own = base.basis(study, lens)
    furthest = own.equation.worth_power * (own.u - reach(own, offers))
    now = float(own.equation.effective_n(np.asarray(own.u)))
    found: list[FrontierPoint] = []
    end, stopped = time.perf_counter() + seconds, False
    for k in range(1, int(points) + 1) if furthest > 1e-9 else ():
        left = end - time.perf_counter()
        if left <= 0:
            stopped = True
            break
        log_multiple = _INSIDE * furthest * k / points
        fraction = safe_exp(-log_multiple * own.power / own.equation.worth_power)
        try:
            mix = cheapest(study, offers, fraction=fraction, lens=lens, seconds=left)
        except Unreachable:  # what does more alone may do less among the others
            break
        multiple = safe_exp(log_multiple)
        found.append(FrontierPoint(effective_n=now * multiple, multiple=multiple, mix=mix))
    return Frontier(now=now, most=now * safe_exp(furthest), points=tuple(found), stopped=stopped)
