r"""The bounds of [BCMM], every constant in: Theorems 4.2, 4.3, 5.2, B.1 and Lemma 5.1.

U stands for the squared distance of the inverse weights u = 1/q from their best values.
"""

from __future__ import annotations

import math

from rates.adaptation.noise import AdaptationDesign


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
