r"""Signs of sums of logarithms, exactly, by whole numbers and the standard library alone.

A sum of c_k log b_k over pairwise coprime whole numbers b_k > 1 is zero only if every c_k is:
otherwise a common multiple of the denominators would make two different products of coprime
numbers equal. So its sign is found by enough digits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

Factors = Iterable[tuple[Fraction, Any]]  # base and power


def coprime(numbers: Iterable[int]) -> tuple[int, ...]:
    """Return pairwise coprime numbers above 1 of which all the given ones are products.

    >>> coprime([12, 18, 5])
    (2, 3, 5)
    """
    basis: list[int] = []
    todo = [number for number in numbers if number > 1]
    while todo:
        number = todo.pop()
        for k, other in enumerate(basis):
            shared = math.gcd(number, other)
            if shared > 1:
                if number != other:
                    del basis[k]
                    todo += [x for x in (number // shared, other // shared, shared) if x > 1]
                break
        else:
            basis.append(number)
    return tuple(sorted(basis))


def bases(factors: Factors) -> tuple[int, ...]:
    """Return coprime numbers in which the given factors can be written.

    Raises:
        ValueError: A number is not positive.
    """
    found = list(factors)
    if any(base <= 0 for base, _ in found):
        raise ValueError("numbers are positive")
    return coprime({x for base, _ in found for x in (base.numerator, base.denominator)})


def written(factors: Factors, basis: Sequence[int]) -> tuple[Any, ...]:
    """Return the powers of the basis in a product of factors.

    >>> [str(x) for x in written([(Fraction(8, 9), Fraction(1, 2))], (2, 3))]
    ['3/2', '-1']
    """
    powers: list[Any] = [0] * len(basis)  # fractions, or anything that adds
    for base, power in factors:
        for sign, part in ((1, base.numerator), (-1, base.denominator)):
            for k, prime in enumerate(basis):
                left = part
                while left % prime == 0:
                    left //= prime
                    powers[k] += sign * power
    return tuple(powers)


def sign(powers: Sequence[Fraction | int], basis: Sequence[int]) -> int:
    """Return the sign of the log of a product of powers of coprime numbers.

    >>> sign([Fraction(19), Fraction(-12)], (2, 3))  # 2^19 < 3^12
    -1
    """
    terms = [(power, base) for power, base in zip(powers, basis, strict=True) if power]
    if not terms:
        return 0
    if len(terms) == 1 or len({power > 0 for power, _ in terms}) == 1:
        return 1 if terms[0][0] > 0 else -1
    digits = 30
    while True:
        context = Context(prec=digits)
        total, width = Fraction(0), Fraction(0)
        for power, base in terms:
            log = Fraction(Decimal(base).ln(context))
            total += Fraction(power) * log
            width += abs(Fraction(power)) * log / 10 ** (digits - 2)  # correctly rounded, with room
        if abs(total) > width:
            return 1 if total > 0 else -1
        digits *= 2


def sign_of(factors: Factors) -> int:
    """Return the sign of the log of a product of powers of positive fractions.

    >>> sign_of([(Fraction(9, 8), Fraction(1)), (Fraction(2, 3), Fraction(1, 3))])
    -1
    """
    found = list(factors)
    basis = bases(found)
    return sign(written(found, basis), basis)


def log(powers: Sequence[Fraction | int], basis: Sequence[int]) -> float:
    """Return the log of a product of powers of coprime numbers as a float."""
    return math.fsum(
        float(power) * math.log(base) for power, base in zip(powers, basis, strict=True)
    )
