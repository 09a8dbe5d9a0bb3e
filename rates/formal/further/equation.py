"""Further formal claims of [ACC] on equation (5): its root, its inverse, and the best weights."""

from __future__ import annotations

from fractions import Fraction

from rates.formal.acc_budgets import (
    BETWEEN,
    EPS1,
    LETTERS,
    NPS,
    NPT,
    PS,
    PT,
    SHAPE,
    beta,
    d,
    eps,
    gamma,
    k,
    n,
    n0,
)
from rates.formal.acc_budgets import CLAIMS as BUDGETS
from rates.formal.acc_roots import FIVE, K0, ROOT, SMALLEST, H, eps0, equation, r, spent, term_of
from rates.formal.claim import Claim, Range, Relation, Where, claim, relation
from rates.formal.terms import Term, exp, least, letters, log, most, root

a1, a2, alpha, b1, b2, c1, c2, delta, h, m, s, t, u, x, y0, y1 = letters(
    "a1 a2 alpha b1 b2 c1 c2 delta h m s t u x y0 y1"
)
z1, z2, z3 = letters("z1 z2 z3")
# A target and a source by what they contribute: s of the whole, and the part of each elbow.
_SHARES = (
    *SHAPE,
    Range("r", "budget", 0.01, 1),
    Range("s", "number", 0.01, 0.99),
    Range("y0", "budget", 0.01, 100),
    Range("y1", "budget", 0.01, 100),
)
_MADE = (
    Where("n0", s * r**-K0 / least(1, y0)),
    Where("n", (1 - s) * r**-k / least(1, y1)),
    Where("eps0", root(y0 / (n0 * r**d))),
    Where("eps", root(y1 / (n * r**d))),
)
_ONE = (*SHAPE, Range("r", "budget", 0.01, 1), Range("s", "number", 0, 0.99))
_NEED = (1 - s) * r**-k
_ALONE = most(n0 ** (-1 / K0), (n0**2 * eps0**2) ** (-1 / (2 * beta + 2 * d)))
_TWO = (
    *SHAPE,
    Range("h", "budget", 0.01, 1),
    Range("n0", "size", 1, 1e6),
    Range("n", "size", 1, 1e6),
    Range("eps0", "budget", 1e-5, 10),
    Range("eps", "budget", 1e-5, 10),
)
_SIGNAL0, _SIGNAL = h**beta, h ** (beta * gamma)
_V0, _V = (least(size, size**2 * budget**2 * h**d) for size, budget in ((n0, eps0), (n, eps)))


def _ratio(w0: Term, w1: Term) -> Term:
    """The squared ratio of signal to noise with these weights."""
    signal = (w0 * _SIGNAL0 + w1 * _SIGNAL) ** 2
    return signal / (w0**2 / (_V0 * h**d) + w1**2 / (_V * h**d))


def _first(gammas: tuple[float, float], top: float, *which: Relation) -> Claim:
    """Say which private rate comes first: just above eps1 it is the smaller one."""
    sizes = n0 / (root(m) * n)
    return claim(
        *(Range("gamma", "number", *gammas) if one.letter == "gamma" else one for one in LETTERS),
        Range("t", "budget", 1.001, top),
        where=(Where("eps", t * EPS1),),
        conditions=(*BETWEEN, relation(most(sizes, 1 / sizes), ">=", Fraction(101, 100))),
        says=which,
        iff=True,
    )


def _step_six(w1: Term, w2: Term, at: str = "") -> Claim:
    """Two servers of one sign: do these weights attain the largest ratio at a1, a2?"""
    return claim(
        *(Range(name, "number", 0.01, 3) for name in ("a1", "a2", "c1", "c2")),
        *(Range(name, "budget", 0.1, 10) for name in ("b1", "b2")),
        says=(
            relation(
                (w1 * a1 + w2 * a2) ** 2 / (w1**2 * b1 + w2**2 * b2), "=", a1**2 / b1 + a2**2 / b2
            ),
        ),
        at=at,
    )


NOISE = claim(
    Range("eps", "budget", 0.1, 10),
    Range("delta", "budget", 1e-6, 0.01),
    # The ratio of sensitivity to spread at which just delta is spent.
    where=(Where("t", spent(t) / delta, solves=True),),
    says=(relation(spent(t), "=", delta),),
)
_POWER = beta * (1 + alpha)
_TARGET_FIRST = (relation(PT, "<", PS), relation(n0, ">", root(m) * n))
_SOURCE_FIRST = (relation(PS, "<", PT), relation(n0, "<", root(m) * n))
_SAMPLING = (n0 + n ** (K0 / k)) ** (-1 / K0)
_MOST = _ratio(_V0 * _SIGNAL0, _V * _SIGNAL)

CLAIMS: dict[tuple[str, str], Claim] = {
    ("ACC:Eq5", "printed"): claim(
        *_SHARES,
        where=_MADE,
        says=(relation(term_of(n0, eps0, r, K0) + term_of(n, eps, r, k), "=", 1),),
    ),
    ("ACC:Eq6", "printed"): claim(
        SHAPE[0],
        SHAPE[2],
        Range("alpha", "number", 0, 4),
        Range("n0", "size", 1, 1e6),
        Range("eps0", "budget", 1e-6, 10),
        # The target alone: the power of the root, and the rate by hand.
        where=(Where("r", term_of(n0, eps0, r, K0), solves=True),),
        says=(
            relation(
                least(r ** (beta * (1 + alpha)), 1), "=", least(_ALONE ** (beta * (1 + alpha)), 1)
            ),
        ),
    ),
    ("ACC:Eq5:effective-n", "printed"): claim(
        *SHAPE[::2],
        Range("r", "budget", 0.01, 1),
        Range("n0", "budget", 1, 1e9),
        # So many unprotected records have this root.
        where=(Where("x", n0 * x**K0, solves=True),),
        says=(relation(x**-K0, "=", n0),),
    ),
    ("ACC:Eq5:smallest-n", "printed"): claim(
        *_ONE,
        Range("eps", "budget", 1e-5, 10),
        says=(
            relation(
                term_of(most(_NEED, root(_NEED) / (eps * r ** (d / 2))), eps, r, k), "=", 1 - s
            ),
        ),
    ),
    ("ACC:Eq5:smallest-epsilon", "printed"): claim(
        *_ONE,
        Range("n", "size", 1, 1e9),
        conditions=(relation(_NEED, "<=", n),),
        says=(relation(term_of(n, root(_NEED) / (n * r ** (d / 2)), r, k), "=", 1 - s),),
    ),
    ("ACC:Eq12", "printed"): claim(
        *_TWO,
        Range("t", "number", -1, 1),
        says=(relation(_ratio(_V0 * _SIGNAL0, t * (_V * _SIGNAL)), "<=", _MOST),),
    ),
    ("ACC:Eq12:snr", "printed"): claim(
        *_TWO,
        says=(relation(_MOST, "=", term_of(n0, eps0, h, K0) + term_of(n, eps, h, k)),),
    ),
    ("ACC:Eq12:inverse-variance", "printed"): claim(
        SHAPE[0],
        Range("gamma", "number", 0.2, 1),
        *_TWO[2:],
        says=(relation(_ratio(_V0 * h**d, _V * h**d), "<=", _MOST),),
    ),
    ("ACC:Eq21:maximum", "printed"): claim(
        *(Range(name, "number", -3, 3) for name in ("a1", "a2")),
        *(Range(name, "budget", 0.1, 10) for name in ("b1", "b2")),
        Range("u", "number", 0, 1),
        says=(
            relation(
                (u * a1 + (1 - u) * a2) ** 2 / (u**2 * b1 + (1 - u) ** 2 * b2),
                "<=",
                most(
                    most(a1, 0) ** 2 / b1 + most(a2, 0) ** 2 / b2,
                    most(-a1, 0) ** 2 / b1 + most(-a2, 0) ** 2 / b2,
                ),
            ),
        ),
    ),
    ("ACC:Alg2:threshold", "reading"): claim(
        Range("m", "whole", 1, 1),
        Range("n", "size", 1, 1e6),
        Range("H", "size", 1, 30),
        says=(relation(log(n * H * (m + 1)), "=", log(2 * n * H)),),
    ),
    ("ACC:Thm3.1:log-factor", "printed"): claim(
        *FIVE,
        Range("alpha", "number", 0, 4),
        Range("delta", "budget", 1e-12, 0.7),
        where=(ROOT, Where("h", equation(h) / log(2 / delta), solves=True)),
        says=(
            relation(1, "<=", (h / r) ** _POWER),
            relation((h / r) ** _POWER, "<=", log(2 / delta) ** (_POWER / SMALLEST)),
        ),
    ),
    ("ACC:Eq4:terms", "printed"): claim(
        *LETTERS,
        Range("eps", "budget", 1e-7, 1),
        Range("alpha", "number", 0, 4),
        where=(
            Where("x", n0 * x**K0, solves=True),
            Where("z1", n0**2 * eps**2 * z1 ** (K0 + d), solves=True),
            Where("z2", m * n * z2**k, solves=True),
            Where("z3", m * n**2 * eps**2 * z3 ** (k + d), solves=True),
        ),
        says=(
            relation(x**_POWER, "=", NPT**_POWER),
            relation(z1**_POWER, "=", PT**_POWER),
            relation(z2**_POWER, "=", NPS**_POWER),
            relation(z3**_POWER, "=", PS**_POWER),
        ),
    ),
    ("ACC:Cor3.2:eps11-at-1", "printed"): _first((1, 1), 1000, *_TARGET_FIRST),
    ("ACC:Cor3.2:text-small-gamma", "reading"): _first((0.2, 1), 1.001, *_TARGET_FIRST),
    ("ACC:Cor3.2:text-large-gamma", "reading"): _first((1, 3), 1.001, *_SOURCE_FIRST),
    ("ACC:Rem3.3", "reading"): claim(
        *SHAPE,
        Range("n0", "size", 1, 1e6),
        Range("n", "size", 1, 1e4),
        # One source; the constants are those of two terms.
        where=(Where("r", n0 * r**K0 + n * r**k, solves=True),),
        says=(
            relation(r, "<=", Term("2") ** (1 / K0) * _SAMPLING),
            relation(_SAMPLING, "<=", Term("2") ** (1 / SMALLEST) * r),
        ),
    ),
    ("ACC:Prop4.1", "reading"): NOISE,
    ("ACC:Alg2:step-6", "printed"): _step_six(c1 / b1, c2 / b2, "a1=1 a2=1 c1=1 c2=0 b1=1 b2=1"),
    ("ACC:Alg2:step-6", "reading"): _step_six(a1 / b1, a2 / b2),
    ("ACC:Eq22", "printed"): claim(
        Range("eps", "budget", 0.01, 1),
        Range("delta", "budget", 1e-6, 0.5),
        # Without noise the answer changes for sure where the statistic is next to 0.
        says=(relation(1 - exp(eps) * 0, "<=", delta),),
        at="eps=1 delta=1/10",
    ),
    ("ACC:Table1:row-1:column-3:B", "reading"): BUDGETS["ACC:Table1:reading-A", "reading"],
    ("ACC:Table1:gamma-one", "reading"): BUDGETS["ACC:Table1:reading-A", "reading"],
}
