"""Which of some sites on offer does most as the next one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rates.answer import BY_EQUATION, Lens
from rates.numbers import DomainError, solve_log
from rates.plan.base import Array, Basis, both
from rates.study import Server, Study

_ROOM = 2_000_000  # numbers in one block of problems


@dataclass(frozen=True, slots=True)
class NextSite:
    """One candidate, added to a study.

    Attributes:
        name: The candidate.
        rank: Its place by the rate equation, from 1; equal candidates keep the list's order.
        fraction: Rate with it over the rate without it, by the rate equation.
        rank_mechanism: Its place by the named mechanism; 0 where a delta is missing.
        fraction_mechanism: The fraction by the named mechanism; nan where a delta is missing.
        count: How many sites like it were added at once.
    """

    name: str
    rank: int
    fraction: float
    rank_mechanism: int
    fraction_mechanism: float
    count: int


def best_next(
    study: Study, candidates: Sequence[Server], *, lens: Lens = BY_EQUATION
) -> tuple[NextSite, ...]:
    """Add each candidate in turn and rank them by the rate they leave, best first.

    Args:
        study: A study.
        candidates: Sites with names of their own; a count adds that many at once.
        lens: Which risk, and exact or printed Gaussian noise.

    Returns:
        One record per candidate, in the order of the rate equation.

    Raises:
        DomainError: There are no candidates, or one does not fit the study.

    Examples:
        >>> from rates.presets import preset
        >>> offers = [Server(name="Small", n=50, epsilon=8, delta=1e-6, signal_exponent=0.8),
        ...           Server(name="Strict", n=400, epsilon=0.1, delta=1e-6, signal_exponent=0.8)]
        >>> [(x.name, x.rank_mechanism) for x in best_next(preset("hospitals").study, offers)]
        [('Small', 1), ('Strict', 2)]

    Source: [ACC] eq. (5); [CCV] eq. (6).
    """
    if not candidates:
        raise DomainError("A next site is chosen from at least one candidate.", "candidates", 0)
    own, named, _ = both(study, lens)
    fractions = _with_each(own, candidates)
    other = np.full(len(candidates), np.nan)
    if named is not None:
        stated = [k for k, s in enumerate(candidates) if named.laplace or s.delta or not s.private]
        if stated:
            other[stated] = _with_each(named, [candidates[k] for k in stated])
    ranks, named_ranks = _places(fractions), np.where(np.isnan(other), 0, _places(other))
    columns = ranks.tolist(), fractions.tolist(), named_ranks.tolist(), other.tolist()
    rows = zip(candidates, zip(*columns, strict=True), strict=True)
    found = [NextSite(site.name, *row, site.count) for site, row in rows]
    return tuple(sorted(found, key=lambda site: site.rank))


def _with_each(own: Basis, sites: Sequence[Server]) -> Array:
    """The rate with each of some sites beside those there are, over today's."""
    each = own.beside(sites).terms[..., None]
    # Each is a problem of all rows: so many come at a time as memory holds.
    width = max(1, _ROOM // (len(own.servers) + 1))
    parts = [slice(start, start + width) for start in range(0, len(sites), width)]
    return np.concatenate([own.fraction(solve_log(own.terms.joined(each[x]))) for x in parts])


def _places(x: Array) -> NDArray[np.int64]:
    """Places from 1; of equals the first comes first, and what is not known last."""
    return 1 + np.argsort(np.argsort(x, kind="stable"))
