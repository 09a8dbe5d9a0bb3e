r"""What is known of logarithms and exponentials, and a checker of proofs that use it.

L(x) is the larger of 1 and log x, M(x) is exp(x) - 1; both are letters of their own, of which a
proof may use these lines, each under a premise that it shows from what it supposes. With
q = 19/7 < e:

.. math::
    1 \le L(x), \qquad x \ge q \Rightarrow L(x) \le \frac{K}{q} x^{1/K}, \qquad
    x \le q^l y^a \Rightarrow L(x) \le \max(1, a + l) L(y), \\
    \frac{x^K}{K!} \le M(x), \qquad x \le l \Rightarrow M(x) \le \frac{(11/4)^l - 1}{l} x,
    \qquad x \le y \Rightarrow M(x) \le M(y).

The second is log y <= y/e at y = x^{1/K}; the third: where log x > 1 it is at most a log y + l,
and L(y) is at least 1 and at least log y; the rest is the series of exp, and e < 11/4.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rates.proofs import exact

Data = dict[str, Any]
Q = Fraction(19, 7)
_ABOVE_E = Fraction(11, 4)


class BrokenError(ValueError):
    """A certificate does not show what it claims."""


@dataclass(frozen=True)
class Line:
    """A product of powers: letters, calls among them by their names, and numbers."""

    powers: Mapping[str, Fraction]
    factors: tuple[tuple[Fraction, Fraction], ...] = ()

    def times(self, other: Line, power: Fraction | int = 1) -> Line:
        """Return the product with a power of another one."""
        powers = dict(self.powers)
        for letter, its in other.powers.items():
            powers[letter] = powers.get(letter, Fraction(0)) + its * power
        more = tuple((base, its * power) for base, its in other.factors)
        kept = {letter: its for letter, its in powers.items() if its}
        return Line(kept, self.factors + more)

    def number(self, base: Fraction | int) -> Line:
        """Return the product with a number."""
        return Line(self.powers, (*self.factors, (Fraction(base), Fraction(1))))


ONE = Line({})


def letter(name: str) -> Line:
    """Return a letter as a line."""
    return Line({name: Fraction(1)})


def told(
    kind: str, name: str, x: Line, other: tuple[str, Line] | None, power: Fraction, steps: int
) -> tuple[Line | None, Line]:
    """Return a lemma's premise, None if it has none, and what it says: lines that are at most 1.

    Args:
        kind: "log one", "log power", "log below", "exp above", "exp small", "exp below".
        name: The letter that stands for the function.
        x: What it is a function of.
        other: The letter, and what it is a function of, that it is compared with.
        power: K or a.
        steps: l.

    Raises:
        BrokenError: There is no such lemma.
    """
    own = letter(name)
    whole = power.denominator == 1 and 1 <= power <= 10**6
    match kind:
        case "log one":
            return None, ONE.times(own, -1)
        case "log power" if whole:
            return ONE.times(x, -1).number(Q), own.times(x, -1 / power).number(Q / power)
        case "log below" if power >= 0 and 0 <= steps <= 10**4 and (other or not power):
            most = 1 / max(Fraction(1), power + steps)
            premise, line = x.number(Q**-steps), own.number(most)
            if other:
                premise, line = premise.times(other[1], -power), line.times(letter(other[0]), -1)
            return premise, line
        case "exp above" if whole and power <= 100:
            least = Fraction(1, math.factorial(int(power)))
            return None, ONE.times(x, power).times(own, -1).number(least)
        case "exp small" if 1 <= steps <= 100:
            most = (_ABOVE_E**steps - 1) / steps
            return x.number(Fraction(1, steps)), own.times(x, -1).number(1 / most)
        case "exp below" if other:
            return x.times(other[1], -1), own.times(letter(other[0]), -1)
    raise BrokenError("there is no such lemma")


def follow(
    data: Data,
    proof: Data,
    held: Collection[int],
    both: Callable[[Data, Data, Collection[int]], None],
) -> bool:
    """Follow a proof by cases with lemmas, or raise `BrokenError`; say if some case is not empty.

    Args:
        data: ``lines``, ``first``, ``second``, ``where`` and ``constant`` as in a certificate;
            ``calls``: of each letter of a function its name and its line.
        proof: ``split``: two lines, one over the other, of which one is at most 1, and ``cases``;
            or ``lemmas``, and then ``contradiction``: weights, or ``below`` and ``above``.
        held: Numbers of lines that are at most 1 here.
        both: Follows the latter.
    """
    if "split" in proof:
        one, other = proof["split"]
        product = _line(data, one).times(_line(data, other))
        if product.powers or exact.sign_of(product.factors):
            raise BrokenError("two cases leave something out")
        sides = zip((one, other), proof["cases"], strict=True)
        return any([follow(data, inner, [*held, line], both) for line, inner in sides])
    for lemma in proof["lemmas"]:
        _known(data, lemma, held)
        held = [*held, lemma["line"]]
    if "contradiction" in proof:
        _shown(data, ONE, proof["contradiction"], held, strictly=True)
    else:
        both(data, proof, held)
    return "contradiction" not in proof


def _known(data: Data, lemma: Data, held: Collection[int]) -> None:
    """Check that a lemma says what its line says, and that its premise is shown."""
    kind, name, other = lemma["kind"], lemma["of"], lemma.get("than")
    for used in (name, other) if other else (name,):
        if {"log": "log", "exp": "expm1"}[kind[:3]] != data["calls"][used]["name"]:
            raise BrokenError("a lemma of another function")
    x, y = (_line(data, data["calls"][z]["line"]) if z else ONE for z in (name, other))
    power, steps = Fraction(lemma.get("power", 0)), int(lemma.get("steps", 0))
    premise, line = told(kind, name, x, (other, y) if other else None, power, steps)
    off = line.times(_line(data, lemma["line"]), -1)
    if off.powers or exact.sign_of(off.factors):
        raise BrokenError("a lemma says something else")
    if premise is not None:
        _shown(data, premise, lemma["by"], held)


def _shown(
    data: Data, line: Line, by: Mapping[str, str], held: Collection[int], strictly: bool = False
) -> None:
    """Check that weights of what is held show a line to be at most 1; 1 itself, that it is less."""
    weights = {int(k): Fraction(weight) for k, weight in by.items()}
    if not weights.keys() <= set(held) or any(weight < 0 for weight in weights.values()):
        raise BrokenError("a premise rests on something else")
    left = line
    for k, weight in weights.items():
        left = left.times(_line(data, k), -weight)
    if left.powers or exact.sign_of(left.factors) > (-1 if strictly else 0):
        raise BrokenError("a premise does not follow")


def _line(data: Data, number: int) -> Line:
    line = data["lines"][number]
    return Line(
        {x: Fraction(power) for x, power in line["powers"].items()},
        tuple((Fraction(base), Fraction(power)) for base, power in line["factors"]),
    )
