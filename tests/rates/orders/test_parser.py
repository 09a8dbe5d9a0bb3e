"""What is read, what is refused with its column; signs of powers, and powers as text."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from rates.numbers import DomainError
from rates.orders import OrderError, Range, parse, powers, write

SIZES = ("n", "m", "n0", "eps")
EXPONENTS = ("beta", "gamma", "d", "alpha")

REFUSED = [
    ("n - 1", 3, "difference"),
    ("2n", 2, r"mark such as \*"),
    ("n^m", 3, "m is a size"),
    ("(n", 1, "not closed"),
    ("n^2^3", 4, "power of a power"),
    ("n^(beta^2)", 8, "power inside a power"),
    ("1e400", 1, "range of floating point"),
    ("0*n", 1, "positive"),
    ("-n", 1, "positive"),
    ("n^1001", 3, "at most 1,000"),
    ("n^(1/0)", 6, "divides by 0"),
    ("inf_h(n*h)", 1, "is 0: let h go to 0"),
    ("inf_h(h^(beta-d) + 1/h)", 1, "sign of a power of h"),
    ("inf_n(n)", 1, "n is declared"),
    ("inf_h(h + 1/h)*h", 16, "h is not declared"),
    ("inf_h(n <= m, h)", 7, "range of h"),
    ("inf_x(inf_y(x*y + inf_h(h + 1/h)/(x*y)))", 19, "At most 2 letters"),
    ("inf_h(1 <= h >= n, h)", 14, "one way"),
    ("inf_h(n + m <= h, h)", 7, "product of powers"),
    ("best_k(n*k)", 1, r"best_k\(m"),
    ("inf_h(h, 1/h)", 1, "a <= h <= b"),
    ("inf_1(n)", 1, "a letter after"),
    ("inf_h(max(" + ", ".join(f"n^{k}*h, n^{k}/h" for k in range(1, 10)) + "))", 1, "64 terms"),
    ("min(n,m)^(beta-d)", 9, "sign of this power"),
    ("q*n", 1, "q is not declared"),
    ("beta*n", 1, "powers only"),
    ("foo(n)", 1, "no function"),
    ("sqrt(n, m)", 1, "one term"),
    ("sum_j(n)", 1, "differ by site"),
    ("__import__('os')", 1, "begins with"),
    ("n.__class__", 2, "full stop"),
    ("α*n", 1, "alpha"),
    ("n×m", 2, r"write \*"),
    ("ｎ", 1, "fullwidth"),
    ("\\alpha*n", 1, "No TeX"),
    ("n∧m∨eps", 4, "brackets"),
    ("n -> oo", 3, "hold for all sizes"),
    ("n or m", 3, "between two conditions"),
    ("log(n, m)", 1, "one term"),
    ("exp(n + m)", 1, "no sum stands inside exp"),
    ("n = 1", 3, "unknown"),
    ("", 1, "ends"),
    ("n*" * 250 + "n", 501, "500 characters"),
    ("+".join(65 * ["n"]), 1, "64 terms"),
    ("*".join(33 * ["min(n,m)"]), 1, "64 terms"),
    ("inf_h(" + "*".join(9 * ["max(n*h,m/h)"]) + ")", 1, "64 terms when multiplied out"),
    ("(" * 60 + "n" + ")" * 60, 31, "30 deep"),
    ("*".join(201 * ["n"]), 401, "200 numbers"),
    ("n <= m", 3, "claim"),
    ("exp(" * 20 + "n" + ")" * 20, 53, "at most 64 terms"),  # each doubled what is inside
    ("inf_h(inf_x(n + x*m + 1/x) <= h <= m, h)", 7, "An end of a range is a product"),
    ("best_k(inf_x(n + x*m + 1/x), k)", 8, "An end of a range is a product"),
    ("min(" + 25 * "a" + ": n, m)", 5, "at most 24"),
    ("n^(1e30*beta)", 4, "too many digits"),
    ("n^((beta+gamma+d+alpha)*(beta+2*gamma+d+1)*(beta+alpha+3*d+1))", 3, "too many terms"),
    ("1e200*1e200*n", 1, "range of floating point"),
]


@pytest.mark.parametrize(("text", "column", "words"), REFUSED, ids=[x[0][:20] for x in REFUSED])
def test_what_is_no_rate_is_refused_with_its_column(text, column, words):
    with pytest.raises(OrderError, match=f"(?i){words}") as refused:
        parse(text, sizes=SIZES, exponents=EXPONENTS)
    assert refused.value.column == column < refused.value.end
    assert f"Column {column}: got " in str(refused.value)
    assert str(refused.value).count("\n") == 0


BALANCE = {"sizes": SIZES, "exponents": EXPONENTS, "unknown": "r"}


@pytest.mark.parametrize(
    ("text", "letters", "words"),
    [
        ("n*r^2 + m = 1", BALANCE, "m has none"),
        ("n*r + 1/r = 1", BALANCE, "no single root"),
        ("n*r^(beta-d) = 1", BALANCE, "sign of beta-d"),
        ("n = m", BALANCE, "r is the unknown"),
        ("n*r", BALANCE, "left = right"),
        ("n*r = m = 1", BALANCE, "one ="),
        ("n^r*r = 1", BALANCE, "r is a size"),
        ("n", {"sizes": ["n", "n"]}, "n is declared twice"),
        ("n", {"sizes": ["min"]}, "function"),
        ("n", {"sizes": ["__x"]}, "word of at most 20"),
        ("n", {"sizes": "nm"}, "list"),
        ("n", {"sizes": ["n"], "sites": ["k"]}, "k must be a size"),
        ("n", {"sizes": ["n"], "exponents": {"b": (2, 1)}}, "low below high"),
        ("n", {"sizes": ["n"], "exponents": {"b": (1, "x")}}, "finite number"),
        ("n", {"sizes": ["n"], "exponents": {"b": ("1/p", math.inf)}}, "numbers, without letters"),
        ("n", {"sizes": ["n", "d"], "exponents": ["d"]}, "as a size and as an exponent"),
        ("n", {"sizes": ["n"], "rate": "n"}, "needs an unknown"),
    ],
)
def test_a_balance_has_a_single_root_and_letters_are_declared_once_and_well(text, letters, words):
    with pytest.raises(DomainError, match=words):
        parse(text, **letters)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("n**-1/2", "0.5/n"),
        ("n∧m*eps + n0", "min(n, m*eps) + n0"),
        ("n + m∨eps∨n0", "n + max(m, eps, n0)"),
        ("(exp(eps)-1)^2*log(n*m)^beta", "(exp(eps) - 1)^2*log(n*m)^beta"),
        ("n*exp(-m)", "n/exp(m)"),
        ("n^(-1/2)", "n^(-1/2)"),
        ("1e3*n*.5", "500*n"),
        ("n^beta*n", "n^beta*n"),
        ("(n^2)^(1/beta)", "n^(2/beta)"),
        ("(n*m)/(eps*n0)", "n*m/(eps*n0)"),
        ("1/3*n^(beta*(1+alpha)/(2*beta+d))", "1/3*n^(beta*(alpha+1)/(2*beta+d))"),
        ("n^(1/(beta*beta+2*beta+1))", "n^(1/((beta+1)*(beta+1)))"),
        ("min(min(n, m), sqrt(eps))", "min(min(n, m), eps^(1/2))"),
        ("(1/3)^beta*2.5e-7", "2.5e-7*(1/3)^beta"),
        ("n^(0.1*beta)", "n^(beta/10)"),
    ],
)
def test_what_is_written_parses_back(typed, written):
    order = parse(typed, sizes=SIZES, exponents=EXPONENTS)
    assert str(order) == written
    assert parse(written, **order.letters) == order


# Powers -----------------------------------------------------------------------------------------

LETTERS = ("a", "b", "c")
A, B, C = powers.field_of(LETTERS).gens
INF = None


def ranges(a, b, c=(0, INF)) -> tuple[Range, ...]:
    ends = [tuple(None if x is None else Fraction(x) for x in end) for end in (a, b, c)]
    return tuple(Range(x, *end, stated=True) for x, end in zip(LETTERS, ends, strict=True))


@pytest.mark.parametrize(
    ("power", "where", "sign"),
    [
        (-A / (A + B), ranges((0, INF), (0, INF)), -1),
        (A - B, ranges((0, INF), (0, INF)), None),
        (A - 1, ranges((1, 3), (0, INF)), 1),
        (2 - A * B, ranges((0, 1), (0, 2)), 1),
        (A * A - 1, ranges((-3, -1), (0, INF)), 1),
        ((A - 1) * (B - 1), ranges((0, 1), (1, INF)), -1),
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
        lows = [Fraction(draw.randint(-2, 2), draw.choice((1, 2))) for _ in LETTERS]
        ends = [(low, low + draw.randint(1, 3)) for low in lows]
        power = powers.constant(LETTERS, 0)
        for _ in range(draw.randint(1, 4)):
            term = powers.constant(LETTERS, Fraction(draw.randint(-4, 4), draw.randint(1, 2)))
            for x in draw.choices((A, B, C), k=draw.randint(0, 2)):
                term *= x
            power += term
        if not power or (sign := powers.sign(power, ranges(*ends))) is None:
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
