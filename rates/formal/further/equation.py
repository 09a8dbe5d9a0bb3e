"""Further formal claims of [ACC] on equation (5): its root, its inverse, and the best weights."""

from __future__ import annotations

from rates.formal.acc_budgets import SHAPE, beta, d, eps, gamma, k, n, n0
from rates.formal.acc_roots import K0, H, eps0, r
from rates.formal.acc_roots import _term as term_of
from rates.formal.claim import Claim, Range, Relation, Where, relation
from rates.formal.terms import Term, least, letters, log, most, root

a1, a2, alpha, b1, b2, h, m, s, t, u, x, y0, y1 = letters("a1 a2 alpha b1 b2 h m s t u x y0 y1")
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


def _claim(
    *ranges: Range,
    says: tuple[Relation, ...],
    where: tuple[Where, ...] = (),
    conditions: tuple[Relation, ...] = (),
) -> Claim:
    return Claim(letters=ranges, where=where, conditions=conditions, says=says)


def _ratio(w0: Term, w1: Term) -> Term:
    """The squared ratio of signal to noise with these weights."""
    signal = (w0 * _SIGNAL0 + w1 * _SIGNAL) ** 2
    return signal / (w0**2 / (_V0 * h**d) + w1**2 / (_V * h**d))


_MOST = _ratio(_V0 * _SIGNAL0, _V * _SIGNAL)

CLAIMS: dict[tuple[str, str], Claim] = {
    ("ACC:Eq5", "printed"): _claim(
        *_SHARES,
        where=_MADE,
        says=(relation(term_of(n0, eps0, r, K0) + term_of(n, eps, r, k), "=", 1),),
    ),
    ("ACC:Eq6", "printed"): _claim(
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
    ("ACC:Eq5:effective-n", "printed"): _claim(
        *SHAPE[::2],
        Range("r", "budget", 0.01, 1),
        Range("n0", "budget", 1, 1e9),
        # So many unprotected records have this root.
        where=(Where("x", n0 * x**K0, solves=True),),
        says=(relation(x**-K0, "=", n0),),
    ),
    ("ACC:Eq5:smallest-n", "printed"): _claim(
        *_ONE,
        Range("eps", "budget", 1e-5, 10),
        says=(
            relation(
                term_of(most(_NEED, root(_NEED) / (eps * r ** (d / 2))), eps, r, k), "=", 1 - s
            ),
        ),
    ),
    ("ACC:Eq5:smallest-epsilon", "printed"): _claim(
        *_ONE,
        Range("n", "size", 1, 1e9),
        conditions=(relation(_NEED, "<=", n),),
        says=(relation(term_of(n, root(_NEED) / (n * r ** (d / 2)), r, k), "=", 1 - s),),
    ),
    ("ACC:Eq12", "printed"): _claim(
        *_TWO,
        Range("t", "number", -1, 1),
        says=(relation(_ratio(_V0 * _SIGNAL0, t * (_V * _SIGNAL)), "<=", _MOST),),
    ),
    ("ACC:Eq12:snr", "printed"): _claim(
        *_TWO,
        says=(relation(_MOST, "=", term_of(n0, eps0, h, K0) + term_of(n, eps, h, k)),),
    ),
    ("ACC:Eq12:inverse-variance", "printed"): _claim(
        SHAPE[0],
        Range("gamma", "number", 0.2, 1),
        *_TWO[2:],
        says=(relation(_ratio(_V0 * h**d, _V * h**d), "<=", _MOST),),
    ),
    ("ACC:Eq21:maximum", "printed"): _claim(
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
    ("ACC:Alg2:threshold", "reading"): _claim(
        Range("m", "whole", 1, 1),
        Range("n", "size", 1, 1e6),
        Range("H", "size", 1, 30),
        says=(relation(log(n * H * (m + 1)), "=", log(2 * n * H)),),
    ),
}
