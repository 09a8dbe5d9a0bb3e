"""Formal claims of [ACC] on equation (5): its root, its bounds, Corollary 3.3, and the noise."""

from __future__ import annotations

from fractions import Fraction

from rates.formal.acc_budgets import SHAPE, beta, d, eps, gamma, k, m, n, n0, relation
from rates.formal.claim import Claim, Range, Relation, Where, numbers
from rates.formal.terms import Term, exp, least, letters, log, most

eps0, r, n1, n2, h, delta, c, A, H, t, x = letters("eps0 r n1 n2 h delta c A H t x")
K0 = 2 * beta + d
SIZES = (Range("n", "size", 1, 1e4), Range("m", "size", 1, 1e3), Range("n0", "size", 1, 1e6))
BUDGETS = (Range("eps", "budget", 1e-6, 10), Range("eps0", "budget", 1e-6, 10))
FIVE = (*SHAPE, *SIZES, *BUDGETS)


def term_of(size: Term, budget: Term, r: Term, power: Term) -> Term:
    """One term of (5)."""
    return least(size, size**2 * budget**2 * r**d) * r**power


def equation(r: Term) -> Term:
    """The left side of (5), a target and m equal sources."""
    return term_of(n0, eps0, r, K0) + m * term_of(n, eps, r, k)


ROOT = Where("r", equation(r), solves=True)
AT = least(n0 ** (1 / K0), (n0**2 * eps0**2) ** (1 / (2 * beta + 2 * d)))
AS = least((m * n) ** (1 / k), (m * n**2 * eps**2) ** (1 / (k + d)))
LARGEST = 2 * beta * most(gamma, 1) + 2 * d
SMALLEST = 2 * beta * least(gamma, 1) + d
SAMPLING = (n0 + (m * n) ** (K0 / k)) ** (-1 / K0)
_EPS3 = (m ** (d / 2) * n ** (-beta * gamma)) ** (1 / k)
_EPS2 = n0 ** (-beta / K0)
_FREE = (
    relation(r, "<=", Term("2") ** (1 - 1 / LARGEST) * SAMPLING),
    relation(SAMPLING, "<=", Term("2") ** (1 - 1 / K0) * r),
)
_COMMON = Where("eps0", eps)
_ONE = (*SHAPE, SIZES[0], SIZES[1], BUDGETS[0])

PUBLIC = (
    *SHAPE,
    *(Range(f"n{j}", "size", 1, 1e6) for j in (0, 1, 2)),
    Range("eps", "budget", 1e-6, 1),
)
_THREE = term_of(n0, eps, r, K0) + n1 * r**k + term_of(n2, eps, r, k)
ROOT3 = Where("r", _THREE, solves=True)
_LARGE2 = relation(n2, ">", n0 ** (k / K0))
_ALONE = n1 ** (-1 / k)
_BELOW = Term("3") ** (1 / SMALLEST)
_A0 = least(n0 ** (1 / K0), (n0 * eps) ** (1 / (beta + d)))
_A2 = least(n2 ** (1 / k), (n2 * eps) ** (1 / (beta * gamma + d)))
_CASE2 = (relation(n0 ** (k / K0), "<=", n1), relation(n1, "<=", n2))
_CASE3 = (relation(n1, "<=", n0 ** (k / K0)), relation(n0 ** (k / K0), "<", n2))
LEAVE2 = n1 ** ((beta * gamma + d) / k) / n2
LEAVE = least(n1 ** ((beta + d) / k) / n0, LEAVE2)
_FREE2 = n2 ** (-beta * gamma / k)
_PRINTED2 = n2 ** (-(beta * gamma + d) / k)
_PRINTED3 = least(n0 ** (1 / K0), n2 ** (gamma / k)) ** -beta
STAR = Term("eps*")
_LEAVES = most((n0 * STAR) ** (1 / (beta + d)), (n2 * STAR) ** (1 / (beta * gamma + d))) / n1 ** (
    1 / k
)


def _near(value: Term) -> tuple[Relation, ...]:
    """The root is a value up to the factor 3^(1/k_min)."""
    return relation(r, "<=", _BELOW * value), relation(value, "<=", _BELOW * r)


def _budget(term: Term, formula: Term, *conditions: Relation, at: str = "") -> Claim:
    return Claim(
        letters=PUBLIC[:-1],
        where=(Where(STAR.of, term, solves=True),),
        conditions=conditions,
        says=(relation(STAR, "=", formula),),
        at=numbers(at),
    )


def spent(t: Term) -> Term:
    """The delta that Gaussian noise with this ratio of sensitivity to spread really has."""
    return Term("Phi", (t / 2 - eps / t,)) - exp(eps) * Term("Phi", (-t / 2 - eps / t,))


def noise(ratio: Term, *conditions: Relation, at: str = "", **fixed: float) -> Claim:
    """Say that noise of this ratio of sensitivity to spread keeps (eps, delta)."""
    return Claim(
        letters=(
            Range("eps", "budget", 0.05, fixed.get("most", 3.0)),
            Range("delta", "budget", 1e-6, 0.1),
        ),
        where=(Where("t", ratio),),
        conditions=conditions,
        says=(relation(spent(t), "<=", delta),),
        at=numbers(at),
    )


_SPREAD = "n0=10 n1=10 n2=100 gamma=1 beta=1/2 d=2"
_CASE3_AT = "n0=10 n1=1 n2=100 gamma=1 beta=1/2 d=2"
_SMALL = Fraction(1, 100)
_DELTAS = tuple(Range(name, "budget", 1e-12, 0.9) for name in ("delta", "delta0"))
_FACTOR = log(2 / delta) ** (1 / SMALLEST)

CLAIMS: dict[tuple[str, str], Claim] = {
    ("ACC:Thm3.1:algebra", "printed"): Claim(
        letters=FIVE,
        where=(ROOT,),
        says=(
            relation(1, "<=", r * (AT + AS)),
            relation(r * (AT + AS), "<=", Term("2") ** (1 - 1 / LARGEST)),
        ),
    ),
    ("ACC:Rem3.1", "printed"): Claim(
        letters=FIVE,
        where=(Where("r", term_of(n0, eps0, r, K0), solves=True),),
        says=(relation(r, "=", 1 / AT),),
    ),
    ("ACC:Rem3.2:condition", "printed"): Claim(
        letters=FIVE,
        where=(ROOT,),
        conditions=(relation(eps, ">=", _EPS3),),
        says=_FREE,
        at=numbers("n=1 m=1 n0=10000 eps=2 eps0=1/10000 gamma=1 beta=1/2 d=2"),
    ),
    ("ACC:Rem3.2:condition", "reading"): Claim(
        letters=FIVE,
        where=(ROOT,),
        conditions=(relation(eps, ">=", _EPS3), relation(eps0, ">=", _EPS2)),
        says=_FREE,
    ),
    ("ACC:Rem3.2:common-budget", "printed"): Claim(
        letters=FIVE[:-1],
        where=(_COMMON, ROOT),
        conditions=(relation(eps, ">", _EPS3),),
        says=_FREE,
        at=numbers("n=1000000 m=10 n0=1000 eps=1/500 gamma=8 beta=1 d=1"),
    ),
    ("ACC:Rem3.2:common-budget", "reading"): Claim(
        letters=FIVE[:-1],
        where=(_COMMON, ROOT),
        conditions=(relation(eps, ">=", most(_EPS2, _EPS3)),),
        says=_FREE,
    ),
    ("ACC:Rem3.2:source-rate", "printed"): Claim(
        letters=_ONE,
        where=(Where("r", m * n * r**k, solves=True),),
        says=(relation(r, "=", (m * n) ** (-1 / (k + d))),),
        at=numbers("n=10 m=1 gamma=1 beta=1/2 d=2"),
    ),
    ("ACC:Rem3.2:source-rate", "reading"): Claim(
        letters=_ONE,
        where=(Where("r", m * n * r**k, solves=True),),
        says=(relation(r, "=", (m * n) ** (-1 / k)),),
    ),
    ("ACC:Rem3.2:private-rate", "printed"): Claim(
        letters=_ONE,
        where=(Where("r", m * n**2 * eps**2 * r ** (k + d), solves=True),),
        says=(relation(r, "=", m ** (1 / (k + d)) * (m * n * eps) ** (-1 / (beta * gamma + d))),),
    ),
    ("ACC:Rem3.2:spreading", "printed"): Claim(
        letters=_ONE,
        where=(
            Where("r", m * n**2 * eps**2 * r ** (k + d), solves=True),
            Where("x", (2 * m) * (n / 2) ** 2 * eps**2 * x ** (k + d), solves=True),
        ),
        says=(relation(x / r, "=", Term("2") ** (1 / (k + d))),),
    ),
    ("ACC:Eq4", "printed"): Claim(
        letters=FIVE[:-1],
        where=(_COMMON, ROOT),
        says=(
            relation(1 / most(AT, AS), "<=", 2 * r),
            relation(r, "<=", Term("2") ** (1 - 1 / LARGEST) / most(AT, AS)),
        ),
    ),
    ("ACC:Eq5:unique", "printed"): Claim(
        letters=(*FIVE, Range("r", "budget", 1e-3, 1), Range("c", "budget", 1, 100)),
        says=(relation(equation(c * r), ">=", c**SMALLEST * equation(r)),),
    ),
    ("ACC:Eq5:solo", "printed"): Claim(
        letters=(*_ONE, Range("A", "budget", 0.01, 100)),
        where=(Where("r", term_of(n, eps, r, k) / A, solves=True),),
        says=(relation(r, "=", most((A / n) ** (1 / k), (A / (n**2 * eps**2)) ** (1 / (k + d)))),),
    ),
    ("ACC:Eq5:bracket", "printed"): Claim(
        letters=tuple(one for one in FIVE if one.letter != "m"),
        where=(Where("m", Term("1")), ROOT),
        says=(
            relation(r, "<=", least(1 / AT, 1 / AS)),
            relation(Term("2") ** (-1 / SMALLEST) * least(1 / AT, 1 / AS), "<=", r),
        ),
    ),
    ("ACC:Eq5:status", "printed"): Claim(
        letters=FIVE,
        where=(ROOT,),
        says=(
            relation(n**2 * eps**2 * r**d, "<=", n),
            relation(eps, "<=", (r**d * n) ** Fraction(-1, 2)),
        ),
        iff=True,
    ),
    ("ACC:Eq5:precision", "printed"): Claim(
        letters=(*_ONE, Range("r", "budget", 1e-4, 1)),
        where=(Where("x", 1 / (1 / (n * r**d) + 1 / (n**2 * eps**2 * r ** (2 * d)))),),
        says=(
            relation(x, "<=", least(n, n**2 * eps**2 * r**d) * r**d),
            relation(least(n, n**2 * eps**2 * r**d) * r**d, "<=", 2 * x),
        ),
    ),
    ("ACC:Eq11:log-factor", "printed"): Claim(
        letters=(*FIVE, Range("delta", "budget", 1e-12, 0.7)),
        where=(ROOT, Where("h", equation(h) / log(2 / delta), solves=True)),
        says=(relation(1, "<=", h / r), relation(h / r, "<=", _FACTOR)),
    ),
    ("ACC:Sec5:least-root", "printed"): Claim(
        letters=FIVE,
        where=(Where("x", least(n0, n0**2 * eps0**2) + m * least(n, n**2 * eps**2)), ROOT),
        conditions=(relation(x, ">=", 1),),
        says=(relation(r, ">=", x ** (-1 / d)),),
    ),
    ("ACC:Thm5.1:split-sharp", "printed"): Claim(
        letters=(*FIVE, Range("H", "size", 1, 30)),
        where=(
            ROOT,
            Where("x", term_of(n0, eps0 / H, x, K0) + m * term_of(n, eps / H, x, k), solves=True),
        ),
        says=(
            relation(r, "<=", x),
            relation(x, "<=", H ** (1 / (beta * least(gamma, 1) + d)) * r),
        ),
    ),
    ("ACC:Rem3.3", "printed"): Claim(
        letters=FIVE[:-2] + FIVE[-1:],
        where=(Where("r", term_of(n0, eps0, r, K0) + m * n * r**k, solves=True),),
        says=(relation(r, "<=", (m + 1) * (n0 + m * n ** (K0 / k)) ** (-1 / K0)),),
        at=numbers("n=1 m=3 n0=1000000 eps0=1/1000000 gamma=1 beta=1/2 d=2"),
    ),
    ("ACC:Cor3.3:case-1", "printed"): Claim(
        letters=PUBLIC,
        where=(ROOT3,),
        conditions=(_LARGE2, relation(n1, ">", n2)),
        says=(relation(r, "<=", _ALONE), relation(_ALONE, "<=", _BELOW * r)),
    ),
    ("ACC:Cor3.3:case-2", "printed"): Claim(
        letters=PUBLIC,
        where=(ROOT3,),
        conditions=(*_CASE2, relation(eps, ">", _PRINTED2)),
        says=_near(n2 ** (-1 / k)),
        at=numbers("n0=1 n1=1 n2=1000000000 eps=1/1000000 gamma=1 beta=1/2 d=2"),
    ),
    ("ACC:Cor3.3:case-2", "reading"): Claim(
        letters=PUBLIC,
        where=(ROOT3,),
        conditions=(*_CASE2, relation(eps, ">", _FREE2)),
        says=_near(n2 ** (-1 / k)),
    ),
    ("ACC:Cor3.3:case-2:leave", "printed"): _budget(
        _ALONE / (n2 * STAR) ** (-1 / (beta * gamma + d)), LEAVE2, *_CASE2
    ),
    ("ACC:Cor3.3:case-2:free", "printed"): _budget(
        n2 ** (-1 / k) / (n2 * STAR) ** (-1 / (beta * gamma + d)), _PRINTED2, at=_SPREAD
    ),
    ("ACC:Cor3.3:case-2:free", "reading"): _budget(
        n2 ** (-1 / k) / (n2 * STAR) ** (-1 / (beta * gamma + d)), _FREE2
    ),
    ("ACC:Cor3.3:case-3", "printed"): Claim(
        letters=PUBLIC,
        where=(ROOT3,),
        conditions=(*_CASE3, relation(eps, "<=", _PRINTED3)),
        says=_near(_ALONE),
        at=numbers("n0=1000000 n1=1 n2=10000000 eps=9/100 gamma=1 beta=1/2 d=2"),
    ),
    ("ACC:Cor3.3:case-3", "reading"): Claim(
        letters=PUBLIC,
        where=(ROOT3,),
        conditions=(*_CASE3, relation(eps, "<=", LEAVE)),
        says=_near(_ALONE),
    ),
    ("ACC:Cor3.3:case-3:threshold", "printed"): _budget(_LEAVES, _PRINTED3, *_CASE3, at=_CASE3_AT),
    ("ACC:Cor3.3:case-3:threshold", "reading"): _budget(_LEAVES, LEAVE, *_CASE3),
    ("ACC:Cor3.3:all-cases", "printed"): Claim(
        letters=PUBLIC,
        where=(ROOT3, Where("x", _A0 + n1 ** (1 / k) + _A2)),
        says=(
            relation(1, "<=", r * x),
            relation(r * x, "<=", Term("3") ** (1 - 1 / LARGEST)),
        ),
    ),
    ("ACC:Thm3.1:delta", "printed"): Claim(
        letters=(*SIZES, *_DELTAS),
        # Small stands for a hundredth.
        conditions=(relation(n * m * delta, "<=", _SMALL),),
        says=(relation(n0 * Term("delta0"), "<=", _SMALL),),
        at=numbers("n=10 m=1 n0=10 delta=1/2000 delta0=1/2"),
    ),
    ("ACC:Cor3.3:delta", "printed"): Claim(
        letters=(*PUBLIC[:-1], _DELTAS[0]),
        conditions=(_LARGE2, relation(n2 * delta, "<=", _SMALL)),
        says=(relation(n0 * delta, "<=", _SMALL),),
        at=numbers("n0=10000 n1=1 n2=1000 delta=1/200000 gamma=1/2 beta=1 d=1"),
    ),
    ("ACC:Alg2:threshold", "printed"): Claim(
        letters=(Range("m", "size", 1, 100), Range("n", "size", 1, 1e6), Range("H", "size", 1, 30)),
        says=(relation(log(n * H * (m + 1)), "=", log(2 * n * H)),),
        at=numbers("m=2 n=1 H=1"),
    ),
    ("ACC:Prop4.1", "printed"): noise(
        eps / (2 * log(2 / delta)) ** Fraction(1, 2), at="eps=10 delta=1/100000"
    ),
    ("ACC:Prop4.1:small-budgets", "printed"): noise(
        eps / (2 * log(2 / delta)) ** Fraction(1, 2),
        relation(eps, "<=", 4 * log(2)),
        most=20.0,
    ),
}
for _same in ("ACC:Thm4.3:algebra",):
    CLAIMS[_same, "printed"] = CLAIMS["ACC:Eq11:log-factor", "printed"]
CLAIMS["ACC:Eq3", "printed"] = CLAIMS["ACC:Eq4", "printed"]
