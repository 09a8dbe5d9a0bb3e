r"""PARITY in the hybrid model: how many records show every bit, and the private learner's chances.

The label is the parity of an unknown subset of d bits. It is determined by labelled records as
soon as they span all d dimensions over the field of two elements, that is, have rank d.

The private learner gives up half of the time. Otherwise it keeps every record with probability ε/4
and picks one of the subsets of bits that fit the k kept ones; there are 2^(d - rank) of them, each
picked with the same probability, and one is the truth.
"""

from __future__ import annotations

import functools
import math

import numpy as np
from numpy.typing import NDArray

from rates.hybrid.design import BUDGET, FAILURE, MEAN_SQUARE, USERS_PER_TEST
from rates.hybrid.needs import binomial
from rates.numbers import DIMENSION, DomainError, Parameter, analytic_multiplier, least

Array = NDArray[np.float64]
LARGEST_BUDGET = 0.5
MOST_RECORDS = 10_000_000
_REACH = 9.0  # standard deviations of a sum that are counted; what is left is below 1e-18
_NODES, _POINTS = 201, 1001

BITS = DIMENSION.within(
    "1, ..., 4096",
    name="bits",
    noun="The number of bits d",
    help="How many yes-or-no features a record has.",
)
RARE = Parameter(
    "rare",
    "q",
    "(0, 0.5]",
    rule="The frequency q of the rare bit must be above 0 and at most 1/2.",
    help="How often the first bit is 1 among the volunteers; in the population it is every "
    "second time. 1/2: the volunteers are the population.",
)


def mean_square_of(rare: float) -> float:
    """Return X of uniform bits from a source whose first bit is 1 with probability q: 1/(4q(1-q)).

    >>> mean_square_of(0.5), round(mean_square_of(0.005), 2)
    (1.0, 50.25)

    Source: [KS] Section 2, definition of X.
    """
    q = RARE.check(rare, "PARITY")
    return 1.0 / (4.0 * q * (1.0 - q))


def uniform_records(bits: int, failure: float) -> float:
    """Return d log2(d/β), the records of Proposition B.1 for uniform bits.

    >>> round(uniform_records(64, 0.01))
    809

    Source: [KS] Proposition B.1.
    """
    d, beta = BITS.check(bits), FAILURE.check(failure)
    return d * math.log2(d / beta)


def source_records(bits: int, failure: float, divergence: float) -> float:
    """Return 4 X d log(d/β), the records of Claim B.2 for any source.

    >>> round(source_records(32, 0.01, 50.25))
    51912

    Source: [KS] Claim B.2.
    """
    d, beta = BITS.check(bits), FAILURE.check(failure)
    return 4.0 * MEAN_SQUARE.check(divergence) * d * math.log(d / beta)


def batches(failure: float) -> int:
    """Return k = log_{4/3}(2/β), rounded up: how often the private learner is run.

    >>> batches(0.01)
    19

    Source: [KS] Corollary B.3.
    """
    return math.ceil(math.log(2.0 / FAILURE.check(failure)) / math.log(4.0 / 3.0))


def batch_records(bits: int, failure: float, divergence: float, epsilon: float) -> float:
    """Return 32 X d log(2dk/β)/ε, the records of each batch of Corollary B.3.

    >>> round(batch_records(32, 0.01, 50.25, 1.0))
    602472

    Source: [KS] Corollary B.3.
    """
    d, beta = BITS.check(bits), FAILURE.check(failure)
    inner = math.log(2.0 * d * batches(failure) / beta)
    return 32.0 * MEAN_SQUARE.check(divergence) * d * inner / BUDGET.check(epsilon)


def failure_chance(bits: int, records: float, rare: float = 0.5) -> float:
    r"""Return the exact probability that records fail to span all bits.

    .. math:: 1 - \{1-(1-q)^n\}\prod_{i=1}^{d-1}(1-2^{i-n}).

    The first column is nonzero with probability 1 - (1-q)^n; each of the others is uniform and
    leaves the span of i columns before it with probability 1 - 2^(i-n).

    Args:
        bits: d.
        records: n, a whole number of at least 0.
        rare: q of the first bit; 1/2 for uniform bits.

    >>> round(failure_chance(1, 1), 3), round(failure_chance(64, 71), 4)
    (0.5, 0.0078)

    Source: counting, by columns.
    """
    d, q, n = BITS.check(bits), RARE.check(rare), float(records)
    # Fewer records than bits cannot span all of them.
    if n < d:
        return 1.0
    loss = np.exp2(np.arange(1.0, d) - n)
    return -math.expm1(math.log1p(-math.exp(n * math.log1p(-q))) + float(np.log1p(-loss).sum()))


def records_needed(bits: int, failure: float, rare: float = 0.5) -> int:
    """Return the smallest number of records that fail with probability at most β, exactly.

    >>> records_needed(64, 0.01), records_needed(32, 0.01, 0.005)
    (71, 919)

    Source: `failure_chance`, solved for n.
    """
    d, beta = int(BITS.check(bits)), FAILURE.check(failure)
    return int(least(lambda n: failure_chance(d, n, rare) <= beta, d - 1, d))


def checked_budget(epsilon: float) -> float:
    """Return ε of the learner, above 0 and at most 1/2.

    Raises:
        DomainError: ε is outside the set for which the learner is private.

    >>> checked_budget(0.5)
    0.5
    """
    budget = BUDGET.check(epsilon)
    if budget > LARGEST_BUDGET:
        rule = "The private PARITY learner is private for epsilon of at most 1/2."
        raise DomainError(rule, "epsilon", budget)
    return budget


def rank_law(bits: int, records: int) -> Array:
    r"""Return the law of the rank of k records of d uniform bits: probabilities of 0, ..., d.

    .. math:: P(r) = 2^{-(k-r)(d-r)} \prod_{i<r} \frac{(1-2^{i-k})(1-2^{i-d})}{1-2^{i-r}}.

    >>> rank_law(2, 1).tolist()
    [0.25, 0.75, 0.0]

    Source: counting matrices over the field of two elements.
    """
    k, d = records, bits
    top = min(k, d)
    r = np.arange(top + 1, dtype=float)
    with np.errstate(divide="ignore"):
        step = np.log1p(-np.exp2(r[:-1] - k)) + np.log1p(-np.exp2(r[:-1] - d))
        below = np.log1p(-np.exp2(-np.arange(1, top + 1, dtype=float)))
    log_law = np.r_[0.0, np.cumsum(step)] - np.r_[0.0, np.cumsum(below)]
    law = np.zeros(d + 1)
    law[: top + 1] = np.exp(log_law - math.log(2.0) * (k - r) * (d - r))
    return law


@functools.lru_cache(maxsize=4096)
def guess_chance(bits: int, kept: int, rare: float = 0.5) -> float:
    """Return the chance that a subset picked among those that fit k records is the truth.

    It is the mean of 2^(rank - d). The first bit's column is independent of the uniform others;
    it lies in a given space of dimension r with the chance that it vanishes, and otherwise, by
    symmetry, with (2^r - 1)/(2^k - 1).

    >>> guess_chance(3, 0), round(guess_chance(8, 20), 4)
    (0.125, 0.9999)

    Source: counting, by columns.
    """
    d, q, k = int(BITS.check(bits)), RARE.check(rare), int(kept)
    if k == 0:
        return 2.0**-d
    law = rank_law(d - 1, k)
    r = np.arange(d, dtype=float)
    empty = math.exp(k * math.log1p(-q))
    inside = np.exp2(np.minimum(r - k, 0.0)) * -np.expm1(-r * math.log(2.0))
    inside = empty + (1.0 - empty) * inside / -math.expm1(-k * math.log(2.0))
    return float(np.sum(law * np.exp2(r - d) * (inside + 2.0 * (1.0 - inside))))


def learner_chance(bits: int, records: int, rare: float, epsilon: float) -> float:
    """Return the chance that the private learner names the truth from n records.

    Args:
        bits: d.
        records: n, at most 1e7.
        rare: q of the first bit, in (0, 1/2].
        epsilon: ε, at most 1/2.

    Raises:
        DomainError: A number is outside its set.

    >>> round(learner_chance(8, 0, 0.5, 0.5), 6), round(learner_chance(8, 500, 0.5, 0.5), 4)
    (0.001953, 0.5)

    Source: [KS] Corollary B.3; `guess_chance` over the binomial number of kept records.
    """
    keep = checked_budget(epsilon) / 4.0
    if not 0 <= records <= MOST_RECORDS:
        rule = f"The records must be a whole number from 0 to {MOST_RECORDS:,}."
        raise DomainError(rule, "records", records)
    n = int(records)
    spread = _REACH * math.sqrt(n * keep) + _REACH**2
    low, high = max(0, math.floor(n * keep - spread)), min(n, math.ceil(n * keep + spread))
    kept = np.arange(low, high + 1.0)
    return 0.5 * float(np.sum(binomial(kept, n, keep) * _guesses(bits, kept, rare)))


def _guesses(bits: int, kept: Array, rare: float) -> Array:
    """Chances of a right guess for every number of kept records; computed on few, the rest flat."""
    d, q = int(BITS.check(bits)), RARE.check(rare)
    settled = kept >= d + 80  # the uniform bits have full rank but for 2^-80
    out = 0.5 * (1.0 - np.expm1(kept * math.log1p(-q)))
    for place in np.flatnonzero(~settled):
        out[place] = guess_chance(d, int(kept[place]), q)
    return np.asarray(out)


def run_chance(
    *,
    bits: int,
    records: int,
    batches: int,
    rare: float,
    epsilon: float,
    delta: float,
    users_per_test: int,
) -> float:
    r"""Return the chance that the answer of least noisy test is the truth.

    .. math:: B \int p\,\varphi_\sigma(t) \{1 - p\,\Phi_\sigma(t) - (1/2-p) F(t)\}^{B-1}\,dt,

    where p is `learner_chance`, σ the users' noise and F the law of the test of a wrong answer:
    half of the users say that it errs, plus the same noise.

    Args:
        bits: d.
        records: Volunteers in each batch.
        batches: B.
        rare: q of the volunteers' first bit.
        epsilon: ε, at most 1/2.
        delta: δ of the users, in (0, 1).
        users_per_test: Users for each answer.

    >>> round(run_chance(bits=8, records=2000, batches=9, rare=0.2, epsilon=0.5, delta=1e-6,
    ...                  users_per_test=20_000), 4)
    0.998

    Source: [KS] Corollary B.3 and the text after it.
    """
    from scipy.special import bdtr, ndtr

    p = learner_chance(bits, records, rare, epsilon)
    users = int(USERS_PER_TEST.check(users_per_test))
    sigma = float(analytic_multiplier(epsilon, delta)) / math.sqrt(users)
    t = np.linspace(-_REACH, _REACH, _NODES) * sigma  # the trapezoidal rule: all is smooth
    # A count of users has the standard deviation sqrt(users)/2.
    reach = _REACH * math.sqrt(users) / 2.0
    low, high = max(0, math.floor(users / 2 - reach)), min(users, math.ceil(users / 2 + reach))
    said = np.unique(np.linspace(low, high, min(high - low + 1, _POINTS)).round())
    edges = np.floor(np.r_[0.5 * (said[:-1] + said[1:]), float(users)])
    mass = np.diff(bdtr(edges, users, 0.5), prepend=0.0)
    wrong = ndtr((t[:, None] - said / users) / sigma) @ mass
    density = np.exp(-0.5 * (t / sigma) ** 2) / (sigma * math.sqrt(2.0 * math.pi))
    alone = 1.0 - p * ndtr(t / sigma) - (0.5 - p) * wrong
    return float(batches * p * np.trapezoid(density * alone ** (batches - 1), t))


def batch_needed(
    bits: int, failure: float, rare: float, epsilon: float, batches: int
) -> int | None:
    """Return the smallest batch for which some answer is the truth with probability 1 - β.

    Without records the learner's chance is 2^(-d-1), and it never exceeds 1/2, so that (1/2)^B
    is the least failure.

    Returns:
        The number of records, or None where B batches cannot reach β.

    >>> batch_needed(8, 0.01, 0.5, 0.5, 19), batch_needed(8, 0.01, 0.5, 0.5, 6)
    (57, None)

    Source: `learner_chance`, solved for n.
    """
    beta, keep = FAILURE.check(failure), checked_budget(epsilon) / 4.0
    wanted = -math.expm1(math.log(beta) / batches)  # (1-p)^B = β
    # The learner gives up half of the time, however many records there are.
    if wanted >= 0.5:
        return None
    found = least(
        lambda n: learner_chance(bits, n, rare, epsilon) >= wanted,
        0,
        max(4, math.ceil(BITS.check(bits) / keep)),
        most=MOST_RECORDS,
    )
    return None if math.isinf(found) else int(found)
