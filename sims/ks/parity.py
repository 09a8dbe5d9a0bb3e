"""The experiment "hybrid-parity": how many records show every bit of PARITY?

A record of d bits is one whole number, so that a step of elimination is one exclusive or.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rates.hybrid import BITS, RARE, failure_chance
from rates.numbers import Parameter
from sims import engine


def draw(bits: int, number: int, rare: float, generator: np.random.Generator) -> list[int]:
    """Draw records of uniform bits whose first bit is 1 with probability ``rare``.

    >>> len(draw(5, 3, 0.5, np.random.default_rng(0)))
    3
    """
    size = (bits + 7) // 8
    block = generator.bytes(size * number)
    mask, first = (1 << bits) - 1, 1 << (bits - 1)
    rows = [int.from_bytes(block[i : i + size], "big") & mask for i in range(0, len(block), size)]
    # Uniform records need no second draw.
    if rare == 0.5:
        return rows
    ones = generator.random(number) < rare
    return [row | first if one else row & ~first for row, one in zip(rows, ones, strict=True)]


def rank(rows: Sequence[int]) -> int:
    """Return the rank of records over the field of two elements.

    >>> rank([0b11, 0b01, 0b10])
    2

    Source: Gaussian elimination.
    """
    basis: dict[int, int] = {}  # leading bit -> record
    for row in rows:
        left = row
        while left and (known := basis.get(left.bit_length())):
            left ^= known
        if left:
            basis[left.bit_length()] = left
    return len(basis)


EXTRA = Parameter("extra", "n - d", "0, ..., 1e5", help="Records beyond the number of bits.")
MOST_BITS = BITS.within("1, ..., 512")


def parity_points(values: engine.Values) -> tuple[engine.Point, ...]:
    """Return the points of "hybrid-parity": failure against the records beyond d."""
    bits, rare = values.whole("bits"), values.number("rare")
    series = {"like the population": 0.5}
    if rare < 0.5:
        series["rare bit"] = rare
    return tuple(
        engine.Point(
            series=name,
            x=float(extra),
            exact=float(failure_chance(bits, bits + extra, q)),
            settings=engine.Values(records=float(bits + extra), q=q),
        )
        for name, q in series.items()
        for extra in values.numbers("extra")
    )


def agrees(point: engine.Point, estimate: engine.Estimate) -> bool:
    """Return whether a simulated share lies within three standard errors of the exact one.

    The standard error is that of the exact share: where all draws agree, theirs would be 0.

    >>> agrees(engine.Point(series="a", x=0, exact=0.01), engine.Estimate(0.0, 0.0, 200))
    True
    """
    exact = point.exact or 0.0
    error = math.sqrt(exact * (1.0 - exact) / estimate.replicates)
    return abs(estimate.mean - exact) <= 3.0 * error + 1e-9


def parity_sample(
    values: engine.Values, point: engine.Point, seed: int, indices: range
) -> engine.Array:
    """Return failures of "hybrid-parity": 1 where the records do not span all bits."""
    bits, at = values.whole("bits"), point.settings
    records, rare = at.whole("records"), at.number("q")
    drawn = engine.generators(seed, point.key, indices=indices)
    return np.array([float(rank(draw(bits, records, rare, g)) < bits) for g in drawn])


PARITY = engine.Experiment(
    name="hybrid-parity",
    question="How many records show every bit of PARITY?",
    help="Records are random bits; the learner needs them to span all d dimensions over the field "
    "of two elements. In the second series the first bit is 1 with probability q only.",
    x_label="records beyond d",
    y_label="share of draws that do not span",
    privacy="None: this counts ranks. The private learner needs the same rank of a subsample.",
    parameters=(
        engine.Number(MOST_BITS, 64.0),
        engine.Number(RARE, 0.05),
        engine.Numbers(EXTRA, (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 20.0, 50.0, 100.0)),
    ),
    points=parity_points,
    sample=parity_sample,
    replicates=200,
    block=50,
    span=(0.0, 1.0),
)
