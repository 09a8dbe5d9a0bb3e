r"""How many volunteers and how many local users the hybrid model of [KS] asks for.

A curator holds n records of volunteers, drawn from a source S; N users of the population T
answer one noisy question each. With X = chi-square(T, S) + 1, the accuracy α and the failure
probability β, the method *Subsample-Test-Reweigh* asks for

.. math:: \kappa = \frac{\alpha}{8X}, \quad T = \frac{128\log_2(8X/\alpha)}{\alpha^2}, \quad
    N_0 = \frac{4\log(2/\delta)\log(8T/\beta)}{(\varepsilon\alpha)^2}, \quad N = N_0 T, \quad
    n = \frac{m\sqrt{288\,T\log(2/\delta)}}{\varepsilon\kappa}.

All functions take arrays that broadcast. Neighbours differ in one record throughout.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.hybrid.design import VOLUNTEERS, HybridDesign
from rates.numbers import DomainError, crossing, printed_multiplier

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What the private method asks for, in the worst case.

    Attributes:
        density: κ.
        iterations: T.
        users_per_test: N₀, by `users_needed`.
        printed_users: N₀ as printed, which can be too small.
        users: N = N₀ T.
        sample: m, records that the learner draws in one iteration.
        records: n, volunteers.
        note: What to know about the noise; empty if there is nothing.
    """

    density: float
    iterations: float
    users_per_test: float
    printed_users: float
    users: float
    sample: float
    records: float
    note: str = ""


def density(accuracy: ArrayLike, divergence: ArrayLike) -> Array:
    """Return κ = α / (8 X); no record may weigh more than 1/(κ n).

    >>> float(density(0.1, 2.0))
    0.00625

    Source: [KS] Algorithm 2.
    """
    return np.asarray(np.asarray(accuracy, float) / (8.0 * np.asarray(divergence, float)))


def iterations(
    accuracy: ArrayLike, divergence: ArrayLike, *, private: bool = True, sharp: bool = False
) -> Array:
    r"""Return T, after which the method has halted.

    .. math:: T = c\,\log_2(8X/\alpha)/\alpha^2, \qquad c = 32 \text{ (Algorithm 1)},
        \ 128 \text{ (Algorithm 2)}.

    The regret bound counts in nats, so log₂ may be the natural log; and the private
    potential is at most 2 (1 + α/8) κ n log(8X/α), so 65 can replace 128. ``sharp`` does both.

    >>> round(float(iterations(0.1, 2.0)))
    93721

    Source: [KS] Theorems 3.1 and 4.3; ``sharp`` is our reading of their proofs.
    """
    alpha = np.asarray(accuracy, float)
    log_size = np.log(8.0 * np.asarray(divergence, float) / alpha)
    if sharp:
        return np.asarray((65.0 if private else 32.0) * log_size / alpha**2)
    return np.asarray((128.0 if private else 32.0) * log_size / (math.log(2.0) * alpha**2))


def users_for(accuracy: ArrayLike, failure: ArrayLike, epsilon: ArrayLike, delta: float) -> Array:
    r"""Return how many noisy answers give a mean within α, with probability 1 - β, as printed.

    .. math:: N = 4\log(2/\delta)\log(4/\beta)/(\varepsilon\alpha)^2.

    >>> round(float(users_for(0.1, 0.05, 1.0, 1e-6)))
    25431

    Source: [KS] Section 2.
    """
    scale = np.asarray(epsilon, float) * np.asarray(accuracy, float)
    return np.asarray(
        4.0 * math.log(2.0 / delta) * np.log(4.0 / np.asarray(failure, float)) / scale**2
    )


def users_enough(
    accuracy: ArrayLike, failure: ArrayLike, epsilon: ArrayLike, delta: float
) -> Array:
    r"""Return a number of noisy answers that is enough for every ε.

    .. math:: N = \frac{\log(2/\beta)}{\alpha^2}
        \Big(\frac12 + \frac{4\log(2/\delta)}{\varepsilon^2}\Big).

    A mean of answers in [0, 1] is sub-Gaussian with variance 1/(4N), the noise adds
    2 log(2/δ)/(ε² N), and 2 exp(-α²/2v) ≤ β for their sum v. The printed number has no term for
    the first and asks for too few answers once ε² > 8 log 2 log(2/δ)/log(2/β).

    >>> round(float(users_enough(0.1, 0.05, 1.0, 1e-6)))
    21593

    Source: our reading of [KS] Section 2.
    """
    spread = 0.5 + 4.0 * math.log(2.0 / delta) / np.asarray(epsilon, float) ** 2
    return np.asarray(
        np.log(2.0 / np.asarray(failure, float)) * spread / np.asarray(accuracy, float) ** 2
    )


def users_needed(
    accuracy: ArrayLike, failure: ArrayLike, epsilon: ArrayLike, delta: float
) -> Array:
    """Return the larger of the printed number of answers and the one that is enough, whole.

    >>> float(users_needed(0.1, 0.05, 1.0, 1e-6)), float(users_needed(0.1, 0.05, 100.0, 1e-6))
    (25431.0, 187.0)

    Source: [KS] Section 2 where `users_for` is larger; `users_enough`, our reading, elsewhere.
    """
    args = (accuracy, failure, epsilon, delta)
    return np.asarray(np.ceil(np.maximum(users_for(*args), users_enough(*args))))


@lru_cache(maxsize=256)
def randomizer_limit(delta: float) -> float:
    """Return the largest ε at which an answer with the printed noise is (ε, δ)-private.

    >>> round(randomizer_limit(1e-6), 2)
    9.73

    Source: the exact Gaussian profile; [KS] Section 2 sets no limit.
    """
    from rates.numbers import analytic_multiplier

    def gap(epsilon: float) -> float:
        printed = float(printed_multiplier(epsilon, delta, 2.0))
        return math.log(printed / float(analytic_multiplier(epsilon, delta)))

    return float(crossing(gap, 0.1, 1e4, xtol=1e-9))


def learner_sample(
    accuracy: ArrayLike, failure: ArrayLike, epsilon: ArrayLike, hypotheses: ArrayLike
) -> Array:
    r"""Return the sample of a private learner on a finite class, m = log(\|H\|/β)/(α ε).

    The exponential mechanism needs this up to a constant, taken as 1 on both sides of every
    comparison, where some rule is without error.

    >>> round(float(learner_sample(0.1, 0.05, 1.0, 1e6)), 1)
    168.1

    Source: [KS] before Corollary 4.4.
    """
    size = np.log(np.asarray(hypotheses, float)) - np.log(np.asarray(failure, float))
    return np.asarray(size / (np.asarray(accuracy, float) * np.asarray(epsilon, float)))


def records_for(
    sample: ArrayLike, rounds: ArrayLike, epsilon: ArrayLike, delta: float, kappa: ArrayLike
) -> Array:
    """Return n = m sqrt(288 T log(2/δ)) / (ε κ), the volunteers of Theorem 4.2.

    >>> round(float(records_for(168.1, 1.0, 1.0, 1e-6, 0.2)))
    54331

    Source: [KS] Theorem 4.2.
    """
    root = np.sqrt(288.0 * np.asarray(rounds, float) * math.log(2.0 / delta))
    scale = np.asarray(epsilon, float) * np.asarray(kappa, float)
    return np.asarray(np.asarray(sample, float) * root / scale)


def needs(design: HybridDesign) -> Needs:
    """Return what Algorithm 2 asks for with the exponential mechanism as learner.

    >>> answer = needs(HybridDesign(accuracy=0.1, divergence=2.0))
    >>> f"{answer.users_per_test:.2g} {answer.users:.2g} {answer.records:.2g}"
    '9.6e+04 9e+09 8.9e+08'

    Source: [KS] Algorithm 2, Theorems 4.2 and 4.3, Corollary 4.4.
    """
    a, x = design.accuracy, design.divergence
    kappa, rounds = float(density(a, x)), float(np.ceil(iterations(a, x)))
    asked = (a, design.failure / (2.0 * rounds), design.epsilon, design.delta)
    tests, printed = float(users_needed(*asked)), float(np.ceil(users_for(*asked)))
    sample = float(learner_sample(a, design.failure / rounds, 1.0, design.hypotheses))
    limit = randomizer_limit(design.delta)
    note = ""
    if design.epsilon > limit:
        note = (
            f"At delta = {design.delta:g} the printed noise of a user's answer is private only up "
            f"to epsilon = {limit:.3g}; the users asked are for that noise. Simulated runs use the "
            "exact noise, which is larger there."
        )
    return Needs(
        density=kappa,
        iterations=rounds,
        users_per_test=tests,
        printed_users=printed,
        users=tests * rounds,
        sample=sample,
        records=float(np.ceil(records_for(sample, rounds, design.epsilon, design.delta, kappa))),
        note=note,
    )


def chi_square_records(
    accuracy: ArrayLike,
    failure: ArrayLike,
    epsilon: ArrayLike,
    hypotheses: ArrayLike,
    divergence: ArrayLike,
) -> Array:
    """Return the volunteers of the simple baseline: learn on the source to error α²/X.

    An error of α²/X on the source is at most α on the target, by Pr_T E ≤ sqrt(X Pr_S E). It
    needs no local user, and a rule that is without error.

    >>> round(float(chi_square_records(0.1, 0.05, 1.0, 1e6, 2.0)))
    3362

    Source: [KS] Section 1, baseline (2), and footnote 2.
    """
    error = np.asarray(accuracy, float) ** 2 / np.asarray(divergence, float)
    return learner_sample(error, failure, epsilon, hypotheses)


def supremum_records(
    accuracy: ArrayLike,
    failure: ArrayLike,
    epsilon: ArrayLike,
    hypotheses: ArrayLike,
    supremum: ArrayLike,
) -> Array:
    """Return the volunteers of the other baseline: learn on the source to error α / sup w.

    >>> round(float(supremum_records(0.1, 0.05, 1.0, 1e6, 2.0)))
    336

    Source: [KS] Section 1, baseline (2).
    """
    one = learner_sample(accuracy, failure, epsilon, hypotheses)
    return np.asarray(one * np.asarray(supremum, float))


def local_users(accuracy: ArrayLike, epsilon: ArrayLike, dimension: ArrayLike) -> Array:
    """Return the users of learning from the population alone, d/(ε α)², with constant 1.

    A known order for sparse problems in d dimensions; PARITY needs exponentially many instead.

    >>> round(float(local_users(0.1, 1.0, 10)))
    1000

    Source: [KS] Section 1, baseline (1).
    """
    scale = np.asarray(epsilon, float) * np.asarray(accuracy, float)
    return np.asarray(np.asarray(dimension, float) / scale**2)


def weights_must_be(design: HybridDesign, volunteers: float) -> float:
    """Return the largest X at which the simple baseline is served by so many volunteers.

    Args:
        design: Its divergence is not used.
        volunteers: n, at least 0.

    Returns:
        X; below 1 if even volunteers like the population are too few.

    Raises:
        DomainError: The number of volunteers is outside its set.

    >>> round(weights_must_be(HybridDesign(accuracy=0.1, divergence=2.0), 3362), 2)
    2.0

    Source: `chi_square_records`, solved for X.
    """
    n = VOLUNTEERS.check(volunteers, "Hybrid")
    one = chi_square_records(
        design.accuracy, design.failure, design.epsilon, design.hypotheses, 1.0
    )
    return n / float(one)


def check_run(sample: float, kappa: float, records: float) -> None:
    """Raise `DomainError` where weights of this density cannot fill a sample: κ n < m.

    >>> check_run(400, 0.001, 10_000)
    Traceback (most recent call last):
        ...
    rates.DomainError: κ n = 0.001 × 10,000 = 10 is below m = 400, so single records \
are drawn again and again and privacy is lost; κ must be at least 0.04. The bounds of Numbers \
still hold. Run, field density: got 0.001.

    Source: the sampling lemma behind [KS] Claim 4.1 asks for it.
    """
    mass, least = kappa * records, sample / records
    if mass >= sample * (1.0 - 1e-12):  # 0.043 × 10,000 is below 430 in binary
        return
    if least <= 1.0:
        unit = 10.0 ** (math.floor(math.log10(least)) - 2)  # three digits, rounded up
        remedy = f"κ must be at least {math.ceil(least / unit - 1e-9) * unit:.3g}"
    else:
        remedy = "no κ is enough: m must be at most n"
    rule = (
        f"κ n = {kappa:.12g} × {records:,.0f} = {mass:,.6g} is below m = {sample:,.0f}, so single "
        f"records are drawn again and again and privacy is lost; {remedy}. The bounds of Numbers "
        "still hold."
    )
    raise DomainError(rule, "density", kappa, "Run")
