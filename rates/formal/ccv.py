"""Formal claims of [CCV]: the equation for D, equal and unequal servers, and the noise."""

from __future__ import annotations

from fractions import Fraction

from rates.formal.acc_roots import noise
from rates.formal.claim import Claim, Range, Relation, Where, relation
from rates.formal.terms import Term, least, letters, log, most, root

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


def _at(text: str) -> dict[str, str] | None:
    return dict(one.split("=") for one in text.split()) if text else None


def _part(size: Term, budget: Term, D: Term) -> Term:
    return least(size**2 * budget**2, size * D)


def _alike(D: Term = D, g: Term = g, n: Term = n, m: Term = m, eps: Term = eps) -> Where:
    return Where(D.of, D ** (2 * g + 2) / (m * _part(n, eps, D)), solves=True)


def _two(D: Term = D, g: Term = g) -> Where:
    return Where(D.of, D ** (2 * g + 2) / (_part(n1, e1, D) + _part(n2, e2, D)), solves=True)


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


def _sides(*wheres: Where, says: tuple[Relation, ...], at: str = "", **how: object) -> Claim:
    return Claim(letters=ALIKE, where=wheres, says=says, at=_at(at), **how)  # type: ignore[arg-type]


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
            _alike(D),
            _alike(x, **grown),
            _alike(y, g=u),
            _alike(Term("z"), g=u, **grown),
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
        at=_at(at),
    )


def _grow(first: Term, second: Term, *conditions: Relation) -> Claim:
    """Compare two powers of t at two smoothnesses."""
    return Claim(
        letters=(SMOOTH, Range("u", "number", 0.55, 4), Range("t", "budget", 1, 100)),
        conditions=(relation(g, "<", u), *conditions),
        says=(relation(first, "<=", second),),
    )


Z, PI = Term("z"), Term("pi")
_BEST = (
    (1 + PI**2 * Term("2") ** (2 * g + 1))
    * (2 * g * PI**2) ** (-1 / (2 * g + 1))
    * (g / (2 * g + 1))
)
_FIRST, _SECOND = _part(n1, e1, D), _part(n2, e2, D)
_WEIGHTED = (_FIRST**2 * x + _SECOND**2 * y) / (_FIRST + _SECOND) ** 2


def _lower(x: Term) -> Term:
    """The lower bound of Section 4.1 at the level with 2^L = x."""
    return x**2 / (_part(n1, e1, x) + _part(n2, e2, x) + PI**2 * x ** (2 * g + 2))


CLAIMS: dict[tuple[str, str], Claim] = {
    ("CCV:Cor1:rate", "printed"): _sides(_alike(), says=(relation(D, "=", least(PRIVATE, FREE)),)),
    ("CCV:Eq4:rate", "printed"): _sides(
        _alike(),
        _RISK,
        says=(relation(x, "<=", least(A + B, 1)), relation(least(A + B, 1), "<=", 2 * x)),
    ),
    ("CCV:Eq4:boundary", "printed"): _sides(
        says=(relation(FREE, "<=", PRIVATE), relation(n * eps**2, ">=", FREE)), iff=True
    ),
    ("CCV:Eq7:rate", "printed"): _sides(
        Where("D", D ** (2 * g + 2) / (m * n * D), solves=True),
        says=(relation(D ** (-2 * g), "=", B),),
    ),
    ("CCV:Cor1:cost-factor", "printed"): _sides(
        _alike(), says=(relation((FREE / D) ** (2 * g), "=", COST),), conditions=(BINDS,)
    ),
    ("CCV:Sec1.2:spreading", "printed"): _sides(
        _alike(),
        _alike(x, n=n / 2, m=2 * m),
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
    ("ACC:Rem3.2:ccv", "printed"): _sides(
        Where("D", D ** (2 * g + 1) / (m * n), solves=True),
        Where("x", x ** (2 * g + 1) / (2 * m * (n / 2)), solves=True),
        says=(relation(x / D, "=", Term("2") ** (-1 / (2 * g + 2))),),
        at="nu=1 m=1 n=2 eps=1",
    ),
    ("ACC:Rem3.2:ccv", "reading"): _sides(
        Where("D", D ** (2 * g + 2) / (m * n**2 * eps**2), solves=True),
        Where("x", x ** (2 * g + 2) / (2 * m * (n / 2) ** 2 * eps**2), solves=True),
        says=(relation(x / D, "=", Term("2") ** (-1 / (2 * g + 2))),),
    ),
    ("CCV:Eq6:bracket", "printed"): Claim(
        letters=TWO,
        where=(
            _two(),
            Where("x", STAR),
            Where("y", least((n2**2 * e2**2) ** (1 / (2 * g + 2)), n2 ** (1 / (2 * g + 1)))),
        ),
        says=(
            relation(most(x, y), "<=", D),
            relation(D, "<=", Term("2") ** (1 / (2 * g + 1)) * most(x, y)),
        ),
    ),
    ("CCV:Eq6:transfer", "printed"): Claim(
        letters=TWO,
        where=(
            _two(),
            Where(
                "r",
                (least(n1, n1**2 * e1**2 * Term("r")) + least(n2, n2**2 * e2**2 * Term("r")))
                * Term("r") ** (2 * g + 1),
                solves=True,
            ),
        ),
        says=(relation(D, "=", 1 / Term("r")),),
    ),
    ("CCV:Eq8:meaning", "printed"): Claim(
        letters=TWO,
        where=(_two(),),
        says=(EIGHT, relation(most(n1 * e1**2, n2 * e2**2), "<=", D)),
        iff=True,
    ),
    ("CCV:Cor3:rate", "printed"): Claim(
        letters=TWO,
        where=(_two(),),
        conditions=(EIGHT,),
        says=(relation(D ** (-2 * g), "=", SUM ** (-2 * g / (2 * g + 2))),),
    ),
    ("CCV:Thm4.4:under-eight", "printed"): Claim(
        letters=TWO,
        where=(_two(),),
        conditions=(EIGHT,),
        says=(relation(least(D ** (-2 * g), 1), "=", least(SUM ** (-2 * g / (2 * g + 2)), 1)),),
    ),
    ("CCV:Cor3:delta", "printed"): Claim(
        letters=(*TWO, Range("kappa", "number", 0.05, 0.3)),
        conditions=(EIGHT,),
        says=(
            relation(
                (e2**2 / root(2)) ** (1 + kappa),
                "<=",
                (root(n2) * e2**2 / most(1, SUM ** (1 / (2 * g + 2)))) ** (1 + kappa),
            ),
        ),
        at=_at("n1=1000000 n2=1 eps1=1/100 eps2=1/100 nu=3/5 kappa=1/10"),
    ),
    ("CCV:Sec2.2:merging", "printed"): Claim(
        letters=TWO[:4],
        where=(
            Where("eps2", e1),
            _two(),
            Where("x", x ** (2 * g + 2) / _part(n1 + n2, e1, x), solves=True),
        ),
        says=(
            relation(x, ">=", D),
            relation(x, "<=", Term("2") ** (1 / (2 * g + 2)) * D),
        ),
    ),
    ("CCV:Sec2.2:contributions", "printed"): Claim(
        letters=TWO,
        conditions=(EIGHT,),
        says=(relation(least(n1**2 * e1**2, n2**2 * e2**2) / SUM, ">=", Fraction(1, 200)),),
        at=_at("n1=10000 n2=10 eps1=1/100 eps2=1/10000 nu=1"),
    ),
    ("CCV:Sec2.2:delta-pointwise", "printed"): Claim(
        letters=(*TWO[1:3], *_DELTAS),
        conditions=(relation(least(delta1, delta2), "<=", (n1 + n2) ** -2),),
        says=(relation(n1 * delta1 + n2 * delta2, "<=", 1),),
        at=_at("n1=1000 n2=1000 delta1=1/100000000 delta2=1/100"),
    ),
    ("CCV:Sec2.2:delta-pointwise", "reading"): Claim(
        letters=(*TWO[1:3], *_DELTAS),
        conditions=(relation(most(delta1, delta2), "<=", (n1 + n2) ** -2),),
        says=(relation(n1 * delta1 + n2 * delta2, "<=", 1 / (n1 + n2)),),
    ),
    ("CCV:Sec2.2:delta-integrated", "printed"): Claim(
        letters=(*TWO, Range("delta", "budget", 1e-12, 0.5)),
        where=(_two(),),
        conditions=(relation(delta, "<=", (n1 + n2) ** -2),),
        says=(relation(delta, "<=", root(n2) * e2**2 / most(D, 1)),),
        at=_at("n1=1000000 n2=1 eps1=1/100 eps2=1/1000000 delta=1/10000000000000 nu=3/5"),
    ),
    ("CCV:Eq9:middle", "printed"): Claim(
        letters=TWO,
        where=(_two(),),
        conditions=(NINE, relation(e1, ">", 1 / n1)),
        says=(relation(n2**2 * e2**2, "<=", D ** (2 * g + 2)),),
    ),
    ("CCV:Eq9:sufficient", "printed"): Claim(
        letters=TWO,
        where=(_two(),),
        conditions=(NINE, relation(e1, ">", 1 / n1)),
        says=(
            relation(STAR, "<=", D),
            relation(D, "<=", Term("2") ** (1 / (2 * g + 1)) * STAR),
        ),
    ),
    ("CCV:Cor4:pointwise", "printed"): Claim(
        letters=TWO,
        where=(_two(), _RISK),
        conditions=(NINE,),
        says=(
            relation(
                (n1**2 * e1**2) ** (-2 * g / (2 * g + 2)) + n1 ** (-2 * g / (2 * g + 1)),
                "<=",
                4 * x,
            ),
        ),
        at=_at("n1=1000 n2=10 eps1=1/10000 eps2=1/10000 nu=1"),
    ),
    ("CCV:Sec2:level", "printed"): _sides(
        Where("D", D ** (2 * g + 1) / n, solves=True),
        Where("L", Term("ceil", (log(D) / log(2),)) / (2 + 2 * g)),
        says=(relation(D, "<=", Term("2") ** L), relation(Term("2") ** L, "<=", 2 * D)),
        at="n=1000000 nu=2 m=1 eps=1",
    ),
    ("CCV:Sec2:level", "reading"): _sides(
        Where("D", D ** (2 * g + 1) / n, solves=True),
        Where("L", Term("ceil", (log(D) / log(2),))),
        says=(relation(D, "<=", Term("2") ** L), relation(Term("2") ** L, "<", 2 * D)),
    ),
    ("CCV:Sec2:free-level", "printed"): Claim(
        letters=(SMOOTH, Range("N", "size", 2, 1e9)),
        where=(Where("L", Term("ceil", (log(N) / log(2),)) / (1 + 2 * g)),),
        says=(relation(L, "=", Term("ceil", (L,))),),
        at=_at("N=1000 nu=1"),
    ),
    ("CCV:Sec3.2:noise", "printed"): noise(
        eps / root(4 * log(2 / delta)), at="eps=40 delta=1/100000"
    ),
    ("CCV:Sec3.2:noise-moderate", "printed"): noise(
        eps / root(4 * log(2 / delta)), relation(eps, "<=", 2 * log(8 / delta)), most=60.0
    ),
    ("CCV:Lem4.3:radius", "printed"): Claim(
        letters=(SMOOTH, Range("R", "budget", 0.1, 10), Range("L", "whole", 1, 9)),
        # Scores of a cosine prior on an interval of radius r have information pi^2 / r^2.
        where=(Where("x", Term("2") ** L * (R * Term("2") ** (-L * (g + Fraction(1, 2)))) ** -2),),
        says=(relation(x, "=", Term("2") ** (L * (2 * g + 2))),),
        at=_at("nu=1 R=4/5 L=1"),
    ),
    ("CCV:Lem4.3:radius", "reading"): Claim(
        letters=(SMOOTH, Range("R", "budget", 0.1, 10), Range("L", "whole", 1, 9)),
        where=(Where("x", Term("2") ** L * (R * Term("2") ** (-L * (g + Fraction(1, 2)))) ** -2),),
        says=(relation(x, "=", R**-2 * Term("2") ** (L * (2 * g + 2))),),
    ),
    ("CCV:Sec4.1:choice", "printed"): Claim(
        letters=(*TWO, Range("y", "budget", 1e-3, 10)),
        where=(
            _two(),
            Where("z", Term("2") ** Term("ceil", (log(D) / log(2),))),
            Where("x", y * D),
        ),
        conditions=(relation(D, ">=", 1),),
        says=(relation(_lower(x), "<=", _BEST * _lower(Z)),),
    ),
    ("CCV:Thm2.1:delta", "printed"): Claim(
        letters=(*ALIKE[1:], Range("D", "budget", 0.1, 1e3), Range("delta", "budget", 1e-12, 0.5)),
        where=(Where("x", root(n) * eps**2 / most(D, 1)),),
        conditions=(relation(x, "<", 1),),
        # Some kappa above 0 has delta at most x^(1 + kappa) if and only if delta is below x.
        says=(relation(log(delta) / log(x) - 1, ">", 0), relation(delta, "<", x)),
        iff=True,
    ),
    ("CCV:Lem4.2:consequence", "printed"): Claim(
        letters=(
            Range("n", "size", 1, 1e6),
            Range("delta", "budget", 1e-12, 0.3678),
            Range("D", "budget", 0.1, 1e3),
            Range("t", "budget", 1, 100),
        ),
        where=(
            Where("eps", root(t * delta * log(1 / delta) * most(D, 1) / root(n))),
            Where("y", delta * (2 * most(D, 1) * root(n) * log(1 / delta) + n)),
            Where("x", x / (n * eps * root(x) + y), solves=True),
        ),
        says=(relation(x, "<=", (7 + root(13)) / 2 * n**2 * eps**2),),
    ),
    ("CCV:Sec3.3:weights", "printed"): Claim(
        letters=TWO,
        where=(
            _two(),
            Where("x", D / n1 + D**2 / (n1**2 * e1**2)),
            Where("y", D / n2 + D**2 / (n2**2 * e2**2)),
        ),
        says=(
            relation(_WEIGHTED, ">=", D ** (-2 * g)),
            relation(_WEIGHTED, "<=", 2 * D ** (-2 * g)),
            relation(_WEIGHTED, "<=", Term("9/8") / (1 / x + 1 / y)),
        ),
    ),
}
for _name in ("CCV:Cor2:rate", "CCV:Cor2:cost-factor"):
    CLAIMS[_name, "printed"] = CLAIMS[_name.replace("Cor2", "Cor1"), "printed"]
CLAIMS["CCV:Eq5:rate", "printed"] = CLAIMS["CCV:Eq4:rate", "printed"]
CLAIMS["CCV:Sec2.1:smaller-p-budget", "printed"] = CLAIMS["CCV:Sec2.1:smoothness-budget", "printed"]
CLAIMS["CCV:Cor4:rate", "printed"] = CLAIMS["CCV:Eq9:sufficient", "printed"]
