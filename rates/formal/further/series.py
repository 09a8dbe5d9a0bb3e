"""Further formal claims of [CCV]: the series, its weights and noise, deltas, lower bounds."""

from __future__ import annotations

from fractions import Fraction

from rates.formal.ccv import (
    ALIKE,
    EIGHT,
    NINE,
    SMOOTH,
    SUM,
    TWO,
    D,
    alike,
    e1,
    e2,
    eps,
    g,
    m,
    n,
    n1,
    n2,
    part,
    two,
)
from rates.formal.claim import Claim, Range, Where, claim, relation
from rates.formal.further.equation import NOISE
from rates.formal.terms import Term, exp, least, letters, log, most, root

b, c0, delta, k, kappa, p, s, t, tau, u, x, y, y1, y2, L = letters(
    "b c0 delta k kappa p s t tau u x y y1 y2 L"
)
_TWO = Term("2")
_EDGE = Range("nu", "number", 0.5, 4)  # with the edge itself, where bounds are reached
_LEVEL = Range("k", "whole", 0, 6)
_HAAR = (
    Range("L", "whole", 1, 6),
    Range("tau", "budget", 0.1, 10),
    Range("n", "size", 1, 1e4),
)
# Two servers by what they contribute: s of the sum, and how far from its elbow each budget is.
_SHARES = (
    SMOOTH,
    Range("D", "budget", 1, 100),
    Range("s", "number", 0.01, 0.99),
    Range("y1", "budget", 0.01, 100),
    Range("y2", "budget", 0.01, 100),
)
_MADE = (
    Where("n1", s * D ** (2 * g + 1) / least(1, y1)),
    Where("n2", (1 - s) * D ** (2 * g + 1) / least(1, y2)),
    Where("eps1", root(y1 * D / n1)),
    Where("eps2", root(y2 * D / n2)),
)


def _sensitivity(constant: int, at: str = "") -> Claim:
    """One record of a cell turned from tau to -tau, for the Haar basis."""
    change = 2 * tau * _TWO ** (L + 1) / n
    return claim(*_HAAR, says=(relation(change, "<=", constant * tau * _TWO**L / n),), at=at)


def _distance(power: Term, at: str = "") -> Claim:
    """Both sums of Section 4.2, the first server's privacy and the second one's sampling."""
    return claim(
        *TWO,
        Range("c0", "budget", 1e-6, 1),
        where=(two(), Where("x", c0 * D ** (-g)), Where("y", c0 ** (1 / g) / D)),
        conditions=(relation(n1 * e1**2, "<=", D), relation(n2 * e2**2, ">=", D)),
        says=(relation(root(x**2 * y**2 * n1**2 * e1**2 + x**2 * y * n2), "<=", c0**power),),
        at=at,
    )


def _norm(factor: Term, at: str = "") -> Claim:
    """The squared norm of a father function that is not 0 on an interval of this length."""
    return claim(_LEVEL, says=(relation(factor**2 * _TWO ** -(k + 1), "=", 1),), at=at)


def _functions(father: Term, at: str = "") -> Claim:
    """Levels k to L have as many functions as there are cells whose indicators they give."""
    return claim(
        _LEVEL,
        Range("L", "whole", 7, 12),
        says=(relation(father + (_TWO ** (L + 1) - _TWO ** (k + 1)), "=", _TWO ** (L + 1)),),
        at=at,
    )


def _power(of: Term, at: str = "") -> Claim:
    """What Lemma 4.2 asks of the largest delta."""
    return claim(
        Range("b", "budget", 1e-12, 0.6),
        Range("kappa", "number", 0.05, 2),
        where=(Where("delta", of),),
        says=(relation(delta * log(1 / delta), "<=", b * (1 + kappa) / (exp(1) * kappa)),),
        at=at,
    )


def _consistent(threshold: Term, at: str = "") -> Claim:
    """Below the threshold D is at most 1, so that the rate is 1."""
    return claim(
        *ALIKE[:3],
        Range("t", "budget", 1e-3, 1),
        where=(Where("eps", t * threshold), alike()),
        says=(relation(D, "<=", 1),),
        at=at,
    )


def _noise(factor: int, loss: Term, at: str = "", *, below: bool = False) -> Claim:
    """The noise of one server at the level with 2^L = x, over the theorem's right side."""
    level: tuple[Where, ...] = (
        (Where("x", _TWO),) if below else (alike(m=Term("1")), Where("x", t * D))
    )
    right = factor * 4 * _TWO ** (2 * g) * x ** (-2 * g) * loss
    return claim(
        Range("nu", "number", 0.5, 1),
        *ALIKE[2:],
        Range("delta", "budget", 1e-12, 0.01),
        Range("t", "number", 1, 2),
        where=level,
        conditions=(relation(n * eps, "<=", 1),) if below else (relation(D, ">=", 1),),
        says=(relation(factor * x**2 * loss / (n**2 * eps**2), "<=", right),),
        at=at,
    )


def _variance(size: Term, budget: Term) -> Term:
    return 1 / size + x / (size**2 * budget**2)


_LOSS = log(2 / delta)
_V1, _V2 = part(n1, e1, x), part(n2, e2, x)
_USED = (_V1**2 * _variance(n1, e1) + _V2**2 * _variance(n2, e2)) / (_V1 + _V2) ** 2
_BEST = 1 / (1 / _variance(n1, e1) + 1 / _variance(n2, e2))
_RISK = s**2 * (D / n1 + D**2 / (n1**2 * e1**2)) + (1 - s) ** 2 * (D / n2 + D**2 / (n2**2 * e2**2))
_A1, _A2, _B1, _B2 = n1**2 * e1**2, n2**2 * e2**2, n1 * D, n2 * D

CLAIMS: dict[tuple[str, str], Claim] = {
    ("CCV:Lem3.3:constant", "printed"): _sensitivity(2, "L=1 tau=1 n=1"),
    ("CCV:Lem3.3:constant", "reading"): _sensitivity(4),
    ("CCV:Lem3.1:constant", "printed"): claim(
        *_HAAR,
        says=(
            relation(
                2 * tau * root(_TWO ** (L + 1)) / n,
                "<=",
                2 * root(Term("2")) * tau * root(_TWO**L) / n,
            ),
        ),
    ),
    ("CCV:Sec4.2:distance", "printed"): _distance(
        1 + 2 / g, "nu=3/4 n1=1 eps1=1/100 n2=1000 eps2=1 c0=1/10"
    ),
    ("CCV:Sec4.2:distance", "reading"): _distance(1 + 1 / (2 * g)),
    ("CCV:Eq9:overlap", "printed"): claim(
        *TWO,
        conditions=(EIGHT,),
        says=(relation(NINE.left, "<", NINE.right),),
        at="nu=1 n1=1000 eps1=1/100 n2=10 eps2=1/100",
    ),
    ("CCV:Eq10:father-scale", "printed"): _norm(_TWO ** (k + 1), "k=0"),
    ("CCV:Eq10:father-scale", "reading"): _norm(_TWO ** ((k + 1) / 2)),
    ("CCV:Eq10:father-count", "printed"): _functions(_TWO**k, "k=0 L=1"),
    ("CCV:Eq10:father-count", "reading"): _functions(_TWO ** (k + 1)),
    ("CCV:Eq12:index", "printed"): _functions(_TWO ** (k + 1) - 1, "k=0 L=1"),
    ("CCV:Eq12:index", "reading"): _functions(_TWO ** (k + 1) - 1 + 1),
    ("CCV:Thm4.1:delta", "printed"): _power(Fraction(999, 1000) * b, "b=1/1000000 kappa=1"),
    ("CCV:Thm4.1:delta", "reading"): _power(b ** (1 + kappa)),
    ("CCV:Sec1.2:consistency", "printed"): _consistent(1 / root(m * n), "nu=1 m=1 n=2 t=1"),
    ("CCV:Sec1.2:consistency", "reading"): _consistent(1 / (root(m) * n)),
    ("CCV:Thm3.2:floor", "printed"): _noise(
        64, _LOSS, "nu=3/4 n=100 eps=1/1000000 delta=1/1000000 t=1", below=True
    ),
    ("CCV:Thm3.2:floor", "reading"): _noise(64, _LOSS),
    ("CCV:Thm3.4:floor", "printed"): _noise(
        32, Term("1"), "nu=3/4 n=100 eps=1/1000000 delta=1/1000000 t=1", below=True
    ),
    ("CCV:Thm3.4:floor", "reading"): _noise(32, Term("1")),
    ("CCV:Cor1:delta", "printed"): claim(
        _EDGE,
        *ALIKE[1:],
        Range("kappa", "number", 0.05, 2),
        where=(alike(),),
        # What the corollary allows is allowed by the theorem.
        says=(
            relation(
                (eps**2 / root(m)) ** (1 + kappa),
                "<=",
                (root(n) * eps**2 / most(D, 1)) ** (1 + kappa),
            ),
        ),
    ),
    ("CCV:Cor3:delta", "reading"): claim(
        *TWO,
        Range("kappa", "number", 0.05, 0.3),
        where=(two(),),
        conditions=(EIGHT,),
        says=(
            relation(
                (root(n1) * e1**2 / most(1, SUM ** (1 / (2 * g + 2)))) ** (1 + kappa),
                "=",
                (root(n1) * e1**2 / most(1, D)) ** (1 + kappa),
            ),
        ),
    ),
    ("CCV:Cor4:delta", "printed"): claim(
        _EDGE,
        *TWO[1:],
        where=(two(),),
        conditions=(NINE, relation(e1, ">", 1 / n1)),
        says=(relation(most(D, 1), "<=", root(Term("2")) * (n1 * e1) ** Fraction(2, 3)),),
    ),
    ("CCV:Eq6:root", "printed"): claim(
        *_SHARES,
        where=_MADE,
        says=(relation(D ** (2 * g + 2), "=", part(n1, e1, D) + part(n2, e2, D)),),
    ),
    ("CCV:Eq13:risk", "printed"): claim(
        *_SHARES,
        where=_MADE,
        says=(
            relation(D ** (-2 * g), "<=", _RISK),
            relation(_RISK, "<=", 2 * D ** (-2 * g)),
        ),
    ),
    ("CCV:Eq13:weights", "printed"): claim(
        Range("n1", "size", 1, 1e3),
        Range("n2", "size", 1, 1e3),
        Range("x", "budget", 2, 2000),
        *_SHARES[3:],
        where=(Where("eps1", root(y1 * x / n1)), Where("eps2", root(y2 * x / n2))),
        says=(relation(_USED, "<=", Fraction(9, 8) * _BEST), relation(_BEST, "<=", _USED)),
    ),
    ("CCV:Sec4.2:S", "printed"): claim(
        *_SHARES,
        where=_MADE,
        # Whatever the set, the sum is no smaller than with privacy just where it binds.
        says=(
            relation(
                part(n1, e1, D) + part(n2, e2, D),
                "=",
                least(_A1 + _A2, _A1 + _B2, _B1 + _A2, _B1 + _B2),
            ),
        ),
    ),
    ("CCV:Sec2.2:contributions", "reading"): claim(
        *TWO,
        where=(two(),),
        conditions=(EIGHT,),
        says=(
            relation(part(n1, e1, D) / (part(n1, e1, D) + part(n2, e2, D)), "=", _A1 / (_A1 + _A2)),
        ),
    ),
    ("CCV:Cor2:window", "printed"): claim(
        Range("nu", "number", 1.1, 4),
        Range("p", "number", 2, 20),
        Range("t", "number", 0.01, 1),
        *ALIKE[1:3],
        # t is where in the window the budget lies; x and y are the roots of both risks.
        where=(
            Where("u", g - 1 / p),
            Where("eps", root((m * n) ** (t / (2 * g + 1) + (1 - t) / (2 * u + 1)) / n)),
            alike(x),
            alike(y, g=u),
        ),
        says=(
            relation(x, "=", (m * n) ** (1 / (2 * g + 1))),
            relation(y, "<=", (m * n) ** (1 / (2 * u + 1))),
        ),
    ),
    ("CCV:Sec2:free-level", "reading"): claim(
        SMOOTH,
        Range("n", "size", 2, 1e9),
        # The least level that reaches the root.
        where=(Where("x", log(n) / log(2) / (2 * g + 1)),),
        says=(
            relation(n ** (1 / (2 * g + 1)), "<=", _TWO ** Term("ceil", (x,))),
            relation(_TWO ** (Term("ceil", (x,)) - 1), "<=", n ** (1 / (2 * g + 1))),
        ),
    ),
    ("CCV:Sec3.2:noise", "reading"): NOISE,
}
