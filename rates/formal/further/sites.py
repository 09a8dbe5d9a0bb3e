"""Further formal claims of [ACC]: patterns, elasticities, noise of kernels, grids and margins."""

from __future__ import annotations

from fractions import Fraction

from rates.formal.acc_budgets import (
    BETWEEN,
    EPS2,
    EPS3,
    EPS11,
    EPS21,
    LETTERS,
    NPS,
    NPT,
    SHAPE,
    beta,
    d,
    eps,
    gamma,
    k,
    m,
    n,
    n0,
)
from rates.formal.acc_roots import FIVE, K0, ROOT, SMALLEST, H, eps0, equation, r, term_of
from rates.formal.claim import Claim, Range, Where, claim, relation
from rates.formal.further.equation import _MADE, _SHARES
from rates.formal.further.equation import CLAIMS as EQUATION
from rates.formal.terms import Term, exp, least, letters, log, most, root

C, K, N, R = letters("C K N R")
a, a1, a2, alpha, b, b1, b2, c, delta, h, kappa, q, s, t, u, v, w, x, y, z = letters(
    "a a1 a2 alpha b b1 b2 c delta h kappa q s t u v w x y z"
)
x1, x2, y1, y2 = letters("x1 x2 y1 y2")
_HALF = Fraction(1, 2)
_TWO = Term("2")
_UNIT = Range("t", "number", 0.01, 0.99)
# A budget between two others, on a log scale.
_BETWEEN_11_2 = EPS11 ** (1 - t) * EPS2**t
_BETWEEN_2_21 = EPS2 ** (1 - t) * EPS21**t
_BETWEEN_21_3 = EPS21 ** (1 - t) * EPS3**t
_BEFORE_11 = (1 / (root(m) * n)) ** (1 - t) * EPS11**t


def _source(at: Term) -> Term:
    return (root(m) * n * at) ** (-1 / (beta * gamma + d))


def _target(at: Term) -> Term:
    return (n0 * at) ** (-1 / (beta + d))


def _margin(power: Term, *more: Range) -> Claim:
    """No constant C bounds a share of the order t^(1/β) by a larger power of t."""
    return claim(
        SHAPE[0],
        *more,
        Range("v", "budget", 0.2, 3),
        Range("C", "budget", 1, 10),
        where=(Where("alpha", power), Where("t", (Fraction(1001, 1000) * C) ** (-1 / v))),
        says=relation(t ** (1 / beta), ">", C * t**alpha),
    )


def _moved(*cases: tuple[str, int, Term, Term]) -> Claim:
    """The root as a server's term, of share s and slope own, is multiplied by e^(ax).

    The curve of roots is concave in logs, so that it lies below its tangent on both sides.
    """
    return claim(
        *SHAPE,
        Range("s", "number", 0.05, 0.95),
        Range("x", "number", -1, 1),
        where=tuple(
            Where(of, s * exp(a * x) * Term(of) ** own + (1 - s) * Term(of) ** other, solves=True)
            for of, a, own, other in cases
        ),
        says=tuple(
            relation(log(Term(of)), "<=", -(a * s * x) / (s * own + (1 - s) * other))
            for of, a, own, other in cases
        ),
    )


def _common(budget: Term) -> Term:
    return term_of(n0, budget, r, K0) + m * term_of(n, budget, r, k)


def _signed(of: Term) -> Term:
    """The fourth root of a number with its sign."""
    return most(of, 0) ** Fraction(1, 4) - most(-of, 0) ** Fraction(1, 4)


def _surface(x: Term, y: Term) -> Term:
    return least(most(_signed(x) * _signed(y), -_HALF), _HALF)


_CROSS = ((root(m) * n) ** (beta + d) * (n0 * c) ** -(beta * gamma + d)) ** (
    1 / (beta * (gamma - 1))
)
_KERNEL = (
    Range("n", "size", 1, 1e6),
    Range("h", "budget", 0.01, 1),
    Range("d", "whole", 1, 5),
    Range("c", "budget", 0.1, 10),
)
_POSITIVE = (most(a1, 0) ** 2 / b1 + most(a2, 0) ** 2 / b2, most(-a1, 0) ** 2 / b1)
_MOST = most(_POSITIVE[0], _POSITIVE[1] + most(-a2, 0) ** 2 / b2)
_ALL = least(n0, n0**2 * eps0**2) + m * least(n, n**2 * eps**2)
_GAMMA = Term("y")  # another gamma
_SLOPE = (beta * d * log(m * n)) / ((2 * beta * gamma + d) * (2 * beta * _GAMMA + d))
_EPS3Y = (m ** (d / 2) * n ** (-beta * _GAMMA)) ** (1 / (2 * beta * _GAMMA + d))
_Q0, _Q = n0**2 * eps0**2 * r ** (K0 + d), n**2 * eps**2 * r ** (k + d)
_F0, _F = n0 * r**K0, n * r**k
_TOTAL = n0 * r**K0 + m * n * r**k

CLAIMS: dict[tuple[str, str], Claim] = {
    ("ACC:Sec1:not-contiguous", "printed"): claim(
        SHAPE[0],
        Range("gamma", "number", 1.05, 3),
        *LETTERS[2:],
        _UNIT,
        conditions=(
            *BETWEEN,
            relation(n0, "<", root(m) * n),
            relation(EPS2, "<", EPS21),
            relation(EPS21, "<", least(EPS3, 1)),
        ),
        # Sources, target, sources: between the thresholds in turn.
        says=(
            relation(_source(_BEFORE_11), "<=", _target(_BEFORE_11)),
            relation(_target(_BETWEEN_11_2), "<=", _source(_BETWEEN_11_2)),
            relation(NPT, "<=", _source(_BETWEEN_2_21)),
            relation(_source(_BETWEEN_21_3), "<=", NPT),
        ),
    ),
    ("ACC:Eq3:polylog", "printed"): claim(
        Range("kappa", "number", 0.1, 1),
        Range("q", "budget", 1, 5),
        Range("t", "budget", 1, 10),
        # x is log N; there is room for the factor 1.35.
        where=(Where("x", t * most((q / kappa) ** 2, exp(1))),),
        says=relation(exp(kappa * x), ">", x ** (Fraction(27, 20) * q)),
    ),
    ("ACC:Rem2.2", "printed"): _margin(d / beta + v, SHAPE[2]),
    ("ACC:Rem2.2:sharp", "printed"): _margin(1 / beta + v),
    ("ACC:Cor3.2:delta", "printed"): claim(
        *LETTERS[3:],
        Range("delta", "budget", 1e-12, 1e-3),
        conditions=BETWEEN,
        says=relation((n0 + m * n) * delta, "<=", 2 * m * n * delta),
    ),
    ("ACC:Cor3.2:eps3-in-gamma", "printed"): claim(
        *LETTERS[:5],
        Range("y", "number", 0.2, 3),
        # The quotient of differences, whose limit is the derivative.
        conditions=(relation((_GAMMA - gamma) ** 2, ">=", Fraction(1, 100)),),
        says=relation(log(_EPS3Y / EPS3) / (_GAMMA - gamma), "=", -_SLOPE),
    ),
    ("ACC:Cor3.2:two-budgets", "printed"): claim(
        SHAPE[0],
        Range("gamma", "number", 0.2, 0.95),
        *LETTERS[2:5],
        Range("s", "budget", 1, 1e8),
        Range("c", "budget", 1e-4, 1e4),
        _UNIT,
        # The target's budget is c times that of the sources; b is where both private rates meet.
        where=(
            Where("n0", s * m * n),
            Where("b", _CROSS),
            Where("x", (1 / (n0 * c)) ** (1 - t) * b**t),
            Where("y", b ** (1 - t) * (NPS ** -(beta + d) / (n0 * c)) ** t),
        ),
        conditions=(
            relation(n0, ">", m * n),
            relation(NPT, "<", NPS),
            relation(n0 * c, ">", root(m) * n),
            relation(b, "<", EPS3),
        ),
        says=(
            relation(_target(c * x), "<=", _source(x)),
            relation(most(_source(y), NPS), "<=", _target(c * y)),
            relation(NPT, "<", NPS),
        ),
    ),
    ("ACC:Eq5:shares", "printed"): EQUATION["ACC:Eq5", "printed"],
    ("ACC:Eq5:elasticity-n", "printed"): _moved(("y", 1, K0, k + d), ("z", 2, K0 + d, k)),
    ("ACC:Eq5:elasticity-epsilon", "printed"): _moved(("z", 2, K0 + d, k + d)),
    ("ACC:Eq5:smallest-common-epsilon", "printed"): claim(
        *FIVE[:-2],
        Range("r", "budget", 0.01, 0.99),
        # x is the least budget; at y, where no privacy binds, the sum is at its limit.
        where=(Where("x", _common(x), solves=True), Where("y", (least(n0, n) * r**d) ** -_HALF)),
        conditions=(relation(_TOTAL, ">", 1),),
        says=(relation(_common(x), "=", 1), relation(_common(y), "=", _TOTAL)),
    ),
    ("ACC:Rem3.3:growing-m", "printed"): claim(
        *LETTERS[:5],
        where=(Where("r", m * n * r**k, solves=True),),
        says=(
            relation(r**-K0, "=", (m * n) ** (K0 / k)),
            relation(r**-K0, "=", m ** (K0 / k - 1) * (m * n ** (K0 / k))),
        ),
    ),
    ("ACC:Eq8", "printed"): claim(
        *_KERNEL,
        Range("u", "number", 0, 1),
        Range("t", "number", -1, 1),
        # The kernel is uc at 0 and t times that between both records, whose labels differ.
        where=(Where("x", u * c),),
        says=relation(
            root(x / 4 + x / 4 + 2 * (t * x) / 4) / (n * h**d), "<=", root(c) / (n * h**d)
        ),
    ),
    ("ACC:Eq11", "printed"): claim(
        *FIVE,
        Range("delta", "budget", 1e-12, 0.5),
        where=(Where("h", equation(h) / log(2 / delta), solves=True),),
        says=relation(equation(h), "=", log(2 / delta)),
    ),
    ("ACC:Thm4.3:balance", "printed"): claim(
        *_SHARES,
        where=_MADE,
        # Whatever the set, the sum is no smaller than with privacy just where it binds.
        says=relation(least(_Q0 + _Q, _Q0 + _F, _F0 + _Q, _F0 + _F), "=", 1),
    ),
    ("ACC:Sec5:grid", "printed"): claim(
        *FIVE,
        where=(ROOT, Where("N", _ALL), Where("x", -Term("ceil", (-(log(N) / log(2) / d),)))),
        conditions=(relation(N, ">=", 1),),
        says=(relation(N ** (-1 / d), "<=", r), relation(_TWO**-x, "<=", 2 * r)),
    ),
    ("ACC:Eq16", "printed"): claim(
        *_KERNEL,
        Range("eps", "budget", 0.01, 10),
        Range("delta", "budget", 1e-8, 0.1),
        Range("H", "size", 1, 30),
        where=(Where("x", eps / H), Where("y", delta / H)),
        says=relation(
            root(2 * c * log(2 / y)) / (n * x * h**d),
            "=",
            root(2 * c * log(2 * H / delta)) * H / (n * eps * h**d),
        ),
    ),
    ("ACC:Eq18", "printed"): claim(
        *_KERNEL,
        Range("t", "number", 0.05, 1),
        Range("g", "budget", 0.1, 10),
        # A kernel of height tc on a set of measure 1/(tc).
        where=(Where("x", t * c),),
        says=relation(
            Term("g") * h**d * (x**2 * (1 / x)) / 4 / (n * h ** (2 * d)),
            "<=",
            c * Term("g") / (3 * n * h**d),
        ),
    ),
    ("ACC:Eq19:maximum", "printed"): claim(
        Range("a1", "number", -3, 3),
        Range("a2", "number", -3, 3),
        Range("b1", "budget", 0.1, 10),
        Range("b2", "budget", 0.1, 10),
        Range("w", "number", 0, 1),
        says=relation((w * a1 + (1 - w) * a2) ** 2 / (w**2 * b1 + (1 - w) ** 2 * b2), "<=", _MOST),
    ),
    ("ACC:Alg1:one-source", "printed"): claim(
        Range("u", "budget", 1e-3, 1e3),
        Range("m", "size", 1, 1),
        says=(relation(u / u, "=", 1), relation(Fraction(9, 4) * (m + 1), "=", Fraction(9, 2))),
    ),
    ("ACC:Thm5.1:factor", "printed"): claim(
        *FIVE,
        Range("H", "size", 1, 30),
        Range("R", "budget", 1, 1e4),
        where=(
            ROOT,
            Where(
                "h", (term_of(n0, eps0 / H, h, K0) + m * term_of(n, eps / H, h, k)) / R, solves=True
            ),
        ),
        says=relation(h, "<=", r * most(R ** (1 / SMALLEST), H ** (2 / d))),
    ),
    ("ACC:Thm5.1:split", "printed"): claim(
        *FIVE,
        Range("H", "size", 1, 30),
        where=(
            ROOT,
            Where("x", term_of(n0, eps0 / H, x, K0) + m * term_of(n, eps / H, x, k), solves=True),
        ),
        # Beside what is printed, what is needed.
        says=relation(x, "<=", least(H ** (2 / d), H ** (1 / (beta * least(gamma, 1) + d))) * r),
    ),
    ("ACC:Sec6.1:smoothness", "printed"): claim(
        *(Range(name, "number", -0.5, 0.5) for name in ("x1", "x2", "y1", "y2")),
        where=(Where("z", _surface(x1, y1) - _surface(x2, y2)),),
        says=relation(
            most(z, -z),
            "<=",
            _TWO ** Fraction(11, 8) * root((x1 - x2) ** 2 + (y1 - y2) ** 2) ** Fraction(1, 4),
        ),
    ),
    ("ACC:Sec6.1:margin", "printed"): claim(
        Range("t", "budget", 0.01, 0.7),
        where=(Where("s", 4 * t**4),),
        # The area below s, and the integral of s/w from s to 1.
        says=relation(s + s * (log(1) - log(s)), "=", 4 * t**4 * (1 + log(1 / (4 * t**4)))),
    ),
    ("ACC:Sec6.1:signal", "printed"): claim(
        Range("a", "budget", 1e-4, 0.5),
        Range("gamma", "number", 0.2, 4),
        says=(
            relation(least(_TWO ** (gamma - 1), 1), "<=", least(a**gamma, _HALF) / a**gamma),
            relation(least(a**gamma, _HALF) / a**gamma, "<=", 1),
        ),
    ),
}
