"""Further formal claims of [BCMM] and [DPLR] on records: sensitivities, weights, coefficients."""

from __future__ import annotations

from fractions import Fraction

from rates.formal.claim import Claim, Range, Where, claim, relation
from rates.formal.further.equation import NOISE
from rates.formal.terms import Term, exp, least, letters, log, most, root

alpha, delta, eps, eta, kappa, lam, pi, sigma = letters("alpha delta eps eta kappa lam pi sigma")
A, B, C, G, N, T, U, X = letters("A B C G N T U X")
b, c, d, m, n, p, q, r, s, t, u, v, w, x, y, z = letters("b c d m n p q r s t u v w x y z")
u1, u2, w1, w2, x1, x2, y1, y2 = letters("u1 u2 w1 w2 x1 x2 y1 y2")
_HALF = Fraction(1, 2)
_SHARE = Range("alpha", "number", 0.05, 0.95)
_BOUNDS = (Range("lam", "budget", 0.01, 10), Range("r", "budget", 0.1, 10))
_SIGNS = tuple(Range(name, "number", -1, 1) for name in ("w", "x1", "x2", "y1", "y2"))
_G = 2 * r * (lam * r + 1)
_TOP = (lam * r + 1) ** 2  # B, the largest squared loss
_PRIVATE = (1 - alpha) / n


def _size(of: Term) -> Term:
    return most(of, -of)


def _gap(x: Term, y: Term) -> Term:
    """The residual at a predictor in the ball of radius lam, a record in that of radius r."""
    return lam * w * (r * x) - y


def _huber(of: Term) -> Term:
    """The profile of (6) in the loss: of up to kappa, and twice a root beyond it."""
    return 2 * root(kappa * most(of, kappa)) - kappa + least(of, kappa) - kappa


def _fraction(of: Term, u: Term) -> Term:
    return (of * z - y) ** 2 / u


def _sum(x: Term, y: Term) -> Term:
    """The absolute coefficients of a record with two covariates."""
    return x / 2 + y / 2 + x**2 / 8 + y**2 / 8 + x * y / 4


def _surrogate(x: Term, y: Term, label: Term) -> Term:
    line = x * w1 + y * w2
    return log(2) + line / 2 + line**2 / 8 - label * line


_NUMBER = (Range("m", "size", 1, 1e4), Range("T", "size", 1, 1e6))
_STEP = m ** Fraction(3, 2) / (root(T) * alpha**2 * B)  # B for both bounds together
_VARIANCE = G**2 + d * sigma**2
_GROWN = _TOP * (m * (m / (2 * alpha)) ** 2)
_POINTS = tuple(Range(name, "number", -2, 2) for name in ("w1", "w2", "x1", "x2", "y1", "y2"))

CLAIMS: dict[tuple[str, str], Claim] = {
    ("BCMM:Sec2:l1", "printed"): claim(
        Range("B", "budget", 0.1, 10),
        *(Range(name, "number", 0, 1) for name in ("p", "q", "x", "y")),
        # Laws on two points; half of the bound is enough.
        where=(Where("s", B * (x - y) * (p - q)),),
        says=relation(_size(s), "<=", B / 2 * (_size(p - q) + _size((1 - p) - (1 - q)))),
    ),
    ("BCMM:Eq2:sensitivity", "printed"): claim(
        *_BOUNDS,
        *_SIGNS,
        Range("n", "size", 1, 1e4),
        where=(Where("s", _gap(x1, y1) ** 2 / n - _gap(x2, y2) ** 2 / n),),
        says=relation(_size(s), "<=", _TOP / n),
    ),
    ("BCMM:Eq6:upper", "printed"): claim(
        Range("alpha", "number", 0.02, 0.98),
        Range("s", "budget", 0.5, 20),
        Range("t", "budget", 0.5, 20),
        where=(Where("u1", s / alpha), Where("u2", t / (1 - alpha))),
        # One public and one private record.
        says=relation(1 - (1 / u1 + 1 / u2), "<=", alpha**2 * u1 + (1 - alpha) ** 2 * u2 - 1),
    ),
    ("BCMM:Eq6:convex", "printed"): claim(
        *(Range(name, "number", -2, 2) for name in ("w1", "w2", "y", "z")),
        *(Range(name, "budget", 1, 20) for name in ("u1", "u2")),
        Range("c", "budget", 1e-3, 3),
        says=(
            relation(
                _fraction((w1 + w2) / 2, (u1 + u2) / 2),
                "<=",
                _HALF * _fraction(w1, u1) + _HALF * _fraction(w2, u2),
            ),
            relation(c / ((u1 + u2) / 2), "<=", _HALF * c / u1 + _HALF * c / u2),
        ),
    ),
    ("BCMM:Eq6:profile", "printed"): claim(
        _SHARE,
        Range("z", "budget", 1e-3, 20),
        Range("kappa", "budget", 1e-2, 5),
        Range("t", "budget", 1, 20),
        where=(Where("u", most(1, root(z / kappa)) / alpha),),
        says=(
            relation(z / u + kappa * (alpha**2 * u - alpha), "=", alpha * _huber(z)),
            relation(alpha * _huber(z), "<=", alpha * (z / t + kappa * (t - 1))),
        ),
    ),
    ("BCMM:Lem4.1:gradients", "printed"): claim(
        *_BOUNDS,
        *_SIGNS[:2],
        _SIGNS[3],
        _SHARE,
        Range("m", "size", 1, 1e4),
        Range("B", "budget", 0.1, 10),
        Range("C", "budget", 0.1, 10),
        Range("s", "number", 0, 1),
        Range("t", "number", 0, 1),
        # C is the bound of the penalties; m equal entries, each with a loss of sB at its cap.
        where=(
            Where("x", 2 * r * x1 * _gap(x1, y1)),
            Where("y", alpha**2 / m**2 * (s * B + t * C)),
        ),
        says=(
            relation(_size(x), "<=", _G),
            relation(root(m * y**2), "<=", alpha**2 * (B + C) / m ** Fraction(3, 2)),
        ),
    ),
    ("BCMM:Lem4.1:sensitivity-w", "printed"): claim(
        *_BOUNDS,
        *_SIGNS,
        _SHARE,
        Range("n", "size", 1, 1e4),
        where=(Where("x", 2 * r * x1 * _gap(x1, y1)), Where("y", 2 * r * x2 * _gap(x2, y2))),
        says=relation(_PRIVATE * _size(x - y), "<=", 2 * (1 - alpha) * _G / n),
    ),
    ("BCMM:Lem4.1:sensitivity-u", "printed"): claim(
        _SHARE,
        Range("B", "budget", 0.1, 10),
        Range("n", "size", 1, 1e4),
        *(Range(name, "number", 0, 1) for name in ("s", "t")),
        Range("v", "budget", 1, 10),
        # An inverse weight v times its least value.
        where=(Where("u", v / _PRIVATE),),
        says=relation(_size(s * B - t * B) / u**2, "<=", (1 - alpha) ** 2 * B / n**2),
    ),
    ("BCMM:Sec4:halves", "printed"): claim(
        Range("B", "budget", 0.1, 10),
        Range("n", "size", 1, 1e6),
        Range("eps", "budget", 0.05, 17.8),
        # What the Laplace noise costs, and the half that Algorithm 1 is given.
        says=relation((B / n) / (2 * B / (eps * n)) + eps / 2, "=", eps),
    ),
    ("BCMM:Alg1:movement", "printed"): claim(
        _SHARE,
        *_NUMBER,
        Range("B", "budget", 0.1, 10),
        says=(
            relation(_STEP * (alpha**2 * B / m**2), "=", 1 / root(m * T)),
            relation(T / root(m * T) / (m / alpha), "=", alpha * root(T) / m ** Fraction(3, 2)),
        ),
    ),
    ("BCMM:Thm4.2:bound", "printed"): claim(
        *(Range(name, "budget", 0.1, 10) for name in ("lam", "G", "sigma")),
        _NUMBER[1],
        Range("d", "size", 1, 100),
        Range("delta", "budget", 1e-6, 1),
        where=(Where("eta", lam / root(T * _VARIANCE)),),
        says=(
            relation(
                lam**2 / (2 * eta * T) + eta * _VARIANCE / 2,
                "=",
                lam * G * root(1 / T + d * sigma**2 / (T * G**2)),
            ),
            relation(16 * log(3 / delta), "<=", 32 * log(2 / delta)),
        ),
    ),
    ("BCMM:Thm4.3:condition", "printed"): claim(
        Range("lam", "budget", 0.1, 1e3),
        Range("r", "budget", 0.1, 1e3),
        Range("alpha", "number", 0.05, 1),
        Range("m", "size", 1000, 1e5),
        Range("d", "size", 1, 1000),
        # Far above the 8e9 of the statement.
        says=relation(_GROWN**2 / ((_G * lam) ** 2 * d), ">", 15 * 10**12),
    ),
    ("BCMM:Sec5:softmax", "printed"): claim(
        Range("N", "size", 2, 1e5),
        Range("x", "budget", 1e-5, 1),
        Range("t", "number", 0, 1),
        # The largest inverse weight is x, the others are tx.
        where=(Where("v", root(N)),),
        says=relation(log(exp(v * x) + (N - 1) * exp(v * t * x)) / v - x, "<=", log(N) / v),
    ),
    ("BCMM:Sec5:swamped", "printed"): claim(
        Range("m", "size", 10, 1e5),
        Range("t", "number", 0, 1),
        # The largest weight is at most 1/m, and the other terms of the sum are at least 1.
        where=(Where("v", root(2 * m)), Where("x", t / m)),
        says=relation(log(exp(v * x) + (2 * m - 1)) / v - x, ">=", 5 * x),
    ),
    ("BCMM:AppE:copies", "reading"): NOISE,
    ("DPLR:Eq8:sensitivity", "printed"): claim(
        Range("x", "number", 0, 1),
        Range("y", "number", 0, 1),
        conditions=(relation(x**2 + y**2, "<=", 1),),
        # Two covariates without their signs.
        says=relation(2 * _sum(x, y), "<=", root(2) + Fraction(2, 4)),
    ),
    ("DPLR:Eq9:epsilon-of-scale", "printed"): claim(
        Range("p", "size", 1, 60),
        Range("r", "budget", 0.1, 10),
        Range("b", "budget", 1e-3, 100),
        # The worst record has p equal covariates.
        where=(Where("x", r / root(p)),),
        says=relation(
            2 * (p * x / 2 + (p * x) ** 2 / 8) / b, "=", (r * root(p) + r**2 * p / 4) / b
        ),
    ),
    ("DPLR:Eq11:floor", "printed"): claim(
        Range("s", "size", 2, 34),
        # The double sum of Σ over s neighbours in closed form.
        where=(
            Where("v", 3 * s - 4 + Term("2") ** (2 - s)),
            Where("c", 4 / root(2 * pi * (1 + v))),
        ),
        says=(
            relation(root(s * (1 - c) ** 2), "=", (1 - c) * root(s)),
            relation(4 * (1 / root(2 * pi)) / root(1 + v), "=", c),
        ),
    ),
    ("DPLR:Eq13:reduction", "printed"): claim(
        *_POINTS,
        Range("s", "whole", 0, 1),
        Range("t", "whole", 0, 1),
        # Records (x1, y1) and (x2, y2) with labels s and t.
        says=relation(
            _surrogate(x1, y1, s) + _surrogate(x2, y2, t),
            "=",
            2 * log(2)
            + (x1 * (_HALF - s) + x2 * (_HALF - t)) * w1
            + (y1 * (_HALF - s) + y2 * (_HALF - t)) * w2
            + Fraction(1, 8)
            * (
                (x1**2 + x2**2) * w1**2
                + 2 * (x1 * y1 + x2 * y2) * w1 * w2
                + (y1**2 + y2**2) * w2**2
            ),
        ),
    ),
}
