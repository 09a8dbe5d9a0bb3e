r"""The same equations for a named mechanism, with its constants and every delta.

The rate equations drop all constants, and can then say that privacy costs nothing where
a real mechanism loses a factor of three. So every answer is given a second time:

* transfer: kernel regression with the product triangular kernel on a uniform design, one
  joint Gaussian release per site, bandwidth h = kappa r. With A = (2/3)^d / 4 the variance
  at a point is V_j(h) = A/(n_j h^d) + (sigma/Delta)^2/(n_j h^d)^2, and r solves
  sum_j r^(2 beta gamma_j) / V_j(kappa r) = 1;
* federated: a series of K functions, V_j(K) = v K/n_j + b_j K^2/(n_j epsilon_j)^2, and
  D = K solves sum_j C K^(-2g) / V_j(K) = 1; Gaussian noise on all coefficients for the
  integrated risk, Laplace noise on the value for the risk at a point.

Two variances add where the rate equation takes the larger: its minimum becomes a harmonic
sum, and the same kernel solves it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rates import numbers
from rates.numbers import KAPPA, DomainError, Mechanism, check_mechanism
from rates.study import Server, Study, columns

Array = NDArray[np.float64]


# How a study is looked at: which risk is meant, and by which of the two answers ------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesConstants:
    """Constants of the series estimator of [CCV]; shown beside every number that uses them.

    Attributes:
        overlap: q = sup_x sum_k phi_k(x)^2 / K of the basis.
        spike: s = sup_x |K(x0, x)| / K of the projection kernel.
        clip: tau, the bound that responses are clipped to.
        variance: v, about 1 + (norm of f)^2.
        bias: C, the squared-bias constant of the function class.

    Raises:
        DomainError: A constant is not positive and finite.

    >>> SeriesConstants(clip=3).clip
    3.0
    """

    overlap: float = 2.0
    spike: float = 2.0
    clip: float = 4.0
    variance: float = 2.0
    bias: float = 1.0

    def __post_init__(self) -> None:
        for name in ("overlap", "spike", "clip", "variance", "bias"):
            field = replace(KAPPA, name=name, noun=f"The constant {name}")
            object.__setattr__(self, name, field.check(getattr(self, name), "Series constants"))


DEFAULT_SERIES = SeriesConstants()
KAPPAS = (1.0, 2.0, 3.0)  # bandwidths over r for which a mechanism is asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Lens:
    """One risk of a study by one answer: what every question about a study is asked through.

    Attributes:
        risk: "classification" for a transfer study; "integrated" or "pointwise" otherwise.
            None takes the first of them.
        mechanism: None for the rate equation; "analytic" or "printed" for the named mechanism.
            A question that gives both answers takes "analytic" for None.
        kappa: Bandwidth over r of the mechanism (transfer studies).
        series: Constants of the mechanism (federated studies).

    Raises:
        DomainError: The mechanism is not known, or kappa is not positive and finite.

    >>> Lens(mechanism="printed").plain == Lens(), Lens().named.mechanism
    (True, 'analytic')
    """

    risk: str | None = None
    mechanism: Mechanism | None = None
    kappa: float = 2.0
    series: SeriesConstants = DEFAULT_SERIES

    def __post_init__(self) -> None:
        if self.mechanism is not None:
            check_mechanism(self.mechanism)
        object.__setattr__(self, "kappa", KAPPA.check(self.kappa))

    @property
    def plain(self) -> Lens:
        """The same risk by the rate equation."""
        return replace(self, mechanism=None)

    @property
    def named(self) -> Lens:
        """The same risk by the named mechanism."""
        return self if self.mechanism else replace(self, mechanism="analytic")

    def at_widths(self, study: Study, kappas: Sequence[float] = KAPPAS) -> tuple[Lens, ...]:
        """The named mechanism at each kappa; once for a curve, which has none."""
        used = kappas if study.kind == "transfer" else kappas[:1]
        return tuple(replace(self.named, kappa=kappa) for kappa in used)

    def risk_of(self, study: Study) -> str:
        """Return the risk's name, the study's first one for None, or raise `DomainError`."""
        risk = study.risks[0] if self.risk is None else self.risk
        if risk not in study.risks:
            raise DomainError(f"risk must be {' or '.join(study.risks)}.", "risk", risk)
        return risk

    def lacks_delta(self, study: Study) -> bool:
        """Whether a private row does not state the delta that the mechanism's noise needs."""
        needs = self.risk_of(study) != "pointwise"  # there the noise is Laplace
        return needs and bool(study.without_delta)


BY_EQUATION = Lens()


# Constants and noise ----------------------------------------------------------------------------


def constants(study: Study, risk: str, lens: Lens) -> tuple[float, float]:
    """Return the logs of the mechanism's constants over a sampling and over a noise variance.

    Budgets are then 1/(sigma/Delta), or epsilon_j for the Laplace noise at a point; records of
    one unprotected site are worth as many as they are, so that the first is also minus the log of
    the constant of the effective sample.
    """
    if study.target is not None:
        d = study.dimension
        log_width = d * math.log(lens.kappa)
        return log_width - math.log(0.25) - d * math.log(2.0 / 3.0), 2.0 * log_width
    c = lens.series
    noise = 4.0 * c.overlap if risk == "integrated" else 8.0 * c.spike**2
    return math.log(c.bias / c.variance), math.log(c.bias / noise) - 2.0 * math.log(c.clip)


def scale(study: Study, lens: Lens) -> str:
    """Return the mechanism's name with its constants."""
    if study.target is not None:
        return (
            f"mechanism: product triangular kernel, one {lens.mechanism} Gaussian release per "
            f"site, bandwidth {lens.kappa:g} r"
        )
    c = lens.series
    return (
        f"mechanism: series estimator, {lens.mechanism} Gaussian noise on the coefficients "
        f"(integrated), Laplace noise on the value (pointwise); q={c.overlap:g}, "
        f"s={c.spike:g}, tau={c.clip:g}, v={c.variance:g}, C={c.bias:g}"
    )


def offered_delta(study: Study) -> float:
    """Return a delta to offer where none is stated: 1e-6, or less in a large study.

    With it the sum of n_j delta_j, which the theorems ask to vanish, is at most 0.01, or as it is
    where the stated ones exceed that already; a larger study gets one digit, rounded down.

    >>> from rates.presets import preset
    >>> offered_delta(preset("hospitals").study)
    1e-06
    """
    private = [s for s in study.servers if s.private]
    if all(s.delta is not None for s in private):  # none is missing: one for all of them
        private = [replace(s, delta=None) for s in private]
    stated = sum(s.n * s.count * s.delta for s in private if s.delta is not None)
    total = sum(s.n * s.count for s in private if s.delta is None)
    if not total or (room := max(1e-4, 0.01 - stated) / total) >= 1e-6:
        return 1e-6
    step = 10.0 ** math.floor(math.log10(room))
    return float(f"{math.floor(room / step * (1 + 1e-12)) * step:.0e}")


def with_offered_delta(study: Study) -> Study:
    """The same study with `offered_delta` at every protected site that states none."""
    if not study.without_delta:
        return study
    delta = offered_delta(study)
    return study.with_servers(
        [replace(s, delta=delta) if s.lacks_delta else s for s in study.servers]
    )


def noise_factor(delta: float) -> float:
    """Return sqrt(2 log(2/delta)), by which delta multiplies the printed noise.

    >>> round(noise_factor(1e-6), 2)
    5.39

    Source: [ACC] eq. (9).
    """
    return math.sqrt(numbers.ACC_PRINTED * (math.log(2.0) - math.log(delta)))


def noise_multipliers(
    servers: Sequence[Server], mechanism: Mechanism, printed: float
) -> tuple[Array, Array]:
    """Return sigma/Delta per row and its elasticity in 1/epsilon.

    Unprotected rows get 0; rows that release nothing get ``inf``.

    Raises:
        DomainError: A private row lacks delta.
    """
    for server in servers:
        if server.lacks_delta:
            rule = "The mechanism needs delta for every private row."
            where = f"Server {server.name!r}"
            raise DomainError(rule, "delta", numbers.Words("nothing"), where)
    c, power = columns(servers), np.ones(len(servers))
    epsilon = c["epsilon"]
    noise = gaussian_noise(epsilon, c["delta"], mechanism, printed)
    noise[[not s.informative for s in servers]] = math.inf
    private = np.array([s.private for s in servers], dtype=bool)
    if mechanism == "analytic" and private.any():
        power[private] = numbers.budget_elasticity(epsilon[private], noise[private])
    return noise, power


def gaussian_noise(
    epsilon: Array,
    delta: Array,
    mechanism: Mechanism = "analytic",
    printed: float = numbers.ACC_PRINTED,
) -> Array:
    """Return the noise over the sensitivity for a grid of epsilons; nan where delta is missing.

    Args:
        epsilon: Budgets; the last axis runs over the rows.
        delta: The rows' deltas; nan where none is stated.
        mechanism: Exact or printed.
        printed: The paper's constant.
    """
    epsilon, delta = np.broadcast_arrays(epsilon, delta)
    noise = np.where(np.isinf(epsilon), 0.0, np.inf)
    private = np.isfinite(epsilon) & (epsilon > 0)
    stated = private & np.isfinite(delta)
    noise[private] = np.nan
    noise[stated] = multipliers(epsilon[stated], delta[stated], mechanism, printed)
    return noise


def multipliers(epsilon: Array, delta: Array, mechanism: Mechanism, printed: float) -> Array:
    """Return sigma/Delta for private budgets, exact or with the paper's constant."""
    if mechanism == "analytic":
        return numbers.analytic_multiplier(epsilon, delta)
    with np.errstate(over="ignore"):
        return numbers.printed_multiplier(epsilon, delta, printed)
