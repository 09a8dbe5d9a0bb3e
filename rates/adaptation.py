r"""Public source, private target, [BCMM]: sizes, the noise of each mechanism, true budgets, bounds.

A record is one labelled pair of the private sample; neighbours differ by replacing one. Features
have norm at most 1 (the paper's r), labels lie in [-1, 1], predictors x -> w.x have norm at most Λ.
In the bounds (Theorems 4.2, 4.3, 5.2, B.1 and Lemma 5.1, every constant in) U stands for the
squared distance of the inverse weights u = 1/q from their best values.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rates import numbers
from rates.numbers import DELTA, DomainError, Parameter, crossing, delta_of

Loss = Literal["squared", "logistic"]
LOSSES: tuple[Loss, ...] = ("squared", "logistic")
PARTS = 2.0  # half of the budget goes to the discrepancy, half to the algorithm

PUBLIC = replace(
    numbers.SAMPLE_SIZE,
    name="public",
    symbol="m",
    domain=f"1, ..., {numbers.MAX_N}",
    rule="The public sample must hold at least 1 record.",
    help="Labelled records of the public source, m in the paper.",
)
PRIVATE = replace(
    numbers.SAMPLE_SIZE,
    name="private",
    symbol="n",
    domain=f"1, ..., {numbers.MAX_N}",
    rule="The private sample must hold at least 1 record.",
    help="Labelled records of the private target, n in the paper, one per person.",
)
MIXTURE = Parameter(
    "alpha",
    "α",
    "(0, 1)",
    rule="alpha must lie strictly between 0 and 1: at either end one sample has no weight.",
    help="Reference share of the public sample: each public record starts with weight α/m, each "
    "private one with (1 - α)/n.",
)
NORM_BOUND = Parameter(
    "norm_bound",
    "Λ",
    "(0, inf)",
    noun="The bound Λ",
    help="Largest norm of the coefficients w.",
)
PENALTY = Parameter(
    "penalty",
    "κ",
    "[0, inf)",
    rule="A penalty must be >= 0 and finite.",
    help="How strongly the weights are held at the reference weights.",
)
BUDGET = replace(
    numbers.EPSILON,
    domain="(0, inf]",
    rule="epsilon must be positive (inf: no noise).",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdaptationDesign:
    """Sizes, bounds, penalty and budget of one run of an algorithm of [BCMM].

    Attributes:
        public: Public records m, at least 1.
        private: Private records n, at least 1.
        dimension: Length d of the coefficients.
        alpha: Reference share of the public sample, in (0, 1).
        norm_bound: Largest norm Λ of the coefficients.
        epsilon: Budget, positive; ``inf`` is no noise.
        delta: In (0, 1).
        penalty: κ₁ of (6), λ₁ of (7): price of leaving the reference weights; those of (6) on
            the weights' norms are 0 here.
        loss: "squared" or "logistic".

    Raises:
        DomainError: A field is outside its set.

    >>> AdaptationDesign(public=1, private=0)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    rates.DomainError: The private sample must hold at least 1 record. ...
    """

    public: int = 5000
    private: int = 200
    dimension: int = 10
    alpha: float = 0.5
    norm_bound: float = 2.0
    epsilon: float = 1.0
    delta: float = 0.01
    penalty: float = 0.04
    loss: Loss = "squared"

    def __post_init__(self) -> None:
        numbers.check_fields(self, _FIELDS)
        if self.loss not in LOSSES:
            raise DomainError(f"loss must be {' or '.join(LOSSES)}.", "loss", self.loss)

    @property
    def halved(self) -> AdaptationDesign:
        """The same at half of the budget, one part for the discrepancy and one for the rest."""
        return replace(self, epsilon=self.epsilon / PARTS)

    @property
    def loss_bound(self) -> float:
        """B, the largest loss: (Λ + 1)² for the squared, log(1 + exp(Λ)) for the logistic one."""
        squared = self.loss == "squared"
        return (self.norm_bound + 1.0) ** 2 if squared else float(np.logaddexp(0, self.norm_bound))

    @property
    def loss_range(self) -> float:
        """The most by which two records' losses differ at the same coefficients."""
        return self.loss_bound if self.loss == "squared" else self.norm_bound

    @property
    def lipschitz(self) -> float:
        """G, the largest gradient of a loss: 2(Λ + 1), or 1."""
        return 2.0 * (self.norm_bound + 1.0) if self.loss == "squared" else 1.0

    @property
    def smoothness(self) -> float:
        """The largest second derivative of a loss in w: 2, or 1/4."""
        return 2.0 if self.loss == "squared" else 0.25

    @property
    def penalised_bound(self) -> float:
        """B plus the penalty, written with a bar in the paper."""
        return self.loss_bound + self.penalty


_FIELDS = (PUBLIC, PRIVATE, numbers.DIMENSION, MIXTURE, NORM_BOUND, BUDGET, DELTA, PENALTY)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedNoise:
    """Noise and step sizes of Algorithm 1, for a number of steps.

    Attributes:
        sensitivity_w: s₁, of the gradient in w.
        sensitivity_u: s₂, of the gradient in the private inverse weights.
        sigma_w: Standard deviation of the noise in each coordinate of the first.
        sigma_u: The same for the second.
        step_w: Step size in w.
        step_public: Step size in the public inverse weights.
        step_private: Step size in the private inverse weights.
    """

    sensitivity_w: float
    sensitivity_u: float
    sigma_w: float
    sigma_u: float
    step_w: float
    step_public: float
    step_private: float


def printed_noise(design: AdaptationDesign, steps: int) -> PrintedNoise:
    r"""Return noise and step sizes of Algorithm 1 as printed.

    .. math:: s_1 = \frac{2(1-\alpha)G}{n},\quad s_2 = \frac{(1-\alpha)^2 B}{n^2},\quad
        \sigma_j = \frac{2 s_j \sqrt{T\log(3/\delta)}}{\varepsilon}.

    The step sizes are those of line 4; for ``logistic`` B is the range of the loss.

    Args:
        design: Sizes, bounds and budget.
        steps: T, a whole number of at least 1.

    >>> round(printed_noise(AdaptationDesign(), 100).sigma_w, 3)
    1.433

    Source: [BCMM] Algorithm 1, lines 2 to 4.
    """
    a, n, m, d = 1.0 - design.alpha, design.private, design.public, design.dimension
    B, G, Bbar = design.loss_range, design.lipschitz, design.penalised_bound
    s1, s2 = 2.0 * a * G / n, a**2 * B / n**2
    noise = 2.0 * math.sqrt(steps * math.log(3.0 / design.delta)) / design.epsilon
    sigma1, sigma2 = s1 * noise, s2 * noise
    return PrintedNoise(
        sensitivity_w=s1,
        sensitivity_u=s2,
        sigma_w=sigma1,
        sigma_u=sigma2,
        step_w=design.norm_bound / math.sqrt(steps * (G**2 + d * sigma1**2)),
        step_public=m**1.5 / (math.sqrt(steps) * design.alpha**2 * (design.loss_bound + Bbar)),
        step_private=n**1.5 / math.sqrt(steps * (a**4 * Bbar**2 + n**4 * sigma2**2)),
    )


def discrepancy_noise(design: AdaptationDesign) -> tuple[float, float]:
    r"""Return sensitivity B/n and Laplace scale 2B/(εn) of the empirical discrepancy.

    Half of the budget is spent on it, at delta 0; the noisy value is projected to [0, B].

    >>> discrepancy_noise(AdaptationDesign(private=200, epsilon=1))
    (0.045, 0.09)

    Source: [BCMM] Section 4, discrepancy estimates.
    """
    width = design.loss_range / design.private
    return width, width / design.halved.epsilon


def descent_noise(
    design: AdaptationDesign, steps: int, *, share: float, profiled: bool = False
) -> tuple[float, float]:
    r"""Return sensitivity and noise of one step of a descent of our own, at the least noise.

    One gradient is released per step. On a fixed mixture a private record's part has norm at most
    (1 - α)/n · G; with the weights profiled out it is at most (1 - α)/n · min(2√κ₁, G). Replacing
    the record moves the sum by at most twice that:

    .. math:: \Delta = \frac{2(1-\alpha)}{n}\min(2\sqrt{\kappa_1}, G), \qquad
        \sigma = \Delta\sqrt T\, c(\varepsilon, \delta),

    c being the least noise multiplier that is (ε, δ)-private.

    Args:
        design: Private records, bounds and the budget that is spent here; ``inf`` is no noise.
        steps: T, at least 1.
        share: α, in [0, 1]: 0 is the target alone; at 1 nothing private is used.
        profiled: Whether the weights are profiled out; for the squared loss.

    >>> width, sigma = descent_noise(AdaptationDesign(), 1, share=0.0)
    >>> round(width, 12), round(sigma / width, 3)
    (0.06, 1.878)

    Source: our own mechanism; Balle and Wang (2018), Theorem 8, for T releases.
    """
    slope = design.lipschitz
    if profiled:
        slope = min(2.0 * math.sqrt(design.penalty), slope)
    width = 2.0 * (1.0 - share) * slope / design.private
    # Neither needs a calibration, and both would divide by 0 in one.
    if width == 0.0 or math.isinf(design.epsilon):
        return width, 0.0
    multiplier = float(numbers.analytic_multiplier(design.epsilon, design.delta))
    return width, width * math.sqrt(steps) * multiplier


_RULE = np.polynomial.legendre.leggauss(64)
_NODES = (_RULE[0] + 1.0) / 2.0, _RULE[1] / 2.0  # of an integral over [0, 1]
COPIES = Parameter(
    "copies",
    "c",
    "[1, 1e6]",
    rule="Copies must be a number from 1 to 1e6.",
    help="Records per person.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueBudget:
    """What noise meant for (ε, δ) really gives, for replacement of one record.

    Attributes:
        nominal: The budget that it was meant for.
        delta: The δ that it was meant for.
        epsilon: Smallest ε at that δ.
        delta_at_nominal: Smallest δ at the nominal ε.
        valid: Whether the promise holds.
    """

    nominal: float
    delta: float
    epsilon: float
    delta_at_nominal: float
    valid: bool


def printed_mu(epsilon: float, delta: float) -> float:
    r"""Return μ of Algorithm 1: ε/√(2 log(3/δ)), whatever the number of steps.

    Each of T steps releases two normal vectors at s_j/σ_j = ε/(2√(T log(3/δ))); their squares
    add up to μ², in which T cancels.

    >>> round(printed_mu(10, 0.01), 3)
    2.961

    Source: [BCMM] Algorithm 1; Dong, Roth, Su (2022), Corollary 3.3 for the composition.
    """
    return epsilon / math.sqrt(2.0 * math.log(3.0 / delta))


def true_budget(epsilon: float, delta: float) -> TrueBudget:
    r"""Return the exact budget of Algorithm 1, as printed, run at nominal (ε, δ).

    .. math:: \delta(e) = \Phi(\tfrac\mu2 - \tfrac e\mu) - e^e\,\Phi(-\tfrac\mu2 - \tfrac e\mu).

    Raises:
        DomainError: ε is not positive and finite, or δ not in (0, 1).

    >>> found = true_budget(10, 0.01)
    >>> round(found.epsilon, 2), round(found.delta_at_nominal, 4), found.valid
    (10.54, 0.0158, False)

    Source: [BCMM] Theorem 4.2; Balle and Wang (2018), Theorem 8.
    """
    eps, dlt = _budget(epsilon, delta)
    multiplier = 1.0 / printed_mu(eps, dlt)
    return _true(eps, dlt, lambda e: float(delta_of(multiplier, e)))


def deployed_budget(epsilon: float, delta: float) -> TrueBudget:
    r"""Return the exact budget of the whole procedure: Laplace at ε/2, then Algorithm 1 at ε/2.

    The privacy loss of the Laplace release is averaged over: it is ε/2 with probability 1/2,
    -ε/2 with probability exp(-ε/2)/2, and in between has the density of (ε/2)(1 - 2x) for x
    with density (ε/4) exp(-εx/2) on [0, 1].

    >>> found = deployed_budget(10, 0.01)
    >>> round(found.epsilon, 2), found.valid
    (8.65, True)

    Source: [BCMM] Section 4; the composition is exact, by one integral.
    """
    eps, dlt = _budget(epsilon, delta)
    mu, half = printed_mu(eps / PARTS, dlt), eps / PARTS
    return _true(eps, dlt, lambda e: laplace_then(half, mu, e))


def _true(epsilon: float, delta: float, of: Callable[[float], float]) -> TrueBudget:
    """Return what is really given where so small a delta holds at each epsilon."""
    found = of(epsilon)
    return TrueBudget(
        nominal=epsilon,
        delta=delta,
        epsilon=_solved(of, delta),
        delta_at_nominal=found,
        valid=found <= delta,
    )


def validity_limit(delta: float) -> float:
    """Return the largest ε for which the printed noise of Algorithm 1 is (ε, δ)-private.

    >>> round(validity_limit(0.01), 2), round(validity_limit(1e-5), 2)
    (8.92, 10.25)

    Source: [BCMM] Algorithm 1, where `true_budget` meets the nominal one.
    """
    dlt = DELTA.check(delta)
    return float(
        crossing(lambda e: math.log(float(delta_of(1.0 / printed_mu(e, dlt), e)) / dlt), 0.1, 300.0)
    )


def person_budget(epsilon: float, delta: float, copies: float) -> float:
    """Return the exact ε of Algorithm 1 for a person who stands behind several records.

    Replacing c records moves each gradient c times as far, so μ becomes cμ. Records drawn with
    replacement from n₀ people have about n/n₀ copies each.

    >>> round(person_budget(15, 0.01, 16))
    2689

    Source: [BCMM] Appendix E, sampling with replacement; the exact form of group privacy here.
    """
    eps, dlt = _budget(epsilon, delta)
    multiplier = 1.0 / (printed_mu(eps, dlt) * COPIES.check(copies))
    return _solved(lambda e: float(delta_of(multiplier, e)), dlt)


def laplace_then(laplace: float, mu: float, epsilon: float) -> float:
    """Return the smallest δ of a Laplace release at a budget followed by a normal one at μ.

    >>> laplace_then(0.0, 1.0, 0.5) == float(delta_of(1.0, 0.5))
    True

    Source: the privacy losses of independent releases add up.
    """
    x, weight = _NODES
    left = epsilon - laplace * np.append(1.0 - 2.0 * x, [1.0, -1.0])
    there = delta_of(1.0 / mu, np.abs(left))
    # The roles of the neighbours exchanged give delta at a negative epsilon.
    after = np.where(left >= 0.0, there, 1.0 - np.exp(np.minimum(left, 0.0)) * (1.0 - there))
    between = weight * laplace * np.exp(-laplace * x)
    return float(0.5 * np.append(between, [1.0, math.exp(-laplace)]) @ after)


def _solved(of: Callable[[float], float], delta: float) -> float:
    """Return the ε at which a decreasing δ(ε) equals δ; 0 where δ(0) is already smaller."""

    def over(epsilon: float) -> float:
        return math.log(max(of(epsilon), 1e-300) / delta)  # nearly a parabola, unlike δ itself

    high = 1.0
    # Even the budget 0 is kept: noise is that large.
    if over(0.0) <= 0.0:
        return 0.0
    while over(high) > 0.0:
        high *= 2.0
    return crossing(over, 0.0, high)


def _budget(epsilon: float, delta: float) -> tuple[float, float]:
    eps, dlt = BUDGET.check(epsilon), DELTA.check(delta)
    if math.isinf(eps):
        raise DomainError("epsilon must be finite here.", "epsilon", eps)
    return eps, dlt


def descent_bound(design: AdaptationDesign, *, steps: int, public_gap: float) -> float:
    r"""Return the explicit bound of Theorem 4.2 on E F(w, u) - min F after T steps.

    .. math:: \tfrac52\Lambda G\sqrt{\tfrac1T
        + \tfrac{16(1-\alpha)^2 d\log(3/\delta)}{n^2\varepsilon^2}}
        + \tfrac{(1-\alpha)^2}{2n^{3/2}}
          \sqrt{\tfrac{\bar B^2}{T} + \tfrac{4B^2\log(3/\delta)}{\varepsilon^2}}
        + \tfrac{\alpha^2(U+1)(B+\bar B)}{2m^{3/2}\sqrt T}.

    It follows from the printed noise, for any start and where the private inverse weights are
    best as they are. The printed form has 1 for 5/2, which asks for w₀ = 0, and the constants
    32 log(2/δ) and 8 log(2/δ) of larger noise.

    Args:
        design: Sizes, bounds and budget.
        steps: T.
        public_gap: U of the public inverse weights.

    >>> round(descent_bound(AdaptationDesign(), steps=1000, public_gap=0), 2)
    2.46

    Source: [BCMM] Appendix C.2.
    """
    a, n, m, eps = 1.0 - design.alpha, design.private, design.public, design.epsilon
    B, Bbar, d = design.loss_bound, design.penalised_bound, design.dimension
    log = math.log(3.0 / design.delta)
    coefficients = math.sqrt(1.0 / steps + 16.0 * a**2 * d * log / (n * eps) ** 2)
    private = math.sqrt(Bbar**2 / steps + 4.0 * B**2 * log / eps**2)
    public = design.alpha**2 * (public_gap + 1.0) * (B + Bbar) / math.sqrt(steps)
    return float(
        2.5 * design.norm_bound * design.lipschitz * coefficients
        + a**2 * private / (2.0 * n**1.5)
        + public / (2.0 * m**1.5)
    )


def weight_gap(*, records: int, share: float, factor: float) -> float:
    """Return U where every weight of a sample has to become ``factor`` times smaller.

    With a total weight ``share`` each inverse weight starts at records/share, so that U grows
    like the cube of the records.

    >>> weight_gap(records=1000, share=0.5, factor=2.0)
    4000000000.0

    Source: the definition of U in [BCMM] Appendix C.2.
    """
    return records * ((factor - 1.0) * records / share) ** 2


def steps_needed(design: AdaptationDesign) -> float:
    r"""Return the number of steps T that Theorems 4.2 and 4.3 ask for, the largest of four.

    .. math:: 1, \quad \frac{n^2\varepsilon^2}{d(1-\alpha)^2\log(1/\delta)}, \quad
        \frac{\bar B^2\varepsilon^2}{B^2\log(1/\delta)}, \quad
        \frac{\varepsilon^2\bar B^2n^3}{B^2m^3\log(1/\delta)}

    >>> big = AdaptationDesign(public=7297, private=10_000, dimension=133, epsilon=7.5)
    >>> 3.6e7 < steps_needed(big) < 3.8e7
    True

    Source: [BCMM] Theorem 4.2.
    """
    log, n = math.log(1.0 / design.delta), design.private
    ratio = (design.penalised_bound / design.loss_bound * design.epsilon) ** 2 / log
    descent = (n * design.epsilon / (1.0 - design.alpha)) ** 2 / (design.dimension * log)
    return max(1.0, descent, ratio, ratio * (n / design.public) ** 3)


def records_needed(design: AdaptationDesign, gap: float) -> float:
    """Return the private records that Theorem 4.3 asks for, (B max(1, U))²/((GΛ)² d).

    Args:
        design: Sizes, bounds and budget.
        gap: U of both samples together.

    >>> small = AdaptationDesign(public=120, private=40)
    >>> records_needed(small, 4.4e7) > 1e14
    True

    Source: [BCMM] Theorem 4.3.
    """
    top = design.loss_bound * max(1.0, gap)
    return float((top / (design.lipschitz * design.norm_bound)) ** 2 / design.dimension)


def steps_to_halve(design: AdaptationDesign) -> float:
    r"""Return the fewest steps after which Algorithm 1 can have halved a public weight.

    One step moves a public inverse weight by at most its step size times α²(B + B̄)/m², which is
    1/√(mT); so T steps move it by √(T/m), while it starts at m/α or above:

    .. math:: \frac{u_T - u_0}{u_0} \le \alpha\,\frac{\sqrt T}{m^{3/2}}, \qquad
        \text{at least 1 from } T = m^3/\alpha^2 \text{ on}.

    For private ones n and 1 - α take the place of m and α, and the noise adds at most 1/√n.

    >>> steps_to_halve(AdaptationDesign(public=1000))
    4000000000.0

    Source: [BCMM] Algorithm 1, line 4, and Lemma 4.1 (i).
    """
    return float(design.public**3 / design.alpha**2)


def smoothness(design: AdaptationDesign) -> float:
    """Return the smoothness of J, the paper's β with a bar, every constant of (20) and (21) in.

    It is the sum of that of the loss in w, of that of J in the inverse weights, (20), and of
    G(α²/m^(3/2) + (1 - α)²/n^(3/2)). Where (20) has |2B - λ₁| and |B - λ₁| the larger of it and
    λ₁ stands here, as a loss can be 0.

    Args:
        design: Sizes, bounds and penalty.

    >>> round(smoothness(AdaptationDesign(loss="logistic")), 3)
    0.25

    Source: [BCMM] Lemma 5.1, (20), (21).
    """
    a, n, m = 1.0 - design.alpha, design.private, design.public
    B, one = design.loss_bound, design.penalty
    weights = (
        2.0 * design.alpha**3 * max(one, abs(2.0 * B - one)) / m**2.5
        + 2.0 * a**3 * max(one, abs(B - one)) / n**2.5
    )
    # The mixed part of the Hessian, by its norm.
    cross = design.lipschitz * (design.alpha**2 / m**1.5 + a**2 / n**1.5)
    return float(design.smoothness + weights + cross)
