r"""How many volunteers and how many local users the hybrid model of [KS] asks for.

A curator holds n records of volunteers, drawn from a source S; N users of the population T
answer one noisy question each. With X = chi-square(T, S) + 1, the accuracy α and the failure
probability β, the method *Subsample-Test-Reweigh* asks for

.. math:: \kappa = \frac{\alpha}{8X}, \quad T = \frac{128\log_2(8X/\alpha)}{\alpha^2}, \quad
    N_0 = \frac{4\log(2/\delta)\log(8T/\beta)}{(\varepsilon\alpha)^2}, \quad N = N_0 T, \quad
    n = \frac{m\sqrt{288\,T\log(2/\delta)}}{\varepsilon\kappa}.

Neighbours differ in one record throughout.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rates.hybrid.design import VOLUNTEERS, HybridDesign
from rates.numbers import (
    DomainError,
    Parameter,
    analytic_multiplier,
    crossing,
    least,
    printed_multiplier,
)

Array = NDArray[np.float64]

WORLD = 8.0e9  # people
STRATEGIES: Mapping[str, str] = {
    "local": "users alone",
    "supremum": "volunteers alone, largest weight",
    "chi-square": "volunteers alone, chi-square",
    "worst": "reweighting, worst case",
    "own": "reweighting, own rounds and density",
}
ROUNDS = Parameter(
    "rounds",
    "T",
    "1, ..., 1e12",
    noun="The rounds",
    help="Rounds of reweighting that are budgeted; runs on examples took tens.",
)
DENSITY = Parameter(
    "density",
    "κ",
    "(0, 1]",
    noun="The density kappa",
    help="No record may weigh more than 1/(kappa n). 1 keeps all weights equal.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What the private method asks for.

    Attributes:
        iterations: T.
        users_per_test: N₀, the larger of the printed number and the one that is enough.
        printed_users: N₀ as printed, which can be too small.
        sample: m, records that the learner draws in one iteration.
        records: n, volunteers.
        note: What to know about the noise; empty if there is nothing.
    """

    iterations: float
    users_per_test: float
    printed_users: float
    sample: float
    records: float
    note: str = ""

    @property
    def users(self) -> float:
        """All users, N = N₀ T."""
        return self.users_per_test * self.iterations


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """One way to learn, and whom it asks.

    Attributes:
        key: One of `STRATEGIES`.
        volunteers: n; ``inf`` where the way does not exist.
        users: N.
        note: Why it does not exist; empty if it does.
    """

    key: str
    volunteers: float
    users: float
    note: str = ""

    def within(self, volunteers: float, users: float) -> bool:
        """Whether so many volunteers and users are enough for it.

        >>> Strategy(key="local", volunteers=0, users=100).within(0, 99)
        False
        """
        return self.volunteers <= volunteers and self.users <= users


def users_for(accuracy: float, failure: float, epsilon: float, delta: float) -> float:
    r"""Return how many noisy answers give a mean within α, with probability 1 - β, as printed.

    .. math:: N = 4\log(2/\delta)\log(4/\beta)/(\varepsilon\alpha)^2.

    >>> round(users_for(0.1, 0.05, 1.0, 1e-6))
    25431

    Source: [KS] Section 2.
    """
    scale = np.float64(epsilon) * accuracy
    return float(4.0 * math.log(2.0 / delta) * np.log(4.0 / failure) / scale**2)


def users_enough(accuracy: float, failure: float, epsilon: float, delta: float) -> float:
    r"""Return a number of noisy answers that is enough for every ε.

    .. math:: N = \frac{\log(2/\beta)}{\alpha^2}
        \Big(\frac12 + \frac{4\log(2/\delta)}{\varepsilon^2}\Big).

    A mean of answers in [0, 1] is sub-Gaussian with variance 1/(4N), the noise adds
    2 log(2/δ)/(ε² N), and 2 exp(-α²/2v) ≤ β for their sum v. The printed number has no term for
    the first and asks for too few answers once ε² > 8 log 2 log(2/δ)/log(2/β).

    >>> round(users_enough(0.1, 0.05, 1.0, 1e-6))
    21593

    Source: our reading of [KS] Section 2.
    """
    spread = 0.5 + 4.0 * math.log(2.0 / delta) / np.float64(epsilon) ** 2
    return float(np.log(2.0 / failure) * spread / np.float64(accuracy) ** 2)


@lru_cache(maxsize=256)
def randomizer_limit(delta: float) -> float:
    """Return the largest ε at which an answer with the printed noise is (ε, δ)-private.

    >>> round(randomizer_limit(1e-6), 2)
    9.73

    Source: the exact Gaussian profile; [KS] Section 2 sets no limit.
    """

    def gap(epsilon: float) -> float:
        printed = float(printed_multiplier(epsilon, delta, 2.0))
        return math.log(printed / float(analytic_multiplier(epsilon, delta)))

    return crossing(gap, 0.1, 1e4, xtol=1e-9)


def learner_sample(accuracy: float, failure: float, epsilon: float, hypotheses: float) -> float:
    r"""Return the sample of a private learner on a finite class, m = log(\|H\|/β)/(α ε).

    The exponential mechanism needs this up to a constant, taken as 1 on both sides of every
    comparison, where some rule is without error.

    >>> round(learner_sample(0.1, 0.05, 1.0, 1e6), 1)
    168.1

    Source: [KS] before Corollary 4.4.
    """
    return float((np.log(hypotheses) - np.log(failure)) / (np.float64(accuracy) * epsilon))


@np.errstate(all="ignore")  # beyond all numbers of people the answer is inf
def needs(
    design: HybridDesign, *, rounds: float | None = None, density: float | None = None
) -> Needs:
    """Return what Algorithm 2 asks for with the exponential mechanism as learner.

    Args:
        design: The study.
        rounds: T; by default that of Theorem 4.3, after which the method has halted.
        density: κ; by default that of Algorithm 2, α/(8X).

    >>> answer = needs(HybridDesign(accuracy=0.1, divergence=2.0))
    >>> f"{answer.users_per_test:.2g} {answer.users:.2g} {answer.records:.2g}"
    '9.6e+04 9e+09 8.9e+08'

    Source: [KS] Algorithm 2, Theorems 4.2 and 4.3, Corollary 4.4.
    """
    a, x, eps = map(np.float64, (design.accuracy, design.divergence, design.epsilon))
    delta, failure = design.delta, np.float64(design.failure)
    T = rounds or np.ceil(128.0 * np.log(8.0 * x / a) / (math.log(2.0) * a**2))
    asked = (a, failure / (2.0 * T), eps, delta)
    printed = users_for(*asked)
    # Union over the rounds: each may fail with its part of β. ε₀ = 1 in each of them.
    sample = learner_sample(a, failure / T, 1.0, design.hypotheses)
    root = np.sqrt(288.0 * T * math.log(2.0 / delta))
    note = ""
    if eps > (limit := randomizer_limit(delta)):
        note = (
            f"At delta = {delta:g} the printed noise of a user's answer is private only up "
            f"to epsilon = {limit:.3g}; the users asked are for that noise. Simulated runs use the "
            "exact noise, which is larger there."
        )
    return Needs(
        iterations=float(T),
        # No proof covers the printed number where it is the smaller one.
        users_per_test=float(np.ceil(max(printed, users_enough(*asked)))),
        printed_users=float(np.ceil(printed)),
        sample=sample,
        records=float(np.ceil(sample * root / (eps * (density or a / (8.0 * x))))),
        note=note,
    )


@np.errstate(all="ignore")  # likewise
def strategies(
    design: HybridDesign,
    *,
    realizable: bool = True,
    supremum: float = math.inf,
    rounds: int = 20,
    density: float = 0.25,
) -> tuple[Strategy, ...]:
    """Return every strategy with the people it asks, in the order of `STRATEGIES`.

    Users alone are a known order for sparse problems in d dimensions, d/(ε α)², with constant 1;
    PARITY needs exponentially many instead. Volunteers alone learn on the source to error α/sup w
    or α²/X, and need a rule that is without error.

    Args:
        design: The study.
        realizable: Whether some rule is without error. The baselines on volunteers need it.
        supremum: The largest weight sup dT/dS: X where a share of the volunteers is the
            population, ``inf`` where nothing is known.
        rounds: Rounds that are really needed.
        density: Density that is really needed.

    >>> found = strategies(HybridDesign(accuracy=0.1, divergence=2.0))
    >>> [f"{s.volunteers + s.users:.2g}" for s in found]
    ['1e+03', 'inf', '3.4e+03', '9.9e+09', '1.2e+06']

    Source: [KS] Section 1, baselines (1) and (2), and Corollary 4.4.
    """
    asked = design.accuracy, design.failure, design.epsilon, design.hypotheses
    sup = float(np.ceil(learner_sample(*asked) * supremum))
    local = float(np.ceil(design.dimension / (np.float64(asked[2]) * asked[0]) ** 2))
    worst, own = needs(design), needs(design, rounds=rounds, density=density)
    no_rule = "" if realizable else "Asks for an error on the volunteers that no rule has."
    unbounded = "Single people may weigh without bound." if math.isinf(supremum) else ""
    people = {
        "local": (0.0, local, ""),
        "supremum": (sup, 0.0, no_rule or unbounded),
        "chi-square": (chi_square_records(design), 0.0, no_rule),
        "worst": (worst.records, worst.users, ""),
        "own": (own.records, own.users, ""),
    }
    return tuple(
        Strategy(key=key, volunteers=math.inf if note else n, users=users, note=note)
        for key, (n, users, note) in people.items()
    )


def chi_square_records(design: HybridDesign) -> float:
    """Return the volunteers of the simple baseline: learn on the source to error α²/X.

    An error of α²/X on the source is at most α on the target, by Pr_T E ≤ sqrt(X Pr_S E). It
    needs no local user, and a rule that is without error.

    >>> chi_square_records(HybridDesign(accuracy=0.1, divergence=2.0))
    3363.0

    Source: [KS] Section 1, baseline (2), and footnote 2.
    """
    error = design.accuracy**2 / design.divergence
    one = learner_sample(error, design.failure, design.epsilon, design.hypotheses)
    return float(np.ceil(one))


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
    error = design.accuracy**2
    return n / learner_sample(error, design.failure, design.epsilon, design.hypotheses)


def check_run(sample: float, kappa: float, records: float) -> None:
    """Raise `DomainError` where weights of this density cannot fill a sample: κ n < m.

    >>> check_run(400, 0.001, 10_000)
    Traceback (most recent call last):
        ...
    rates.DomainError: κ must be at least m/n = 0.04: with less single records are drawn again \
and again and privacy is lost. Run, field density: got 0.001.

    Source: the sampling lemma behind [KS] Claim 4.1 asks for it.
    """
    if kappa * records < sample * (1.0 - 1e-12):  # 0.043 × 10,000 is below 430 in binary
        rule = (
            f"κ must be at least m/n = {sample / records:.6g}: with less single records are drawn "
            "again and again and privacy is lost."
        )
        raise DomainError(rule, "density", kappa, "Run")


# What repeated learning on subsamples costs one volunteer -----------------------------------------
#
# A projection keeps one record's influence bounded: of the weights none is large.
#
# A learner that is (ε₀, δ₀)-private for m records sees m independent draws from weights of which
# none exceeds 1/(κ n). Replacing one record changes the law of a draw by at most p = 1/(κ n) in
# total variation; exchanging the laws draw by draw gives the step's privacy in closed form.
# The neighbour relation is replacement of one record throughout.

_LARGE = 30.0  # from here on e^ε₀ is taken out of the logarithm, which it would leave


def step_epsilon(epsilon: float, draws: float, density: float, records: float) -> float:
    r"""Return the privacy of one learning step for one volunteer.

    .. math:: \varepsilon^* = m\log\Big(1 + \frac{e^{\varepsilon_0}-1}{\kappa n}\Big).

    Swapping the law of one draw multiplies any probability by at most 1 + p (e^ε₀ - 1), since
    the learner is ε₀-private in that draw; there are m draws. A learner attains it.

    Args:
        epsilon: ε₀ of the learner, at least 0.
        draws: m, records that the learner sees.
        density: κ in (0, 1].
        records: n, with κ n at least 1.

    Raises:
        DomainError: κ n is below 1, so that no weights of that density exist.

    >>> round(step_epsilon(1.0, 400, 0.2, 100_000), 5)
    0.03436

    Source: our reading of [KS] Claim 4.1; printed 6 ε₀ m / (κ n).
    """
    if density * records < 1.0:
        rule = "density times records must be at least 1, or one record could be drawn always."
        raise DomainError(rule, "density", density * records)
    chance = 1.0 / (density * records)  # the most that one record can weigh
    if epsilon < _LARGE:
        return draws * math.log1p(math.expm1(epsilon) * chance)
    return draws * (epsilon + math.log(chance + (1 - chance) * math.exp(-epsilon)))


def binomial(counts: Array, trials: int, chance: float) -> Array:
    """Return the probabilities of counts of successes.

    >>> binomial(np.arange(3.0), 2, 0.5).round(12).tolist()
    [0.25, 0.5, 0.25]
    """
    from scipy.special import gammaln, xlog1py, xlogy

    rest = trials - counts
    ways = gammaln(trials + 1.0) - gammaln(counts + 1.0) - gammaln(rest + 1.0)
    return np.asarray(np.exp(ways + xlogy(counts, chance) + xlog1py(rest, -chance)))


def composed_delta(step: float, steps: int, epsilon: float) -> float:
    r"""Return the smallest δ at which steps in a row are (ε, δ)-private, exact in the worst case.

    .. math:: \delta = \sum_l \mathrm{Bin}(l;T,q) \big(1-e^{\varepsilon-(T-2l)\varepsilon^*}\big)_+,
        \quad q = 1/(1+e^{\varepsilon^*}).

    Args:
        step: ε* of each step, at least 0.
        steps: T, at least 1.
        epsilon: The total, at least 0.

    >>> composed_delta(0.5, 1, 0.5)
    0.0

    Source: Kairouz, Oh, Viswanath (2017), Theorem 3.3, in the form above.
    """
    lies = np.arange(steps + 1.0)
    gain = -np.expm1(np.minimum(epsilon - (steps - 2.0 * lies) * step, 0.0))
    chance = 1.0 / (1.0 + math.exp(min(step, 700.0)))
    return float(binomial(lies, steps, chance) @ gain)


def composed_epsilon(step: float, steps: int, delta: float) -> float:
    """Return the smallest ε at which steps in a row are (ε, δ)-private, exact in the worst case.

    The inverse of `composed_delta` by bisection.

    Args:
        step: ε* of each step.
        steps: T, at least 1.
        delta: The total, in (0, 1).

    >>> round(composed_epsilon(0.03437, 40, 1e-6), 2)
    0.88

    Source: as `composed_delta`.
    """

    def holds(epsilon: float) -> bool:
        return composed_delta(step, steps, epsilon) <= delta

    high = float(steps * step)
    if math.isinf(high):
        return math.inf
    return 0.0 if holds(0.0) else least(holds, 0.0, high)


def project(log_weights: Array, density: float, counts: Array | None = None) -> Array:
    r"""Return min(c w, 1) with the least c at which the sum is κ n.

    Args:
        log_weights: log w, one per record or per group of equal records.
        density: κ in (0, 1].
        counts: Records in each group; one each by default.

    >>> project(np.log([1.0, 2.0, 5.0]), 2 / 3).round(3).tolist()
    [0.333, 0.667, 1.0]

    Source: [KS] equation (2), after Bun, Carmosino, Sorrell (2020).
    """
    number = np.ones(len(log_weights)) if counts is None else np.asarray(counts, float)
    # With the heaviest first, those that are cut at 1 come before all others.
    order = np.argsort(-log_weights, kind="stable")
    w = np.exp(log_weights[order] - log_weights[order[0]])
    size = number[order]
    full = np.concatenate([[0.0], np.cumsum(size)[:-1]])  # records at 1 before each group
    rest = np.cumsum((w * size)[::-1])[::-1]
    target = density * float(size.sum())
    with np.errstate(over="ignore"):
        c = (target - full) / rest
        allowed = (c * w <= 1.0 + 1e-12) & (full <= target)
    found = float(c[int(np.argmax(allowed))]) if allowed.any() else math.inf
    out = np.empty(len(w))
    out[order] = np.minimum(found * w, 1.0)
    return out
