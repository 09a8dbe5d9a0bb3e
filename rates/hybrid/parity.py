r"""PARITY in the hybrid model: how many records show every bit.

The label is the parity of an unknown subset of d bits. It is determined by labelled records as
soon as they span all d dimensions over the field of two elements, that is, have rank d.
"""

from __future__ import annotations

import math

import numpy as np

from rates.hybrid.design import FAILURE, MEAN_SQUARE
from rates.numbers import DIMENSION, Parameter, least

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
