"""Every mechanism on the worst two neighbouring data sets, as an attacker meets it.

The attacker knows the mechanism and all records but one. In the second world that record is
replaced so that the released values move the most; what it adds to each value is worked out here
from the records, not from the sensitivity that the mechanism declares. He sees all that leaves
the gate and reads it by the likelihood ratio, so no other attacker on these two data sets does
better. The mechanisms are the product's own functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sims.engine import Account, Array, Release, account

RECORDS = 50

Change = Callable[[Release, Array], Array]
Reading = Callable[[Release, Array], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """A mechanism at one promise.

    Attributes:
        run: Runs it once.
        change: What the replaced record adds to a value at the gate; zeros if it is not in it.
        delta: The promised delta; above 0 all noise is Gaussian.
        reading: What the attacker reads from a release less the value he expects, in units in
            which the replaced record adds the sensitivity; None where that is its part along the
            change.
        reads: Whether a release read the replaced record.
    """

    run: Callable[[np.random.Generator], object]
    change: Change
    delta: float
    reading: Reading | None = None
    reads: Callable[[Release], bool] = lambda entry: True


@dataclass(frozen=True, slots=True)
class Audited:
    """A mechanism that can be audited.

    Attributes:
        name: In settings.
        promise: Its guarantee in words.
        made: Epsilon and delta to the setup.
    """

    name: str
    promise: str
    made: Callable[[float, float], Setup]

    def readings(
        self,
        rngs: Sequence[np.random.Generator],
        epsilon: float,
        delta: float,
        *,
        replaced: bool,
        factor: float = 1.0,
    ) -> Array:
        """Run the mechanism once per generator in one of the two worlds, and read its releases.

        Args:
            rngs: One generator per run.
            epsilon: Promised.
            delta: Promised, unless the mechanism has its own.
            replaced: Whether the record is replaced.
            factor: What all noise is multiplied with.
        """
        setup, out = setup_of(self, epsilon, delta), []
        read = setup.reading or along(setup.change)
        for rng in rngs:
            with account(Account(change=setup.change if replaced else None, factor=factor)) as book:
                setup.run(rng)
            # Independent releases add up, each weighed by how much it tells.
            total = size = 0.0
            for entry, released in zip(book.releases, book.noise, strict=True):
                if not setup.reads(entry):
                    continue
                total += read(entry, released) / (entry.sensitivity * entry.multiplier**2)
                size += entry.times * entry.multiplier**-2.0
            out.append(total / size**0.5)
        return np.array(out)


@lru_cache(maxsize=64)
def setup_of(audited: Audited, epsilon: float, delta: float) -> Setup:
    """Return a mechanism at a promise."""
    return audited.made(epsilon, delta)


def along(change: Change) -> Reading:
    """Read along the change: the likelihood ratio of independent Gaussian noise."""

    def reading(entry: Release, out: Array) -> float:
        c = change(entry, out)
        length = float(np.linalg.norm(c))
        return float(np.vdot(out, c)) / length if length else 0.0

    return reading


def always(change: Array) -> Change:
    """Add the same to every value."""
    return lambda entry, value: change


def laplace_reading(change: Array) -> Reading:
    """Read the logarithm of the likelihood ratio of Laplace noise."""
    return lambda entry, out: float((np.abs(out) - np.abs(out - change)).sum())
