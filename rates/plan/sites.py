r"""What sites are worth: at the margin, as a whole, as a next one, and design against design.

At the root with terms T_j, slopes e_j in u = log r and w_j the weight of the private branch, one
more record, unit of budget or site lowers the log of the rate r^p by

.. math:: \frac{p\,T_j}{\sum_i e_i T_i} \cdot
    \Bigl(\frac{1 + w_j}{n_j},\; \frac{2 w_j \eta_j}{\varepsilon_j},\; 1\Bigr),

per site of the row, with η_j the elasticity of the noise (1 unless calibrated exactly). Ratios
of these are exchange rates; they hold for small changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.answer import BY_EQUATION, Lens, breakdown
from rates.numbers import SERVER_FIELDS, DomainError, Framed, Terms, Words, check_array, solve_log
from rates.plan.base import Array, Basis, basis, both
from rates.plan.change import LEVERS
from rates.study import Server, Study

Unit = Literal["record", "epsilon", "site"]

_ROOM = 2_000_000  # numbers in one block of leave-one-out problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """How much the log of the rate falls per unit, to first order; one entry per row.

    Attributes:
        names: The rows.
        record: Per further record at one of the row's sites.
        epsilon: Per further unit of epsilon at one of the row's sites.
        site: Per further site like those of the row.
    """

    names: tuple[str, ...]
    record: tuple[float, ...]
    epsilon: tuple[float, ...]
    site: tuple[float, ...]

    def exchange(self, of: str, unit: Unit, into: str, into_unit: Unit) -> float:
        """Return how many units at one row are worth one unit at another.

        ``inf`` where the other's unit is worth nothing, nan where neither is worth anything.

        Raises:
            DomainError: No row has that name.

        >>> from rates.presets import preset
        >>> prices = worth(preset("hospitals").study)
        >>> round(prices.exchange("Hungary", "record", "Cleveland", "record"), 3)
        0.63
        """
        for name in (of, into):
            if name not in self.names:
                raise DomainError("There must be a row of that name.", "site", Words(name))
        have = getattr(self, unit)[self.names.index(of)]
        other = getattr(self, into_unit)[self.names.index(into)]
        if other == 0:
            return math.inf if have > 0 else math.nan
        return float(have / other)


def factor_of(more: float, now: float) -> float:
    """Return what a budget is multiplied by with more units of it; ``inf`` from a budget of 0.

    >>> factor_of(0.3, 0.6)
    1.5
    """
    return (now + more) / now if now > 0 else math.inf


def worth(study: Study, *, lens: Lens = BY_EQUATION) -> Worth:
    """Return what one more record, unit of epsilon or site is worth at each row.

    At a tie between the branches of a minimum the value is that of the privacy side.

    Args:
        study: A study.
        lens: Which risk, by which answer.

    Raises:
        DomainError: As for `rates.plan.base.basis`.

    Examples:
        An unprotected target of 100 records, rate n^(-1/3): a record lowers log(rate) by 1/300.

        >>> from rates.study.scenario import TransferStudy
        >>> lone = Server(name="target", n=100, epsilon=float("inf"))
        >>> study = TransferStudy(target=lone, smoothness=1, dimension=1, margin=0)
        >>> round(1 / worth(study).record[0], 9), worth(study).epsilon
        (300.0, (0.0,))

    Source: implicit differentiation of [ACC] eq. (5) and [CCV] eq. (6).
    """
    own = basis(study, lens)
    c, power = own.columns, own.equation.budget_power
    parts = breakdown(own.terms, own.u, 1.0, power)
    elastic = np.array([parts.elasticity_n, parts.elasticity_epsilon])
    by_n, by_budget = -own.power * elastic / c["count"]
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        # Records count with 1 + w, budgets with 2 w: what is left of both is the term itself.
        site = by_n - np.where(by_budget > 0, 0.5 * by_budget / power, 0.0)
        first = np.exp(own.terms.log_sample + own.terms.slope * own.u)  # a record without noise
        first = np.where(np.isinf(c["epsilon"]), first / c["count"] * (site @ c["count"]), 0.0)
        record = np.where(c["n"] > 0, by_n / c["n"], first)
        budget = np.where(by_budget > 0, by_budget / c["epsilon"], 0.0)
    return Worth(
        names=own.names,
        record=tuple(record.tolist()),
        epsilon=tuple(budget.tolist()),
        site=tuple(site.tolist()),
    )


@dataclass(frozen=True, slots=True)
class SiteValue:
    """What a study loses without one of its rows, and gains by one more site like them.

    Attributes:
        name: The row; with a count all of its sites are left out together.
        share: Its part of the rate equation.
        rate_ratio: Rate without it over the rate with it, by the rate equation; ``inf`` if
            nothing is left.
        kept: Part of the effective sample that is left, by the rate equation.
        joined: The effective sample with one more site like it over today's, likewise.
        rate_ratio_mechanism: The first by the named mechanism; nan where a delta is missing.
        kept_mechanism: The second by the named mechanism; likewise.
        joined_mechanism: The third by the named mechanism; likewise.
    """

    name: str
    share: float
    rate_ratio: float
    kept: float
    joined: float
    rate_ratio_mechanism: float
    kept_mechanism: float
    joined_mechanism: float


def site_values(study: Study, *, lens: Lens = BY_EQUATION) -> tuple[SiteValue, ...]:
    """Leave out every row once, add one more of it once, and solve both equations each time.

    Args:
        study: A study; its rows' order is kept.
        lens: Which risk, and exact or printed Gaussian noise.

    Raises:
        DomainError: As for `rates.plan.base.basis`.

    Examples:
        >>> from rates.presets import preset
        >>> [round(v.rate_ratio, 2) for v in site_values(preset("hospitals").study)]
        [1.05, 1.25, 1.09, 1.07]
        >>> [round(v.joined_mechanism, 2) for v in site_values(preset("hospitals").study)]
        [1.06, 1.38, 1.09, 1.06]

    Source: [ACC] eq. (5); [CCV] eq. (6).
    """
    own, named, _ = both(study, lens)
    by_equation = np.exp(own.levels(own.u)[0]), *_ratios(own)
    by_mechanism = _ratios(named) if named else np.full((3, len(own.names)), np.nan)
    rows = np.stack([*by_equation, *by_mechanism], axis=1).tolist()
    return tuple(SiteValue(name, *row) for name, row in zip(own.names, rows, strict=True))


def _ratios(own: Basis) -> tuple[Array, Array, Array]:
    """Rate and effective sample without each row, and effective sample with one more like it."""
    power, single = own.equation.worth_power, own.terms.times(-np.log(own.columns["count"]))
    rows = np.arange(len(own.servers))
    u = _in_blocks(own, len(rows), lambda part: own.without(rows[part]))
    more = _with_each(own, single)
    with np.errstate(over="ignore"):
        return own.fraction(u), np.exp(-power * (u - own.u)), np.exp(-power * (more - own.u))


def _with_each(own: Basis, further: Terms) -> Array:
    """U = log r with each of some rows beside those there are."""
    each = further[..., None]
    return _in_blocks(own, further.shape[0], lambda part: own.terms.joined(each[part]))


def _in_blocks(own: Basis, many: int, terms: Callable[[slice], Terms]) -> Array:
    """The roots of many equations of about the study's rows, so many at a time as memory holds."""
    # Leaving each row out is a square of numbers: 10,000 rows come in blocks.
    width = max(1, _ROOM // (len(own.servers) + 1))
    parts = [slice(start, min(start + width, many)) for start in range(0, many, width)]
    return np.concatenate([solve_log(terms(part)) for part in parts])


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
    fractions = own.fraction(_with_each(own, own.beside(candidates).terms))
    other = np.full(len(candidates), np.nan)
    if named is not None:
        stated = [k for k, s in enumerate(candidates) if named.laplace or s.delta or not s.private]
        if stated:
            some = [candidates[k] for k in stated]
            other[stated] = named.fraction(_with_each(named, named.beside(some).terms))
    ranks, named_ranks = _places(fractions), np.where(np.isnan(other), 0, _places(other))
    columns = ranks.tolist(), fractions.tolist(), named_ranks.tolist(), other.tolist()
    rows = zip(candidates, zip(*columns, strict=True), strict=True)
    found = [NextSite(site.name, *row, site.count) for site, row in rows]
    return tuple(sorted(found, key=lambda site: site.rank))


def _places(x: Array) -> NDArray[np.int64]:
    """Places from 1; of equals the first comes first, and what is not known last."""
    return 1 + np.argsort(np.argsort(x, kind="stable"))


EQUAL = 0.01  # designs closer than this part look equal in three digits, and are called so


def firsts(worth: Sequence[float]) -> tuple[int, ...]:
    """Return which designs are best by one answer: the best, and what is within 1% of it.

    >>> firsts([100.0, 99.5, 90.0])
    (0, 1)
    """
    least = max(worth) * (1.0 - EQUAL)
    return tuple(k for k, x in enumerate(worth) if x >= least)


def leader(worth: Sequence[Sequence[float]]) -> tuple[int, ...]:
    """Return which designs are best whatever the mechanism's constants; none where these decide.

    Args:
        worth: Effective samples of the designs, once for each of the constants.

    Returns:
        One design; several that are equally good by all constants, within 1%; or none.

    >>> leader([[100, 150], [20, 30]]), leader([[100, 100], [20, 20]]), leader([[1, 2], [2, 1]])
    ((1,), (0, 1), ())
    """
    first, *others = (firsts(one) for one in worth)
    return first if all(x == first for x in others) else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One value in which a row of a second design differs from the first.

    Attributes:
        site: The row's name.
        field: What differs; "row" where only one of both designs has it.
        first: The value in the first design; None where there is none.
        second: In the second.
    """

    site: str
    field: str
    first: float | None
    second: float | None


def differences(study_a: Study, study_b: Study) -> tuple[Difference, ...]:
    """List what differs between the rows of two designs, by name: first those of the first.

    >>> from rates.presets import preset
    >>> study = preset("hospitals").study
    >>> [(x.site, x.field, x.first, x.second) for x in differences(study, study.unprotected())][:1]
    [('Hungary', 'epsilon', 1.0, inf)]
    """
    first, second = ({s.name: s for s in study.servers} for study in (study_a, study_b))
    out = []
    for name in dict.fromkeys([*first, *second]):
        a, b = first.get(name), second.get(name)
        if a is None or b is None:
            row = [None if x is None else float(x.n * x.count) for x in (a, b)]
            out.append(Difference(site=name, field="row", first=row[0], second=row[1]))
            continue
        for field in SERVER_FIELDS:
            x, y = getattr(a, field), getattr(b, field)
            if x != y:
                out.append(Difference(site=name, field=field, first=x, second=y))
    return tuple(out)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class VersusCurve(Framed):
    """Some designs along one common factor on every private budget.

    Attributes:
        factors: The factors, ascending.
        equation: Effective sample of each design by the rate equation.
        mechanism: The same by the named mechanism; nan where a delta is missing.
        crossings: Factors at which the lead changes by the rate equation, by interpolation.
        crossings_mechanism: The same by the named mechanism.
    """

    _columns: ClassVar[Mapping[str, str]] = {
        "factors": "factor",
        "equation": "effective sample (unprotected records), rate equation",
        "mechanism": "effective sample (unprotected records), mechanism",
    }

    factors: Array
    equation: tuple[Array, ...]
    mechanism: tuple[Array, ...]
    crossings: tuple[float, ...]
    crossings_mechanism: tuple[float, ...]


def versus_curve(
    studies: Sequence[Study], factors: ArrayLike, *, lens: Lens = BY_EQUATION
) -> VersusCurve:
    """Multiply every private epsilon of all designs by the same factors.

    Args:
        studies: Designs of one study: the same problem, other sites.
        factors: Positive, ascending.
        lens: Which risk, and exact or printed Gaussian noise.

    Raises:
        DomainError: The designs differ in more than their sites, so that their unknown constants
            differ too; or a factor is not positive.

    Examples:
        >>> from rates.presets import preset
        >>> study = preset("hospitals").study
        >>> curve = versus_curve([study, study.unprotected()], [0.1, 1, 10])
        >>> (curve.equation[0] / curve.equation[1]).round(2).tolist()
        [0.09, 1.0, 1.0]

    Source: [ACC] eq. (5); [CCV] eq. (6).
    """
    first, *others = studies
    for other in others:
        if type(other) is not type(first) or other.with_servers(first.servers) != first:
            rule = "Designs of one study are of one kind and have the same parameters."
            raise DomainError(rule, "studies", Words("another problem"))
    x, budgets = check_array("factors", factors), LEVERS["epsilon"]

    def along(own: Basis) -> Array:
        return own.equation.effective_n(solve_log(budgets.scaled(own, x[:, None])))

    every = [both(study, lens)[:2] for study in studies]
    equation = tuple(along(exact) for exact, _ in every)
    mechanism = tuple(along(named) for _, named in every if named is not None)
    if len(mechanism) < len(every):
        mechanism = tuple(np.full(x.shape, np.nan) for _ in every)
    return VersusCurve(
        factors=x,
        equation=equation,
        mechanism=mechanism,
        crossings=_crossings(x, equation),
        crossings_mechanism=_crossings(x, mechanism),
    )


def _crossings(x: Array, lines: Sequence[Array]) -> tuple[float, ...]:
    """Where the lead changes, by interpolation on log axes."""
    with np.errstate(invalid="ignore", divide="ignore"):
        logs = np.log(np.stack(lines))
    # A crossing counts where both designs lead: those of the others change no first place.
    top, log_x, out = np.max(logs, axis=0), np.log(x), []
    for i in range(len(lines)):
        for k in range(i):
            gap = logs[i] - logs[k]
            apart = np.abs(gap) >= 1e-9  # false for nan
            lead, at, best = gap[apart], log_x[apart], (top - np.maximum(logs[i], logs[k]))[apart]
            turns = np.flatnonzero((lead[:-1] * lead[1:] < 0) & (best[:-1] + best[1:] < 1e-9))
            part = lead[turns] / (lead[turns] - lead[turns + 1])
            out += np.exp(at[turns] + part * (at[turns + 1] - at[turns])).tolist()
    return tuple(sorted(out))
