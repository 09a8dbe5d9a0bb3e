"""What is read, and what is refused with its column."""

from __future__ import annotations

import math

import pytest

from rates.numbers import DomainError
from rates.orders import OrderError, parse

SIZES = ("n", "m", "n0", "eps")
EXPONENTS = ("beta", "gamma", "d", "alpha")

REFUSED = [
    ("n - 1", 3, "difference"),
    ("2n", 2, r"mark such as \*"),
    ("n(m)", 2, r"mark such as \*"),
    ("n^m", 3, "m is a size"),
    ("(n", 1, "not closed"),
    ("n)", 2, "closes nothing"),
    ("n^2^3", 4, "power of a power"),
    ("n^(beta^2)", 8, "power inside a power"),
    ("1e400", 1, "range of floating point"),
    ("1e-400*n", 1, "range of floating point"),
    ("0*n", 1, "positive"),
    ("-n", 1, "positive"),
    ("n^1001", 3, "at most 1,000"),
    ("n^(1/0)", 6, "divides by 0"),
    ("n^(1/(beta-beta))", 6, "divides by 0"),
    ("inf_h(n*h)", 1, "is 0: let h go to 0"),
    ("sup_h(min(n, 1/h) + h)", 1, "no upper end: let h grow"),
    ("inf_h(h^(beta-d) + 1/h)", 1, "sign of a power of h"),
    ("inf_n(n)", 1, "n is declared"),
    ("inf_h(h + 1/h)*h", 16, "h is not declared"),
    ("inf_h(inf_h(h))", 7, "h is declared"),
    ("inf_h(n <= m, h)", 7, "range of h"),
    ("inf_x(inf_y(x*y + inf_h(h + 1/h)/(x*y)))", 19, "At most 2 letters"),
    ("inf_h(1 <= h >= n, h)", 14, "one way"),
    ("inf_h(n + m <= h, h)", 7, "product of powers"),
    ("inf_h(h <= h, h)", 12, "not declared"),
    ("best_k(n*k)", 1, r"best_k\(m"),
    ("inf_h(h, 1/h)", 1, "a <= h <= b"),
    ("inf_1(n)", 1, "a letter after"),
    ("inf_h(n = h, h)", 9, "one way"),
    ("inf_h(max(" + ", ".join(f"n^{k}*h, n^{k}/h" for k in range(1, 10)) + "))", 1, "64 terms"),
    ("min(n,m)^(beta-d)", 9, "sign of this power"),
    ("q*n", 1, "q is not declared"),
    ("beta*n", 1, "powers only"),
    ("foo(n)", 1, "no function"),
    ("min", 1, "in brackets"),
    ("max(n,)", 7, ""),
    ("sqrt(n, m)", 1, "one term"),
    ("sum_j(n)", 1, "differ by site"),
    ("__import__('os')", 1, "begins with"),
    ("n.__class__", 2, "full stop"),
    ("lambda x: x", 8, r"mark such as \*"),
    ("'n'", 1, "apostrophe"),
    ("n[0]", 2, "round"),
    ("α*n", 1, "alpha"),
    ("n − 1", 3, "write -"),
    ("n×m", 2, r"write \*"),
    ("ｎ", 1, "fullwidth"),
    ("Δ*n", 1, "its name, Delta"),
    ("\\alpha*n", 1, "No TeX"),
    ("n∧m∨eps", 4, "brackets"),
    ("n -> oo", 3, "hold for all sizes"),
    ("n or m", 3, "between two conditions"),
    ("log(n, m)", 1, "one term"),
    ("exp(n + m)", 1, "no sum stands inside exp"),
    ("log(n - 1)", 7, "difference"),
    ("exp(n) - 2", 8, "difference"),
    ("n = 1", 3, "unknown"),
    ("", 1, "ends"),
    ("n*" * 250 + "n", 501, "500 characters"),
    ("+".join(65 * ["n"]), 1, "64 terms"),
    ("*".join(33 * ["min(n,m)"]), 1, "64 terms"),
    ("inf_h(" + "*".join(9 * ["max(n*h,m/h)"]) + ")", 1, "64 terms when multiplied out"),
    ("(" * 60 + "n" + ")" * 60, 31, "30 deep"),
    ("*".join(201 * ["n"]), 401, "200 numbers"),
    ("n <= m", 3, "claim"),
    ("min(" + 25 * "a" + ": n, m)", 5, "at most 24"),
    ("min(A:: n, m)", 7, "label"),
    ("n^(2*eps)", 6, "eps is a size"),
    ("n^(1e30*beta)", 4, "too many digits"),
    ("n^((beta+gamma+d+alpha)*(beta+2*gamma+d+1)*(beta+alpha+3*d+1))", 3, "too many terms"),
    ("n^(beta*beta*beta*beta*beta*beta*beta*beta*beta)", 3, "too many terms"),
    ("1e200*1e200*n", 1, "range of floating point"),
]


@pytest.mark.parametrize(("text", "column", "words"), REFUSED, ids=[x[0][:20] for x in REFUSED])
def test_what_is_no_rate_is_refused_with_its_column(text, column, words):
    with pytest.raises(OrderError, match=f"(?i){words}") as refused:
        parse(text, sizes=SIZES, exponents=EXPONENTS)
    assert refused.value.column == column < refused.value.end
    assert f"Column {column}: got " in str(refused.value)
    assert str(refused.value).count("\n") == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("n*r^2 + m = 1", "m has none"),
        ("n*r + 1/r = 1", "no single root"),
        ("n*r^(beta-d) = 1", "sign of beta-d"),
        ("n = m", "r is the unknown"),
        ("n*r", "left = right"),
        ("n*r = m = 1", "one ="),
        ("n^r*r = 1", "r is a size"),
    ],
)
def test_a_balance_without_a_single_root_is_refused(text, words):
    with pytest.raises(OrderError, match=words):
        parse(text, sizes=SIZES, exponents=EXPONENTS, unknown="r")


@pytest.mark.parametrize(
    ("letters", "words"),
    [
        ({"sizes": ["n", "n"]}, "n is declared twice"),
        ({"sizes": ["n"], "exponents": ["n"]}, "n is declared twice"),
        ({"sizes": ["n"], "unknown": "n"}, "n is declared twice"),
        ({"sizes": ["min"]}, "function"),
        ({"sizes": ["__x"]}, "word of at most 20"),
        ({"sizes": "nm"}, "list"),
        ({"sizes": ["n"], "sites": ["k"]}, "k must be a size"),
        ({"sizes": ["n"], "exponents": {"b": (2, 1)}}, "low below high"),
        ({"sizes": ["n"], "exponents": {"b": (1, "x")}}, "finite number"),
        (
            {"sizes": ["n"], "exponents": {"b": ("1/p", math.inf)}},
            "finite numbers, without letters",
        ),
        ({"sizes": ["n", "d"], "exponents": ["d"]}, "as a size and as an exponent"),
        ({"sizes": ["n"], "rate": "n"}, "needs an unknown"),
    ],
)
def test_letters_are_declared_once_and_well(letters, words):
    with pytest.raises(DomainError, match=words):
        parse("n", **letters)


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
        ("a: n + (m + 1)", "a: n + m + 1"),
        ("T: (n + m)*eps", "T: (n + m)*eps"),
        ("(n*m)/(eps*n0)", "n*m/(eps*n0)"),
        ("n/m/eps", "n/m/eps"),
        ("1/3*n^(beta*(1+alpha)/(2*beta+d))", "1/3*n^(beta*(alpha+1)/(2*beta+d))"),
        ("n^(1/(beta*beta+2*beta+1))", "n^(1/((beta+1)*(beta+1)))"),
        ("min(min(n, m), sqrt(eps))", "min(min(n, m), eps^(1/2))"),
        ("(1/3)^beta*2.5e-7", "2.5e-7*(1/3)^beta"),
        ("n^(2*beta-2*d)", "n^(2*(beta-d))"),
        ("n^(0.1*beta)", "n^(beta/10)"),
    ],
)
def test_what_is_written_parses_back(typed, written):
    order = parse(typed, sizes=SIZES, exponents=EXPONENTS)
    assert str(order) == written
    assert parse(written, **order.letters) == order
