"""Signs of powers inside ranges, and powers as text."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from rates.numbers import DomainError
from rates.orders import Range, parse, powers, write

LETTERS = ("a", "b", "c")
A, B, C = powers.field_of(LETTERS).gens
INF = None


def ranges(a, b, c=(0, INF)) -> tuple[Range, ...]:
    ends = [tuple(None if x is None else Fraction(x) for x in end) for end in (a, b, c)]
    return tuple(Range(x, *end, stated=True) for x, end in zip(LETTERS, ends, strict=True))


@pytest.mark.parametrize(
    ("power", "where", "sign"),
    [
        (A + B, ranges((0, INF), (0, INF)), 1),
        (-A / (A + B), ranges((0, INF), (0, INF)), -1),
        (A - B, ranges((0, INF), (0, INF)), None),
        (A - 1, ranges((1, 3), (0, INF)), 1),
        (1 - A, ranges((0, 1), (0, INF)), 1),
        (A - B, ranges((2, 3), (1, 2)), 1),
        (2 - A * B, ranges((0, 1), (0, 2)), 1),
        (A * A - 1, ranges((-3, -1), (0, INF)), 1),
        ((A - 1) * (B - 1), ranges((0, 1), (1, INF)), -1),
        (A * B + A, ranges((INF, 0), (0, INF)), -1),
        (A * A - 2 * A * B + B * B, ranges((0, INF), (0, INF)), None),
        (A - A, ranges((0, INF), (0, INF)), 0),
        (C - A * A * B, ranges((0, 1), (0, 2), (2, INF)), 1),
        (A, ranges((INF, INF), (0, 1)), None),
        ((A - 3) * (A - 3) * (A - 1), ranges((1, 3), (0, 1)), 1),
        ((3 - A) * (1 - A), ranges((1, 3), (0, 1)), -1),
    ],
)
def test_signs_by_hand(power, where, sign):
    assert powers.sign(power, where) == sign


def test_a_sign_that_is_shown_holds_at_every_draw():
    draw = random.Random(7)
    shown = 0
    for _ in range(150):
        ends = []
        for _ in LETTERS:
            low = Fraction(draw.randint(-2, 2), draw.choice((1, 2)))
            ends.append((low, low + draw.randint(1, 3)))
        where = ranges(*ends)
        power = powers.constant(LETTERS, 0)
        for _ in range(draw.randint(1, 4)):
            term = powers.constant(LETTERS, Fraction(draw.randint(-4, 4), draw.randint(1, 2)))
            for x in draw.choices((A, B, C), k=draw.randint(0, 2)):
                term *= x
            power += term
        if not power or (sign := powers.sign(power, where)) is None:
            continue
        shown += 1
        for _ in range(20):
            at = [low + (high - low) * Fraction(draw.randint(1, 999), 1000) for low, high in ends]
            assert powers.exact(power, tuple(at)) * sign > 0, (power, ends)
    assert shown > 50


def test_a_written_power_is_read_as_the_same():
    draw = random.Random(3)
    for _ in range(60):
        power = powers.constant(LETTERS, draw.randint(1, 3))
        for _ in range(draw.randint(1, 5)):
            x = draw.choice((A, B, C, A + B, B - C + 2, A * B + Fraction(1, 3)))
            power = draw.choice((power * x, power / x, power + x, power - 2 * x))
        if power:
            order = parse(f"n^({write.power_text(power)})", sizes=["n"], exponents=LETTERS)
            assert order.leaves[0].power_of("n") == power


def test_a_denominator_of_zero_is_said():
    with pytest.raises(DomainError, match="a - b is 0 at these exponents"):
        powers.exact(1 / (A - B), (Fraction(1), Fraction(1), Fraction(0)))
