"""The noise on the one count of a class; coins are tossed on the phones.

Real answers get noise from the system's generator, without a seed: a seed would undo it. All
probabilities are decided in whole numbers, so that no rounding of floats shows through.
"""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

from rates.numbers import DomainError


def discrete_laplace(epsilon: float, chance: Random) -> int:
    r"""Draw z with probability proportional to :math:`e^{-\varepsilon |z|}`, exactly.

    It makes a count of sensitivity 1 :math:`\varepsilon`-differentially private.

    Args:
        epsilon: Positive and finite, taken as the fraction that its float is.
        chance: The system's generator for real answers; a seeded one for simulated classes.

    Raises:
        DomainError: The budget is not positive and finite.

    Source: Canonne, Kamath, Steinke (2020), Algorithm 2.
    """
    if not 0 < epsilon < math.inf:
        raise DomainError("The budget of a count must be positive and finite.", "epsilon", epsilon)
    top, under = Fraction(epsilon).as_integer_ratio()
    while True:
        rest = chance.randrange(under)
        if not _exponential(Fraction(rest, under), chance):
            continue
        whole = 0
        while _exponential(Fraction(1), chance):
            whole += 1
        size = (rest + under * whole) // top
        negative = bool(chance.getrandbits(1))
        if not (negative and size == 0):
            return -size if negative else size


def _exponential(gamma: Fraction, chance: Random) -> bool:
    """Return true with probability exp(-gamma), for gamma in [0, 1]."""
    k = 1
    while chance.randrange(gamma.denominator * k) < gamma.numerator:
        k += 1
    return k % 2 == 1
