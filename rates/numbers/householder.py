"""Steps toward the roots of many balance equations at once; rows are terms, columns problems.

One evaluation gives the log of the sum and three derivatives for one exponential a term.
Memory is made once and used for block after block: pages that go back to the system and are
faulted in again cost more than the arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[Any]  # single or double precision
Block = tuple[Reals, Reals, Reals, Reals]  # a, b, slopes and steps; single columns broadcast


class Room:
    """What the blocks of one call share: memory, 34 bytes a term, and powers of the slopes.

    Attributes:
        pieces: Two arrays for a and b.
        work: Two arrays of double precision to work in.
        single: Four arrays of single precision in the same memory.
        private, other: Truth values.

    Args:
        terms, problems: The largest block.
        alike: Whether all problems have the same slopes and steps, and are enough to gain by it.
    """

    def __init__(self, terms: int, problems: int, alike: bool) -> None:
        self._terms, self._problems, self._alike = terms, -1, alike
        self._flat = np.empty((4, terms * problems))
        self._masks = np.empty((2, terms * problems), bool)
        self._powers: dict[Any, tuple[Reals, Reals]] = {}

    def cut(self, problems: int) -> None:
        """Make all arrays fit a block of so many problems."""
        if problems == self._problems:
            return
        self._problems = problems
        many, shape = self._terms * problems, (self._terms, problems)
        a, b, t, x = (flat[:many].reshape(shape) for flat in self._flat)
        self.pieces, self.work = (a, b), (t, x)
        self.private, self.other = (flat[:many].reshape(shape) for flat in self._masks)
        halves = [y[:many].view(np.float32) for y in self._flat[2:]]
        self.single = [h[i : i + many].reshape(shape) for h in halves for i in (0, many)]

    def powers(self, s: Reals, d: Reals) -> tuple[Reals, Reals] | None:
        """Powers 0 to 3 of the slopes, and what privacy adds to 1 to 3; None if problems differ."""
        if not self._alike:
            return None
        if s.dtype not in self._powers:
            flat, steep = (np.broadcast_to(x, (self._terms, 1))[:, 0] for x in (s, s + d))
            sample, private = (np.stack([x**k for k in range(4)]) for x in (flat, steep))
            self._powers[s.dtype] = sample, private[1:] - sample[1:]
        return self._powers[s.dtype]


class Steps:
    """One block, and steps on it that allocate nothing large.

    Where all problems have the same slopes the sums of derivatives are products of matrices.
    """

    def __init__(self, block: Block, room: Room) -> None:
        self.a, self.b, self.s, self.d = block
        self.t: Reals
        self.slope: Reals
        self.t, self.slope = room.work if self.s.dtype == float else room.single[2:]
        self.private, self.other = room.private, room.other
        self.powers = room.powers(self.s, self.d)

    def householder(self, u: Reals, smooth: bool = False) -> tuple[Reals, Reals, Reals]:
        """Return the step of fourth order for g = log(sum) = 0 at u, g, and its slope.

        With c2 and c3 the second and third derivatives over the powers of the first, k = 1 / slope,
        and e = (c2 - 1) g, the step is k g (1 - e/2) / (1 - e + (c3 - 3 c2 + 2) g^2 / 6);
        far away both factors are held.
        """
        f0, f1, f2, f3 = (self._smooth if smooth else self._sharp)(u)
        g = np.log(f0)
        k = f0 / f1
        f2 /= f1
        f2 *= k
        f2 -= 1.0  # c2 - 1
        f3 /= f1
        f3 *= k
        f3 *= k
        f3 -= 1.0
        f3 -= 3.0 * f2
        f3 *= g
        f3 *= g
        f3 /= 6.0
        f2 *= g  # e
        f3 -= f2
        f3 += 1.0
        np.maximum(f3, 0.25, out=f3)
        f2 *= -0.5
        f2 += 1.0
        np.maximum(f2, 0.1, out=f2)
        f2 *= g
        f2 *= k
        f2 /= f3
        return f2, g, k

    def _sharp(self, u: Reals) -> Sequence[Reals]:
        """Sum of the terms and of their first three derivatives."""
        t, slope = self.t, self.slope
        self._under_privacy(u)
        np.less(t, self.a, out=self.private)
        np.minimum(t, self.a, out=t)
        np.multiply(self.s, u, out=slope)
        t += slope
        np.exp(t, out=t)
        if self.powers:
            sample, more = self.powers
            sums = sample @ t
            t *= self.private
            sums[1:] += more @ t
            return [*sums]
        np.multiply(self.d, self.private, out=slope)
        slope += self.s
        each = [t.sum(axis=0)]
        for _ in range(3):
            t *= slope
            each.append(t.sum(axis=0))
        return each

    def _under_privacy(self, u: Reals) -> None:
        """Set t to the private branch at u."""
        if self.d.size == 1:
            np.add(self.b, self.d[0] * u, out=self.t)
        else:
            np.multiply(self.d, u, out=self.t)
            self.t += self.b

    def _smooth(self, u: Reals) -> Sequence[Reals]:
        """The same for the harmonic sum of both branches."""
        private = self.b + self.d * u
        gap = private - self.a
        t = np.exp(np.minimum(self.a, private) + self.s * u) / (1.0 + np.exp(-np.abs(gap)))
        p = 1.0 / (1.0 + np.exp(gap))
        slope = self.s + self.d * p
        bend = -(self.d**2) * p * (1.0 - p)
        twist = self.d**3 * p * (1.0 - p) * (1.0 - 2.0 * p)
        return (
            t.sum(axis=0),
            (t * slope).sum(axis=0),
            (t * (slope * slope + bend)).sum(axis=0),
            (t * (slope**3 + 3.0 * slope * bend + twist)).sum(axis=0),
        )

    def crosses(self, u: Reals) -> NDArray[np.bool_]:
        """Say for which problems some minimum has changed its branch at u since the last step."""
        self._under_privacy(u)
        np.less(self.t, self.a, out=self.other)
        np.not_equal(self.other, self.private, out=self.other)
        return np.asarray(self.other.any(axis=0))
