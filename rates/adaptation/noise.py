r"""Public source, private target: sizes, bounds and the noise of [BCMM], printed and our own.

A record is one labelled pair of the private sample; neighbours differ by replacing one. Features
have norm at most 1 (the paper's r), labels lie in [-1, 1], predictors x -> w.x have norm at most Λ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rates import numbers
from rates.numbers import DELTA, DomainError, Parameter

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
