r"""Reweighting with private gradient descent as the learner, and its truncated-CDP account.

Loss is convex, L-Lipschitz over a set of diameter D, so it lies in [0, L D]. A mechanism is
(ρ, ω)-tCDP if its Rényi divergence of every order a in (1, ω] is at most a ρ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from rates.hybrid.design import ACCURACY, BUDGET, FAILURE, MEAN_SQUARE
from rates.numbers import DELTA, DIMENSION, DomainError, Parameter, check_fields

LIPSCHITZ = Parameter(
    "lipschitz",
    "L",
    "(0, 1e100]",
    rule="The Lipschitz constant must be positive and at most 1e100.",
    help="Largest length of a record's gradient.",
)
DIAMETER = replace(
    LIPSCHITZ,
    name="diameter",
    symbol="D",
    rule="The diameter must be positive and at most 1e100.",
    help="Largest distance between two rules.",
)
SHORT_BUDGET = replace(
    BUDGET,
    domain="(0, 1)",
    rule="epsilon must be above 0 and below 1: Theorem A.4 is stated only there.",
)
SHORT_DELTA = replace(
    DELTA,
    domain="(0, 1/4)",
    rule="delta must be above 0 and below 1/4: Theorem A.4 is stated only there.",
)
FIELDS = (ACCURACY, FAILURE, MEAN_SQUARE, SHORT_BUDGET, SHORT_DELTA, DIMENSION, LIPSCHITZ, DIAMETER)


@dataclass(frozen=True, slots=True, kw_only=True)
class SgdDesign:
    """What is asked of reweighting with private gradient descent.

    Attributes:
        accuracy: α in (0, 1/8), in units of the loss.
        failure: β in (0, 1/8).
        divergence: X, at least 1.
        epsilon: Budget of every volunteer, in (0, 1).
        delta: δ in (0, 1/4).
        dimension: d.
        lipschitz: L.
        diameter: D.

    Raises:
        DomainError: A value lies outside its domain.

    >>> SgdDesign(accuracy=0.08, divergence=1.35).diameter
    1.0
    """

    accuracy: float
    failure: float = 0.05
    divergence: float
    epsilon: float = 0.5
    delta: float = 1e-4
    dimension: int = 8
    lipschitz: float = 1.0
    diameter: float = 1.0

    def __post_init__(self) -> None:
        check_fields(self, FIELDS, "Gradient descent")

    @property
    def range(self) -> float:
        """L D, the largest loss."""
        return self.lipschitz * self.diameter


def noise_square(design: SgdDesign, log_mass: float) -> float:
    r"""Return σ² = max{20 L², (16 L² log(1/δ)/ε + 8 L²)/log(κ n)}.

    Args:
        design: L, ε and δ are used.
        log_mass: log(κ n), positive.

    >>> noise_square(SgdDesign(accuracy=0.08, divergence=1.35), 1e9)
    20.0

    Source: [KS] Algorithm 4.
    """
    square = design.lipschitz**2
    budget = 16.0 * square * math.log(1.0 / design.delta) / design.epsilon + 8.0 * square
    return max(20.0 * square, budget / log_mass)


def account(
    design: SgdDesign, *, square: float, total_steps: float, kappa: float, records: float
) -> float:
    r"""Return the ε of R T noisy gradient steps on subsampled records, by truncated CDP.

    .. math:: \rho = \frac{26 L^2 RT}{\sigma^2\kappa^2 n^2}, \quad
        \omega = \frac{\sigma^2\log(\kappa n)}{8L^2}, \quad
        \varepsilon = \rho\,\omega + \frac{\log(1/\delta)}{\omega - 1}.

    Args:
        design: L and δ are used.
        square: σ², at least 20 L².
        total_steps: R T.
        kappa: κ.
        records: n.

    Raises:
        DomainError: The order ω does not exceed 1, or the noise is too small for the lemma.

    Source: [KS] Theorem A.3 and after; the lemma is Theorem 12 of Bun et al. (2018), not proved
        here.
    """
    lipschitz = design.lipschitz**2
    if 2.0 * lipschitz / square > 0.1 * (1 + 1e-12):
        rule = "The noise must have sigma^2 >= 20 L^2 for the subsampling lemma."
        raise DomainError(rule, "square", square)
    mass = kappa * records
    order = square * math.log(mass) / (8.0 * lipschitz) if mass > 1 else 0.0
    if order <= 1.0:
        rule = "sigma^2 log(kappa n) must exceed 8 L^2, or the account has no order left."
        raise DomainError(rule, "records", records)
    rho = 26.0 * lipschitz * total_steps / (square * mass**2)
    return rho * order + math.log(1.0 / design.delta) / (order - 1.0)


def records_for_steps(total_steps: float, kappa: float, epsilon: float) -> float:
    """Return n = sqrt(Y log Y) with Y = 52 R T / (8 κ² ε).

    >>> round(records_for_steps(4.99e10, 0.08 / (4 * 1.35145), 0.5) / 1e6, 1)
    324.8

    Source: [KS] Algorithm 4.
    """
    y = 52.0 * total_steps / (8.0 * kappa**2 * epsilon)
    return math.sqrt(y * math.log(y))
