"""Formal claims of [CCV]: the equation for D, equal and unequal servers, and the noise."""

from __future__ import annotations

from fractions import Fraction

from rates.formal.claim import Claim, Range, Relation, Where, numbers, relation
from rates.formal.terms import Term, least, letters, most

g, m, n, eps, D, N, t, p, q, x, y = letters("nu m n eps D N t p q x y")
n1, n2, e1, e2, u, kappa, R, L, c0 = letters("n1 n2 eps1 eps2 u kappa R L c0")
alpha, delta, delta1, delta2 = letters("alpha delta delta1 delta2")
SMOOTH = Range("nu", "number", 0.55, 4)
ALIKE = (
    SMOOTH,
    Range("m", "size", 1, 1e3),
    Range("n", "size", 1, 1e5),
    Range("eps", "budget", 1e-5, 10),
)
TWO = (
    SMOOTH,
    Range("n1", "size", 1, 1e6),
    Range("n2", "size", 1, 1e6),
    Range("eps1", "budget", 1e-5, 1),
    Range("eps2", "budget", 1e-5, 1),
)


def part(size: Term, budget: Term, D: Term) -> Term:
    """One term of (6)."""
    return least(size**2 * budget**2, size * D)


def alike(D: Term = D, g: Term = g, n: Term = n, m: Term = m, eps: Term = eps) -> Where:
    """D of m equal servers."""
    return Where(D.of, D ** (2 * g + 2) / (m * part(n, eps, D)), solves=True)


def two(D: Term = D, g: Term = g) -> Where:
    """D of two servers."""
    return Where(D.of, D ** (2 * g + 2) / (part(n1, e1, D) + part(n2, e2, D)), solves=True)


PRIVATE = (m * n**2 * eps**2) ** (1 / (2 * g + 2))
FREE = (m * n) ** (1 / (2 * g + 1))
BINDS = relation(n * eps**2, "<=", FREE)
COST = (m ** (1 / (2 * g + 1)) * n ** (-2 * g / (2 * g + 1)) * eps**-2) ** (2 * g / (2 * g + 2))
A = (m * n**2 * eps**2) ** (-2 * g / (2 * g + 2))
B = (m * n) ** (-2 * g / (2 * g + 1))
SUM = n1**2 * e1**2 + n2**2 * e2**2
EIGHT = relation(SUM ** (1 / (2 * g + 2)), ">=", most(n1 * e1**2, n2 * e2**2))
STAR = least((n1**2 * e1**2) ** (1 / (2 * g + 2)), n1 ** (1 / (2 * g + 1)))
NINE = relation(
    least(
        n1**2 * e1**2,
        n1 ** ((2 * g + 4) / (2 * g + 2)) * e1 ** (2 / (2 * g + 2)),
        n1 ** ((2 * g + 2) / (2 * g + 1)),
    ),
    ">=",
    n2**2 * e2**2,
)
_RISK = Where("x", least(D ** (-2 * g), 1))
_COUNT = Range("t", "size", 2, 50)
_PS = (Range("alpha", "number", 1.2, 4), Range("p", "number", 2, 4), Range("q", "number", 2, 20))
_NU, _NUQ = Where("nu", alpha - 1 / p), Where("u", alpha - 1 / q)
_DELTAS = tuple(Range(name, "budget", 1e-12, 0.5) for name in ("delta1", "delta2"))


def sides(*wheres: Where, says: tuple[Relation, ...], at: str = "", **how: object) -> Claim:
    """A claim about m equal servers."""
    return Claim(letters=ALIKE, where=wheres, says=says, at=numbers(at), **how)  # type: ignore[arg-type]


def _spreading(sign: str, at: str = "") -> Claim:
    """Compare what spreading costs at two p, private throughout."""
    grown = {"n": N / (m * t), "m": m * t}
    return Claim(
        letters=(
            *_PS,
            _COUNT,
            Range("N", "budget", 1e5, 1e9),
            Range("m", "size", 1, 100),
            Range("eps", "budget", 1e-5, 1e-3),
        ),
        where=(
            _NU,
            _NUQ,
            Where("n", N / m),
            alike(D),
            alike(x, **grown),
            alike(y, g=u),
            alike(Term("z"), g=u, **grown),
        ),
        conditions=(
            relation(p + Fraction(1, 2), "<", q),
            relation(n * eps**2, "<=", D),
            relation(n * eps**2, "<=", y),
        ),
        says=(
            relation((D / x) ** (2 * g), sign, (y / Term("z")) ** (2 * u)),  # type: ignore[arg-type]
            relation((D / x) ** (2 * g), "=", t ** (g / (g + 1))),
        ),
        at=numbers(at),
    )


def _grow(first: Term, second: Term, *conditions: Relation) -> Claim:
    """Compare two powers of t at two smoothnesses."""
    return Claim(
        letters=(SMOOTH, Range("u", "number", 0.55, 4), Range("t", "budget", 1, 100)),
        conditions=(relation(g, "<", u), *conditions),
        says=(relation(first, "<=", second),),
    )


CLAIMS: dict[tuple[str, str], Claim] = {
    ("CCV:Cor1:rate", "printed"): sides(alike(), says=(relation(D, "=", least(PRIVATE, FREE)),)),
    ("CCV:Eq4:rate", "printed"): sides(
        alike(),
        _RISK,
        says=(relation(x, "<=", least(A + B, 1)), relation(least(A + B, 1), "<=", 2 * x)),
    ),
    ("CCV:Eq4:boundary", "printed"): sides(
        says=(relation(FREE, "<=", PRIVATE), relation(n * eps**2, ">=", FREE)), iff=True
    ),
    ("CCV:Eq7:rate", "printed"): sides(
        Where("D", D ** (2 * g + 2) / (m * n * D), solves=True),
        says=(relation(D ** (-2 * g), "=", B),),
    ),
    ("CCV:Cor1:cost-factor", "printed"): sides(
        alike(), says=(relation((FREE / D) ** (2 * g), "=", COST),), conditions=(BINDS,)
    ),
    ("CCV:Sec1.2:spreading", "printed"): sides(
        alike(),
        alike(x, n=n / 2, m=2 * m),
        says=(relation(x, "<=", D), relation(D, "<=", Term("2") ** (1 / (2 * g + 2)) * x)),
    ),
    ("CCV:Sec2.1:smoothness-budget", "printed"): _grow(
        t ** (2 * g / (g + 1)), t ** (2 * u / (u + 1))
    ),
    ("CCV:Sec2.1:smoothness-spread", "printed"): _grow(t ** (g / (g + 1)), t ** (u / (u + 1))),
    ("CCV:Sec2.1:larger-budget", "printed"): Claim(
        letters=(*ALIKE[1:3], SMOOTH, Range("u", "number", 0.55, 4)),
        conditions=(relation(g, "<", u),),
        says=(
            relation(
                n ** Fraction(-1, 2) * (m * n) ** (1 / (2 * (2 * g + 1))),
                ">=",
                n ** Fraction(-1, 2) * (m * n) ** (1 / (2 * (2 * u + 1))),
            ),
        ),
    ),
    ("CCV:Sec2.1:smaller-p", "printed"): _spreading(
        ">", "N=100000000 m=10 eps=1/1000 t=10 alpha=2 p=2 q=4"
    ),
    ("CCV:Sec2.1:smaller-p", "reading"): _spreading("<"),
    ("ACC:Rem3.2:ccv", "printed"): sides(
        Where("D", D ** (2 * g + 1) / (m * n), solves=True),
        Where("x", x ** (2 * g + 1) / (2 * m * (n / 2)), solves=True),
        says=(relation(x / D, "=", Term("2") ** (-1 / (2 * g + 2))),),
        at="nu=1 m=1 n=2 eps=1",
    ),
    ("ACC:Rem3.2:ccv", "reading"): sides(
        Where("D", D ** (2 * g + 2) / (m * n**2 * eps**2), solves=True),
        Where("x", x ** (2 * g + 2) / (2 * m * (n / 2) ** 2 * eps**2), solves=True),
        says=(relation(x / D, "=", Term("2") ** (-1 / (2 * g + 2))),),
    ),
}
for _name in ("CCV:Cor2:rate", "CCV:Cor2:cost-factor"):
    CLAIMS[_name, "printed"] = CLAIMS[_name.replace("Cor2", "Cor1"), "printed"]
CLAIMS["CCV:Eq5:rate", "printed"] = CLAIMS["CCV:Eq4:rate", "printed"]
CLAIMS["CCV:Sec2.1:smaller-p-budget", "printed"] = CLAIMS["CCV:Sec2.1:smoothness-budget", "printed"]
