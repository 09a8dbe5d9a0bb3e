r"""The bounds of [BCMM], every constant in: Theorems 4.2, 4.3, 5.2, B.1 and Lemma 5.1.

U stands for the squared distance of the inverse weights u = 1/q from their best values.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from rates.adaptation.noise import AdaptationDesign
from rates.numbers import check_array


@dataclass(frozen=True, slots=True, kw_only=True)
class DescentBound:
    """The bound of Theorem 4.2 on the expected excess of the objective, by its three terms.

    Attributes:
        descent: From the coefficients, ΛG√(1/T + ...).
        private_weights: From the private inverse weights.
        public_weights: From the public inverse weights.
    """

    descent: float
    private_weights: float
    public_weights: float

    @property
    def total(self) -> float:
        """Their sum."""
        return self.descent + self.private_weights + self.public_weights


def descent_bound(
    design: AdaptationDesign,
    *,
    steps: int,
    public_gap: float,
    private_gap: float,
    printed: bool = False,
) -> DescentBound:
    r"""Return the explicit bound of Theorem 4.2 on E F(w, u) - min F after T steps.

    .. math:: c\,\Lambda G\sqrt{\tfrac1T + \tfrac{16(1-\alpha)^2 d\log(3/\delta)}{n^2\varepsilon^2}}
        + \tfrac{(1-\alpha)^2(U_{priv}+1)}{2n^{3/2}}
          \sqrt{\tfrac{\bar B^2}{T} + \tfrac{4B^2\log(3/\delta)}{\varepsilon^2}}
        + \tfrac{\alpha^2(U_{pub}+1)(B+\bar B)}{2m^{3/2}\sqrt T}.

    The printed form has c = 1, which asks for w₀ = 0, and the constants 32 log(2/δ) and
    8 log(2/δ) of larger noise. Ours follows from the printed noise; c is 5/2 for any start.

    Args:
        design: Sizes, bounds and budget.
        steps: T.
        public_gap: U of the public inverse weights.
        private_gap: U of the private ones.
        printed: Whether the printed form is wanted.

    Raises:
        DomainError: A gap is negative or not finite.

    >>> bound = descent_bound(AdaptationDesign(), steps=1000, public_gap=0, private_gap=0)
    >>> round(bound.total, 2)
    2.46

    Source: [BCMM] Appendix C.2.
    """
    for name, value in (("public_gap", public_gap), ("private_gap", private_gap)):
        check_array(name, value, zero=True)
    a, n, m, eps = 1.0 - design.alpha, design.private, design.public, design.epsilon
    B, Bbar, d = design.loss_bound, design.penalised_bound, design.dimension
    log = math.log((2.0 if printed else 3.0) / design.delta)
    first, second = (32.0, 8.0) if printed else (16.0, 4.0)
    lead = 1.0 if printed else 2.5
    return DescentBound(
        descent=lead
        * design.norm_bound
        * design.lipschitz
        * math.sqrt(1.0 / steps + first * a**2 * d * log / (n * eps) ** 2),
        private_weights=a**2
        * (private_gap + 1.0)
        / (2.0 * n**1.5)
        * math.sqrt(Bbar**2 / steps + second * B**2 * log / eps**2),
        public_weights=design.alpha**2
        * (public_gap + 1.0)
        * (B + Bbar)
        / (2.0 * m**1.5 * math.sqrt(steps)),
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


@dataclass(frozen=True, slots=True, kw_only=True)
class StepsNeeded:
    """The steps that Theorem 4.2 asks for: the largest of four numbers.

    Attributes:
        descent: n²ε²/(d(1 - α)² log(1/δ)).
        weights: B̄²ε²/(B² log(1/δ)).
        public: ε²B̄²n³/(B²m³ log(1/δ)).
    """

    descent: float
    weights: float
    public: float

    @property
    def total(self) -> float:
        """The largest of them, at least 1."""
        return max(1.0, self.descent, self.weights, self.public)


def steps_needed(design: AdaptationDesign) -> StepsNeeded:
    """Return the number of steps T that Theorems 4.2 and 4.3 ask for.

    >>> big = AdaptationDesign(public=7297, private=10_000, dimension=133, epsilon=7.5)
    >>> 3.6e7 < steps_needed(big).total < 3.8e7
    True

    Source: [BCMM] Theorem 4.2.
    """
    log = math.log(1.0 / design.delta)
    n, eps = design.private, design.epsilon
    ratio = (design.penalised_bound / design.loss_bound) ** 2 * eps**2 / log
    return StepsNeeded(
        descent=(n * eps / (1.0 - design.alpha)) ** 2 / (design.dimension * log),
        weights=ratio,
        public=ratio * (n / design.public) ** 3,
    )


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """How far the inverse weights of Algorithm 1 can move, relative to where they start.

    Attributes:
        public: Largest relative change of a public one, from its smallest value, in T steps.
        private: The same for a private one, without the noise.
        private_noise: Standard deviation that noise adds to it at most, relative as well.
        doubling: Fewest steps after which a public weight can have halved.
    """

    public: float
    private: float
    private_noise: float
    doubling: float


def movement(design: AdaptationDesign, steps: int) -> Movement:
    r"""Return how far Algorithm 1 can move its inverse weights in T steps.

    One step moves a public one by at most its step size times α²(B + B̄)/m², which is
    1/√(mT); so T steps move it by √(T/m), while it starts at m/α or above:

    .. math:: \frac{u_T - u_0}{u_0} \le \alpha\,\frac{\sqrt T}{m^{3/2}}.

    For private ones n and 1 - α take the place of m and α, and the noise adds at most 1/√n.

    >>> round(movement(AdaptationDesign(public=1000), 1000).public, 6)
    0.0005

    Source: [BCMM] Algorithm 1, line 4, and Lemma 4.1 (i).
    """
    m, n, a = design.public, design.private, 1.0 - design.alpha
    noisy = math.isfinite(design.epsilon)
    return Movement(
        public=design.alpha * math.sqrt(steps) / m**1.5,
        private=a * math.sqrt(steps) / n**1.5,
        private_noise=a / n**1.5 if noisy else 0.0,
        doubling=m**3 / design.alpha**2,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Smoothness:
    """The smoothness of the objective J of (7), by its parts.

    Attributes:
        loss: β, that of the loss in w.
        weights: β' of (20), that of J in the inverse weights.
        cross: G(α²/m^(3/2) + (1 - α)²/n^(3/2)).
    """

    loss: float
    weights: float
    cross: float

    @property
    def total(self) -> float:
        """Their sum, the paper's β with a bar; the step size is its inverse."""
        return self.loss + self.weights + self.cross


def smoothness(design: AdaptationDesign, *, softmax: float = 1.0) -> Smoothness:
    """Return the smoothness of J with every constant of (20) and (21).

    Where (20) has |2B - λ₁| and |B - λ₁| the larger of it and λ₁ stands here, as a loss can be 0.

    Args:
        design: Sizes, bounds and penalties.
        softmax: μ of the smooth maximum, positive.

    >>> found = smoothness(AdaptationDesign(loss="logistic"))
    >>> round(found.loss, 3), found.weights < 1e-4
    (0.25, True)

    Source: [BCMM] Lemma 5.1, (20), (21).
    """
    check_array("softmax", softmax)
    a, n, m = 1.0 - design.alpha, design.private, design.public
    B, one, two, top = design.loss_bound, design.penalty, design.penalty_2, design.penalty_inf
    weights = (
        two * design.alpha**3 / m**2
        + 2.0 * design.alpha**3 * (max(one, abs(2.0 * B - one)) + two * math.sqrt(n) + top) / m**2.5
        + top * softmax * design.alpha**4 * (m**-3.0 + m**-3.5)
        + two * a**3 / n**2
        + 2.0 * a**3 * (max(one, abs(B - one)) + two * math.sqrt(m) + top) / n**2.5
        + top * softmax * a**4 * (n**-3.0 + n**-3.5)
        + 2.0 * top * softmax * (design.alpha * a) ** 2 / (m * n) ** 1.5
    )
    cross = design.lipschitz * (design.alpha**2 / m**1.5 + a**2 / n**1.5)
    return Smoothness(loss=design.smoothness, weights=weights, cross=cross)
