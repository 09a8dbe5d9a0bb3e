"""Two designs side by side, today and along one common change of their sites."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.answer import BY_EQUATION, Lens
from rates.numbers import DomainError, Words, check_array, solve_log
from rates.plan.base import Basis, both, log_budget_of
from rates.study import Study, columns

Array = NDArray[np.float64]

_SHARED = ("smoothness", "dimension", "margin", "integrability")


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """Two designs of one study, by both answers.

    Attributes:
        risk: Which risk.
        rate_ratio: Rate of the second design over the first, by the rate equation, uncapped.
        effective_n: Effective samples of both, by the rate equation.
        rate_ratio_mechanism: By the named mechanism; nan where a delta is missing.
        effective_n_mechanism: By the named mechanism; nan where a delta is missing.
        missing: Why there is no mechanism answer; empty where there is one.
    """

    risk: str
    rate_ratio: float
    effective_n: tuple[float, float]
    rate_ratio_mechanism: float
    effective_n_mechanism: tuple[float, float]
    missing: str

    @property
    def agree(self) -> bool | None:
        """Whether both answers prefer the same design; None where one of them is silent."""
        if math.isnan(self.rate_ratio_mechanism):
            return None
        sides = [
            0 if abs(math.log(x)) < 1e-9 else math.copysign(1.0, math.log(x))
            for x in (self.rate_ratio, self.rate_ratio_mechanism)
        ]
        return sides[0] == sides[1]


def versus(study_a: Study, study_b: Study, *, lens: Lens = BY_EQUATION) -> Duel:
    """Compare two designs of one study: the same problem, other sites.

    Args:
        study_a: One design.
        study_b: The other; kind, smoothness, dimension, margin and integrability are the same.
        lens: Which risk, and exact or printed Gaussian noise.

    Raises:
        DomainError: The designs differ in more than their sites, so that their unknown
            constants differ too.

    Examples:
        >>> from rates.presets import preset
        >>> study = preset("hospitals").study
        >>> duel = versus(study, study.unprotected())
        >>> round(duel.rate_ratio, 2), round(duel.rate_ratio_mechanism, 2), duel.agree
        (1.0, 0.32, False)

    Source: [ACC] eq. (5); [CCV] eq. (6); `rates.calibrated` for the mechanism.
    """
    (a, b), named, missing = _pairs(study_a, study_b, lens)
    first, second = named or (None, None)
    return Duel(
        risk=a.risk,
        rate_ratio=float(a.fraction(b.u)),
        effective_n=(_worth(a), _worth(b)),
        rate_ratio_mechanism=float(first.fraction(second.u)) if first and second else math.nan,
        effective_n_mechanism=(
            (_worth(first), _worth(second)) if first and second else (math.nan, math.nan)
        ),
        missing=missing,
    )


def _worth(own: Basis) -> float:
    return float(own.equation.effective_n(np.asarray(own.u)))


def _pairs(
    study_a: Study, study_b: Study, lens: Lens
) -> tuple[tuple[Basis, Basis], tuple[Basis, Basis] | None, str]:
    """Both designs by the rate equation, and by the mechanism or why not."""
    if type(study_a) is not type(study_b):
        rule = "Two designs must be of one kind: both transfer or both federated."
        raise DomainError(rule, "kind", Words(type(study_b).__name__))
    for field in _SHARED:
        if hasattr(study_a, field) and getattr(study_a, field) != getattr(study_b, field):
            rule = f"Two designs of one study must have the same {field}."
            raise DomainError(rule, field, getattr(study_b, field))
    (a, first, why), (b, second, other) = both(study_a, lens), both(study_b, lens)
    named = (first, second) if first and second else None
    return (a, b), named, why or other


@dataclass(frozen=True, slots=True, kw_only=True)
class VersusCurve:
    """Two designs along one common factor on every size or every private budget.

    Attributes:
        factors: The factors, ascending.
        first: Effective sample of the first design by the rate equation.
        second: Of the second.
        first_mechanism: Of the first by the named mechanism; nan where a delta is missing.
        second_mechanism: Of the second; likewise.
        crossings: Factors at which the lead changes by the rate equation, by interpolation.
        crossings_mechanism: The same by the named mechanism.
    """

    factors: Array
    first: Array
    second: Array
    first_mechanism: Array
    second_mechanism: Array
    crossings: tuple[float, ...]
    crossings_mechanism: tuple[float, ...]


def versus_curve(
    study_a: Study,
    study_b: Study,
    lever: str,
    factors: ArrayLike,
    *,
    lens: Lens = BY_EQUATION,
) -> VersusCurve:
    """Multiply every n, or every private epsilon, of both designs by the same factors.

    Args:
        study_a: One design.
        study_b: The other, as in `versus`.
        lever: "n" or "epsilon".
        factors: Positive, ascending.
        lens: Which risk, and exact or printed Gaussian noise.

    Raises:
        DomainError: As for `versus`; or the lever or factors lie outside their set.

    Examples:
        >>> from rates.presets import preset
        >>> study = preset("hospitals").study
        >>> curve = versus_curve(study, study.unprotected(), "epsilon", [0.1, 1, 10])
        >>> (curve.first / curve.second).round(2).tolist()
        [0.09, 1.0, 1.0]

    Source: [ACC] eq. (5); [CCV] eq. (6).
    """
    if lever not in ("n", "epsilon"):
        raise DomainError("The lever must be n or epsilon.", "lever", lever)
    x = check_array("factors", factors)
    (a, b), named, _ = _pairs(study_a, study_b, lens)
    one, two = _scaled(a, lever, x), _scaled(b, lever, x)
    nothing = np.full(x.shape, np.nan)
    three, four = nothing, nothing
    if named:
        three, four = (_scaled(own, lever, x) for own in named)
    return VersusCurve(
        factors=x,
        first=one,
        second=two,
        first_mechanism=three,
        second_mechanism=four,
        crossings=_crossings(x, one, two),
        crossings_mechanism=_crossings(x, three, four),
    )


def _scaled(own: Basis, lever: str, x: Array) -> Array:
    """Effective samples with every size or budget multiplied."""
    if lever == "n":
        size = own.terms.log_size + np.log(x)[:, None]
        terms = own.terms.changed(log_size=size)
    else:
        c = columns(own.servers)
        epsilon = c["epsilon"] * x[:, None]
        budget = log_budget_of(own, epsilon, np.broadcast_to(c["delta"], epsilon.shape))
        terms = own.terms.changed(log_budget=np.where(np.isnan(budget), -np.inf, budget))
    return own.equation.effective_n(solve_log(terms))


def _crossings(x: Array, one: Array, two: Array) -> tuple[float, ...]:
    """Where log(one/two) changes its sign, by interpolation on log axes."""
    with np.errstate(invalid="ignore", divide="ignore"):
        lead = np.log(one) - np.log(two)
    lead = np.where(np.abs(lead) < 1e-9, 0.0, lead)
    lead, x = lead[lead != 0], x[lead != 0]
    turns = np.flatnonzero(lead[:-1] * lead[1:] < 0)
    part = lead[turns] / (lead[turns] - lead[turns + 1])
    log_x = np.log(x)
    return tuple(np.exp(log_x[turns] + part * (log_x[turns + 1] - log_x[turns])).tolist())
