r"""One server among many that are alike takes over the others' records: from (8) to (9).

With t the part that has moved, one server has n(1 + t(m-1)) records and each of the m - 1 others
n(1 - t); all mn records stay. [CCV] treat both ends: where privacy binds every server, condition
(8), and where one server carries the rate alone, condition (9).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.answer import solve_D
from rates.numbers import DomainError, Framed, least
from rates.pieces import Array
from rates.study import FederatedStudy

FIRST, OTHERS = "The large server", "Each other server"


def two_groups(study: FederatedStudy, moved: float) -> FederatedStudy:
    """Move a part of every other server's records to one server, in whole records.

    Args:
        study: At least two equal servers, as `equal_servers` makes them.
        moved: Part of the others' records that is moved: 0 all alike, 1 one server has all.

    Returns:
        A study of two rows with the same total; no server's budget changes.

    Raises:
        DomainError: There is one server only, ``moved`` is not in [0, 1], or one server would
            hold more records than a server may.

    Examples:
        >>> from rates.maps import equal_servers
        >>> study = equal_servers(10, 100, 1, smoothness=1, integrability=float("inf"))
        >>> [s.n for s in two_groups(study, 0.5).servers]
        [550, 50]

    Source: the settings of [CCV] Corollary 3 (all alike) and Corollary 4 (one dominates).
    """
    _check_groups(study, moved)
    site = study.servers[0]
    # In whole records; 1e-9 keeps a product such as 0.29 * 100 from falling to 28.
    left = min(site.n, max(0, math.floor((1.0 - moved) * site.n + 1e-9)))
    large = site.n + (site.count - 1) * (site.n - left)
    return study.with_servers(
        [
            replace(site, name=FIRST, n=large, count=1),
            replace(site, name=OTHERS, n=left, count=site.count - 1),
        ]
    )


def _check_groups(study: FederatedStudy, *moved: float) -> None:
    site = study.servers[0]
    if len(study.servers) != 1 or site.count < 2:
        rule = "One server can dominate only if there are at least 2."
        raise DomainError(rule, "servers", sum(s.count for s in study.servers))
    for part in moved:
        if not 0.0 <= part <= 1.0:
            raise DomainError("The part that is moved must be from 0 to 1.", "moved", part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """An interval of the moved part on which a condition holds.

    Attributes:
        condition: "(8)" or "(9)", the latter for the growing server.
        risk: "integrated" or "pointwise".
        low: Lower end.
        high: Upper end.
    """

    condition: str
    risk: str
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Growth(Framed):
    """D as one server takes over the records of the others, all records fixed.

    Attributes:
        moved: Part of the others' records that has moved.
        integrated: log D for the error over the whole curve.
        pointwise: log D for the error at one point.
        spans: Where (8) and (9) hold; empty if a budget is 0 or infinite.
    """

    _columns: ClassVar[Mapping[str, str]] = {
        "moved": "part of the others' records moved",
        "integrated": "log D, over the whole curve",
        "pointwise": "log D, at one point",
    }

    moved: Array
    integrated: Array
    pointwise: Array
    spans: tuple[Span, ...]


def growth(study: FederatedStudy, moved: ArrayLike) -> Growth:
    r"""Solve the rate equation while one of m equal servers takes over the others' records.

    .. math:: n_1 = n\,(1 + t(m-1)), \qquad n_j = n\,(1 - t) \quad (j > 1),

    real numbers here.

    Args:
        study: At least two equal servers.
        moved: Ascending parts in [0, 1].

    Raises:
        DomainError: There is one server only, or a part is not in [0, 1].

    Examples:
        >>> from rates.maps import equal_servers
        >>> study = equal_servers(100, 1000, 0.05, smoothness=2, integrability=float("inf"))
        >>> result = growth(study, [0, 0.5, 1])
        >>> [(s.condition, round(s.low, 3), round(s.high, 3)) for s in result.spans][:2]
        [('(8)', 0.0, 0.022), ('(9)', 0.205, 1.0)]

    Source: [CCV] eqs. (6), (8), (9); Corollaries 3 and 4.
    """
    t = np.atleast_1d(np.asarray(moved, dtype=float))
    _check_groups(study, *t.tolist())
    site = study.servers[0]
    m, n, epsilon = site.count, float(site.n), site.epsilon
    size = np.stack([n * (1.0 + t * (m - 1)), n * (1.0 - t)], axis=-1)
    risks = {"integrated": study.smoothness, "pointwise": study.pointwise_smoothness}
    with np.errstate(divide="ignore"):
        log_D = {
            risk: np.log(solve_D(size, epsilon, smoothness=g, count=np.array([1, m - 1])))
            for risk, g in risks.items()
        }
    spans: list[Span] = []
    if n > 0 and 0 < epsilon < math.inf:
        for risk, g in risks.items():
            for which in ("(8)", "(9)"):
                spans += [
                    Span(condition=which, risk=risk, low=low, high=high)
                    for low, high in _where_positive(m, n, epsilon, g, which)
                ]
    return Growth(
        moved=t, integrated=log_D["integrated"], pointwise=log_D["pointwise"], spans=tuple(spans)
    )


def _margin(t: Array, m: int, n: float, epsilon: float, g: float, which: str) -> Array:
    """Log of the left over the right side of (8), or of (9) for the growing server."""
    with np.errstate(divide="ignore"):
        large = math.log(n) + np.log1p(t * (m - 1))
        small = math.log(n) + np.log1p(-t)
    own = 2.0 * (large + math.log(epsilon))
    rest = math.log(m - 1) + 2.0 * (small + math.log(epsilon))
    if which == "(8)":
        return np.asarray(np.logaddexp(own, rest) / (2.0 * g + 2.0) - own + large)
    # (9): n ε is capped at n^((g+1)/(2g+1)), from where on the large server's own sample binds.
    cap = large * (2.0 * g + 2.0) / (2.0 * g + 1.0)
    return np.asarray(np.minimum(own, cap) - rest)


def _where_positive(
    m: int, n: float, epsilon: float, g: float, which: str
) -> list[tuple[float, float]]:
    """Intervals of [0, 1] on which a margin is at least 0, with exact ends."""

    def holds(t: Array) -> NDArray[np.bool_]:
        return _margin(t, m, n, epsilon, g, which) >= -1e-12

    def turned(now: bool, t: Array) -> bool:
        return bool(holds(t)) == now

    # What holds for less than a step of this grid is missed; an end that is seen is exact.
    t = np.linspace(0.0, 1.0, 257)
    held = holds(t)
    ends = [0.0] * int(held[0])
    for k in np.flatnonzero(held[1:] != held[:-1]).tolist():
        ends.append(least(functools.partial(turned, bool(held[k + 1])), *t[k : k + 2].tolist()))
    ends += [1.0] * int(held[-1])
    return list(zip(ends[::2], ends[1::2], strict=True))
