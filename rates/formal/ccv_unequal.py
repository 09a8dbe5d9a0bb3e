"""Formal claims of [CCV] on unequal servers, levels, noise and lower bounds."""

from __future__ import annotations

from fractions import Fraction

from rates.formal.acc_roots import noise
from rates.formal.ccv import (
    _DELTAS,
    _NU,
    _NUQ,
    _PS,
    _RISK,
    ALIKE,
    EIGHT,
    NINE,
    SMOOTH,
    STAR,
    SUM,
    TWO,
    D,
    L,
    N,
    R,
    c0,
    delta,
    delta1,
    delta2,
    e1,
    e2,
    eps,
    g,
    kappa,
    n,
    n1,
    n2,
    p,
    part,
    q,
    sides,
    t,
    two,
    u,
    x,
    y,
)
from rates.formal.claim import Claim, Range, Where, numbers, relation
from rates.formal.terms import Term, least, log, most, root

Z, PI = Term("z"), Term("pi")
_BEST = (
    (1 + PI**2 * Term("2") ** (2 * g + 1))
    * (2 * g * PI**2) ** (-1 / (2 * g + 1))
    * (g / (2 * g + 1))
)
_FIRST, _SECOND = part(n1, e1, D), part(n2, e2, D)
_WEIGHTED = (_FIRST**2 * x + _SECOND**2 * y) / (_FIRST + _SECOND) ** 2


def _lower(x: Term) -> Term:
    """The lower bound of Section 4.1 at the level with 2^L = x."""
    return x**2 / (part(n1, e1, x) + part(n2, e2, x) + PI**2 * x ** (2 * g + 2))


def _halves(sign: str, at: str = "") -> Claim:
    """Compare, at two p, what splitting every server in two costs where (8) holds."""
    before, after = SUM, 2 * ((n1 / 2) ** 2 * e1**2) + 2 * ((n2 / 2) ** 2 * e2**2)
    costs = [(before / after) ** (2 * s / (2 * s + 2)) for s in (g, u)]
    return Claim(
        letters=(*_PS, *TWO[1:]),
        where=(_NU, _NUQ),
        conditions=(relation(p + Fraction(1, 2), "<", q),),
        says=(
            relation(costs[0], sign, costs[1]),  # type: ignore[arg-type]
            relation(costs[0], "=", Term("2") ** (g / (g + 1))),
        ),
        at=numbers(at),
    )


def _laplace(variance: Term, at: str = "") -> Claim:
    """Laplace noise of this variance has the scale x / eps that sensitivity x asks for."""
    return Claim(
        letters=(Range("x", "budget", 0.01, 100), Range("eps", "budget", 1e-3, 10)),
        says=(relation((variance / 2) ** Fraction(1, 2), "=", x / eps),),
        at=numbers(at),
    )


def _sums(left: Term, right: Term, at: str = "") -> Claim:
    """The sums of Section 4.2 for one server: x and y are 1 over its gamma and its beta."""
    return Claim(
        letters=(SMOOTH, *ALIKE[2:], Range("D", "budget", 1, 1e3), Range("c0", "budget", 1e-6, 1)),
        where=(Where("x", c0 * D ** (-g)), Where("y", c0 ** (1 / g) / D)),
        says=(relation(left, "=", right),),
        at=numbers(at),
    )


CLAIMS: dict[tuple[str, str], Claim] = {
    ("CCV:Eq6:bracket", "printed"): Claim(
        letters=TWO,
        where=(
            two(),
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
            two(),
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
        where=(two(),),
        says=(EIGHT, relation(most(n1 * e1**2, n2 * e2**2), "<=", D)),
        iff=True,
    ),
    ("CCV:Cor3:rate", "printed"): Claim(
        letters=TWO,
        where=(two(),),
        conditions=(EIGHT,),
        says=(relation(D ** (-2 * g), "=", SUM ** (-2 * g / (2 * g + 2))),),
    ),
    ("CCV:Thm4.4:under-eight", "printed"): Claim(
        letters=TWO,
        where=(two(),),
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
        at=numbers("n1=1000000 n2=1 eps1=1/100 eps2=1/100 nu=3/5 kappa=1/10"),
    ),
    ("CCV:Sec2.2:merging", "printed"): Claim(
        letters=TWO[:4],
        where=(
            Where("eps2", e1),
            two(),
            Where("x", x ** (2 * g + 2) / part(n1 + n2, e1, x), solves=True),
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
        at=numbers("n1=10000 n2=10 eps1=1/100 eps2=1/10000 nu=1"),
    ),
    ("CCV:Sec2.2:delta-pointwise", "printed"): Claim(
        letters=(*TWO[1:3], *_DELTAS),
        conditions=(relation(least(delta1, delta2), "<=", (n1 + n2) ** -2),),
        says=(relation(n1 * delta1 + n2 * delta2, "<=", 1),),
        at=numbers("n1=1000 n2=1000 delta1=1/100000000 delta2=1/100"),
    ),
    ("CCV:Sec2.2:delta-pointwise", "reading"): Claim(
        letters=(*TWO[1:3], *_DELTAS),
        conditions=(relation(most(delta1, delta2), "<=", (n1 + n2) ** -2),),
        says=(relation(n1 * delta1 + n2 * delta2, "<=", 1 / (n1 + n2)),),
    ),
    ("CCV:Sec2.2:delta-integrated", "printed"): Claim(
        letters=(*TWO, Range("delta", "budget", 1e-12, 0.5)),
        where=(two(),),
        conditions=(relation(delta, "<=", (n1 + n2) ** -2),),
        says=(relation(delta, "<=", root(n2) * e2**2 / most(D, 1)),),
        at=numbers("n1=1000000 n2=1 eps1=1/100 eps2=1/1000000 delta=1/10000000000000 nu=3/5"),
    ),
    ("CCV:Eq9:middle", "printed"): Claim(
        letters=TWO,
        where=(two(),),
        conditions=(NINE, relation(e1, ">", 1 / n1)),
        says=(relation(n2**2 * e2**2, "<=", D ** (2 * g + 2)),),
    ),
    ("CCV:Eq9:sufficient", "printed"): Claim(
        letters=TWO,
        where=(two(),),
        conditions=(NINE, relation(e1, ">", 1 / n1)),
        says=(
            relation(STAR, "<=", D),
            relation(D, "<=", Term("2") ** (1 / (2 * g + 1)) * STAR),
        ),
    ),
    ("CCV:Cor4:negligible", "printed"): Claim(
        letters=TWO,
        where=(two(),),
        conditions=(NINE, relation(e1, ">", 1 / n1), relation(n1, ">=", 1_000_000)),
        says=(relation(D, "<=", Fraction(101, 100) * STAR),),
        at=numbers("n1=1000000 n2=900000 eps1=1/1000 eps2=9/10000 nu=1"),
    ),
    ("CCV:Cor4:negligible", "reading"): Claim(
        letters=TWO,
        where=(two(), Where("t", NINE.left / (n2**2 * e2**2))),
        conditions=(NINE, relation(e1, ">", 1 / n1)),
        says=(
            relation(STAR, "<=", D),
            relation(D, "<=", (1 + 1 / t) ** (1 / (2 * g + 1)) * STAR),
        ),
    ),
    ("CCV:Cor4:pointwise", "printed"): Claim(
        letters=TWO,
        where=(two(), _RISK),
        conditions=(NINE,),
        says=(
            relation(
                (n1**2 * e1**2) ** (-2 * g / (2 * g + 2)) + n1 ** (-2 * g / (2 * g + 1)),
                "<=",
                4 * x,
            ),
        ),
        at=numbers("n1=1000 n2=10 eps1=1/10000 eps2=1/10000 nu=1"),
    ),
    ("CCV:Sec2:level", "printed"): sides(
        Where("D", D ** (2 * g + 1) / n, solves=True),
        Where("L", Term("ceil", (log(D) / log(2),)) / (2 + 2 * g)),
        says=(relation(D, "<=", Term("2") ** L), relation(Term("2") ** L, "<=", 2 * D)),
        at="n=1000000 nu=2 m=1 eps=1",
    ),
    ("CCV:Sec2:level", "reading"): sides(
        Where("D", D ** (2 * g + 1) / n, solves=True),
        Where("L", Term("ceil", (log(D) / log(2),))),
        says=(relation(D, "<=", Term("2") ** L), relation(Term("2") ** L, "<", 2 * D)),
    ),
    ("CCV:Sec2:free-level", "printed"): Claim(
        letters=(SMOOTH, Range("N", "size", 2, 1e9)),
        where=(Where("L", Term("ceil", (log(N) / log(2),)) / (1 + 2 * g)),),
        says=(relation(L, "=", Term("ceil", (L,))),),
        at=numbers("N=1000 nu=1"),
    ),
    ("CCV:Sec3.2:noise", "printed"): noise(
        eps / root(4 * log(2 / delta)), at="eps=40 delta=1/100000"
    ),
    ("CCV:Sec3.2:noise-moderate", "printed"): noise(
        eps / root(4 * log(2 / delta)), relation(eps, "<=", 2 * log(8 / delta)), most=60.0
    ),
    ("CCV:Sec2.2:smaller-p", "printed"): _halves(
        ">", "n1=10000 n2=10000 eps1=1/1000 eps2=1/1000 alpha=2 p=2 q=10"
    ),
    ("CCV:Sec2.2:smaller-p", "reading"): _halves("<"),
    ("CCV:Sec3.3:laplace", "printed"): _laplace(x / eps, "x=1 eps=3/5"),
    ("CCV:Sec3.3:laplace", "reading"): _laplace(2 * (x / eps) ** 2),
    ("CCV:Sec4.2:private-sum", "printed"): _sums(
        x**2 * y**2 * n**2 * eps**2,
        c0 ** (2 + 2 / g) * D ** (-2 - 2 * g) * n**2 * eps**2,
    ),
    ("CCV:Sec4.2:sampling-sum", "printed"): _sums(
        x**2 * y * n,
        c0 ** (1 + 2 / g) * D ** (-2 - 2 * g) * n * D,
        "nu=3/4 n=1000 eps=10 D=16 c0=1/10",
    ),
    ("CCV:Sec4.2:sampling-sum", "reading"): _sums(
        x**2 * y * n, c0 ** (2 + 1 / g) * D ** (-2 - 2 * g) * n * D
    ),
    ("CCV:Lem4.3:radius", "printed"): Claim(
        letters=(SMOOTH, Range("R", "budget", 0.1, 10), Range("L", "whole", 1, 9)),
        # Scores of a cosine prior on an interval of radius r have information pi^2 / r^2.
        where=(Where("x", Term("2") ** L * (R * Term("2") ** (-L * (g + Fraction(1, 2)))) ** -2),),
        says=(relation(x, "=", Term("2") ** (L * (2 * g + 2))),),
        at=numbers("nu=1 R=4/5 L=1"),
    ),
    ("CCV:Lem4.3:radius", "reading"): Claim(
        letters=(SMOOTH, Range("R", "budget", 0.1, 10), Range("L", "whole", 1, 9)),
        where=(Where("x", Term("2") ** L * (R * Term("2") ** (-L * (g + Fraction(1, 2)))) ** -2),),
        says=(relation(x, "=", R**-2 * Term("2") ** (L * (2 * g + 2))),),
    ),
    ("CCV:Sec4.1:choice", "printed"): Claim(
        letters=(*TWO, Range("y", "budget", 1e-3, 10)),
        where=(
            two(),
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
            two(),
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
CLAIMS["CCV:Cor4:rate", "printed"] = CLAIMS["CCV:Eq9:sufficient", "printed"]
