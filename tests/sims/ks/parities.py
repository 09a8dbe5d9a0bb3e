"""PARITY record by record, as it happens: what the exact laws are held against."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rates.hybrid import BITS, RARE, checked_budget
from sims.ks.parity import _insert, _pick, draw


def draws_to_span(bits: int, rare: float, generator: np.random.Generator) -> int:
    """Return how many records are drawn until they span all bits.

    Args:
        bits: d, at most 4096.
        rare: q of the first bit, in (0, 1/2].
        generator: Source of all randomness.

    Source: [KS] Appendix B, as it happens.
    """
    d, q = int(BITS.check(bits)), RARE.check(rare)
    basis: dict[int, int] = {}
    count, block = 0, d + 16
    while True:
        for row in draw(d, block, q, generator):
            count += 1
            if _insert(basis, row) and len(basis) == d:
                return count


def learn(
    rows: Sequence[int],
    labels: Sequence[int],
    bits: int,
    epsilon: float,
    generator: np.random.Generator,
) -> int | None:
    """Learn a parity with pure ε-privacy, or give up.

    With probability 1/2 it gives up. Otherwise it keeps every record with probability ε/4 and
    picks one of the subsets of bits that fit those, each with the same probability; it gives up
    if none fits. Neighbours differ in one record.

    Args:
        rows: Records of ``bits`` bits.
        labels: 0 or 1 for each.
        bits: d.
        epsilon: ε, above 0 and at most 1/2.
        generator: Source of all randomness.

    Returns:
        The subset as a whole number, or None.

    Raises:
        DomainError: ε is outside the set for which it is private.

    Source: Kasiviswanathan et al. (2008), Section 4; [KS] Corollary B.3.
    """
    keep = checked_budget(epsilon) / 4.0
    kept = np.flatnonzero(generator.random(len(rows)) < keep).tolist()
    return _pick([rows[i] for i in kept], [labels[i] for i in kept], bits, generator)
