"""Designs side by side, two or more: today, row by row, and along one common change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.answer import BY_EQUATION, Lens
from rates.numbers import DomainError, Framed, Words, check_array
from rates.plan.base import Basis, both
from rates.plan.change import LEVERS, common
from rates.plan.factors import grown
from rates.study import Study

Array = NDArray[np.float64]

_SHARED = ("smoothness", "dimension", "margin", "integrability")
_FIELDS = ("n", "epsilon", "delta", "signal_exponent", "count")
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
        for field in _FIELDS:
            x, y = getattr(a, field), getattr(b, field)
            if x != y:
                out.append(Difference(site=name, field=field, first=x, second=y))
    return tuple(out)


def _designs(studies: Sequence[Study], lens: Lens) -> tuple[list[Basis], list[Basis]]:
    """Designs by the rate equation, and by the mechanism; none by it where a delta is missing."""
    first = studies[0]
    for study in studies[1:]:
        if type(study) is not type(first):
            rule = "Two designs must be of one kind: both transfer or both federated."
            raise DomainError(rule, "kind", Words(type(study).__name__))
        for field in _SHARED:
            if getattr(first, field, None) != getattr(study, field, None):
                rule = f"Two designs of one study must have the same {field}."
                raise DomainError(rule, field, getattr(study, field))
    every = [both(study, lens)[:2] for study in studies]
    named = [found for _, found in every if found is not None]
    return [exact for exact, _ in every], named if len(named) == len(every) else []


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class VersusCurve(Framed):
    """Some designs along one common factor on every size or every private budget.

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
    studies: Sequence[Study], lever: str, factors: ArrayLike, *, lens: Lens = BY_EQUATION
) -> VersusCurve:
    """Multiply every n, or every private epsilon, of all designs by the same factors.

    Args:
        studies: Two designs or more of one study: the same problem, other sites. Kind,
            smoothness, dimension, margin and integrability are the same.
        lever: "n" or "epsilon".
        factors: Positive, ascending.
        lens: Which risk, and exact or printed Gaussian noise.

    Raises:
        DomainError: The designs differ in more than their sites, so that their unknown constants
            differ too; or an argument lies outside its set.

    Examples:
        >>> from rates.presets import preset
        >>> study = preset("hospitals").study
        >>> curve = versus_curve([study, study.unprotected()], "epsilon", [0.1, 1, 10])
        >>> (curve.equation[0] / curve.equation[1]).round(2).tolist()
        [0.09, 1.0, 1.0]

    Source: [ACC] eq. (5); [CCV] eq. (6).
    """
    if lever not in common():
        raise DomainError(f"The lever must be {' or '.join(common())}.", "lever", lever)
    if len(studies) < 2:
        raise DomainError("A comparison needs two designs.", "studies", len(studies))
    x = check_array("factors", factors)
    exact, named = _designs(studies, lens)
    equation, mechanism = (
        tuple(grown(own, LEVERS[lever], x) for own in designs) for designs in (exact, named)
    )
    mechanism = mechanism or tuple(np.full(x.shape, np.nan) for _ in exact)
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
