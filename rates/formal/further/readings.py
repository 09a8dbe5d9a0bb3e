"""Formal claims of our readings of what the papers print otherwise, where nothing else has one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from rates.formal.acc_roots import noise
from rates.formal.ccv import NINE, TWO, D, alpha, e1, e2, g, n1, n2, two
from rates.formal.claim import Claim, Range, Where, claim, relation
from rates.formal.further.equation import NOISE
from rates.formal.terms import Term, exp, least, letters, log, most, root

A, B, G, N, R, T, U, X = letters("A B G N R T U X")
b, beta, c, d, delta, delta0, delta2, eps, eta, h, k, kappa, lam, m, n, n0, p, pi, s, t = letters(
    "b beta c d delta delta0 delta2 eps eta h k kappa lam m n n0 p pi s t"
)
sigma, u, v, w, x, x1, x2, x11, x12, x21, x22, y, z = letters(
    "sigma u v w x x1 x2 x11 x12 x21 x22 y z"
)
_TWO = Term("2")
_FAILURE = Range("beta", "budget", 1e-6, 0.125)
_BITS = Range("d", "size", 2, 60)
_WEIGHTS = Range("X", "budget", 1, 1e3)
_SMALL = Fraction(1, 100)
_DELTAS = tuple(Range(name, "budget", 1e-12, 1e-2) for name in ("delta", "delta0"))
_BOTH = tuple(Range(name, "size", 1, 1e4) for name in ("m", "n", "n0"))
_SHARE = Range("alpha", "number", 0.05, 0.95)
_BUDGET = Range("eps", "budget", 0.05, 10)
_SAMPLE = Range("n", "size", 1, 1e6)
_STEPS = (
    eps
    * n ** Fraction(3, 2)
    / root(log(2 / delta))
    / root(40 * G**2 * d * n + (1 - alpha) ** 2 * B**2)
)
_S1 = 16 * (1 - alpha) ** 2 * G**2 * T * log(3 / delta) / (eps * n) ** 2
_S2 = 4 * (1 - alpha) ** 4 * B**2 * T * log(3 / delta) / (eps**2 * n**4)


def _together(first: Term, second: Term, *letters: Range) -> Claim:
    """Both parts of the sum of n_j delta_j are small where each of these is."""
    return claim(
        *letters,
        conditions=(relation(first, "<=", _SMALL / 2), relation(second, "<=", _SMALL / 2)),
        says=relation(first + second, "<=", _SMALL),
    )


def _composed() -> Claim:
    """T steps, each at the distance s over sigma, twice; all together at the distance t."""
    return replace(
        NOISE,
        letters=(*NOISE.letters, Range("T", "size", 1, 1e6), Range("s", "budget", 1e-3, 10)),
        where=(*NOISE.where, Where("sigma", s * root(2 * T) / t)),
        says=(relation(root(2 * T * (s / sigma) ** 2), "=", t), *NOISE.says),
    )


def _fit(at: Term) -> Term:
    """The loss of two records with labels 1 and 0."""
    return log(1 + exp(x1 * at)) - x1 * at + log(1 + exp(x2 * at))


def _quadratic(at: Term) -> Term:
    return A * at**2 + 2 * (u - A) * w * at


def _missed(chance: Term) -> Term:
    return d * chance


_CURVE = 4 * (1 / root(2 * pi)) / root(1 + v)

CLAIMS: dict[tuple[str, str], Claim] = {
    ("ACC:Thm3.1:delta", "reading"): _together(m * n * delta, n0 * delta0, *_BOTH, *_DELTAS),
    ("ACC:Cor3.3:delta", "reading"): _together(
        n * most(delta, delta0), n0 * delta0, *_BOTH[1:], *_DELTAS
    ),
    ("ACC:Eq22", "reading"): noise(
        eps / root(2 * log(2 / delta)), relation(eps, "<=", 1), at="", most=1.0
    ),
    ("CCV:Sec2.2:delta-integrated", "reading"): claim(
        *TWO[:3],
        Range("x", "number", 0, 1),
        Range("y", "number", 0, 1),
        # Budgets from 1/N to 1, on a log scale.
        where=(
            Where("N", n1 + n2),
            Where("eps1", N ** (x - 1)),
            Where("eps2", N ** (y - 1)),
            two(),
        ),
        says=relation(N ** -Fraction(5, 2), "<=", root(n2) * e2**2 / most(D, 1)),
    ),
    ("CCV:Cor4:pointwise", "reading"): claim(
        *TWO,
        where=(
            two(),
            Where("y", (n1**2 * e1**2) ** (-2 * g / (2 * g + 2)) + n1 ** (-2 * g / (2 * g + 1))),
        ),
        conditions=(NINE,),
        says=(
            relation(least(D ** (-2 * g), 1), "<=", least(y, 1)),
            relation(
                least(y, 1), "<=", least(_TWO ** (1 + 2 * g / (2 * g + 1)) * D ** (-2 * g), 1)
            ),
        ),
    ),
    ("KS:PropB.1:rank", "reading"): claim(
        _BITS,
        _FAILURE,
        where=(Where("n", d * log(d / beta) / log(2)),),
        # d steps, in each of which n/d records stay in a half.
        says=relation(_missed(_TWO ** -(n / d)), "=", beta),
    ),
    ("KS:ClaimB.2:rank", "reading"): claim(
        _BITS,
        _FAILURE,
        _WEIGHTS,
        where=(Where("n", 4 * X * d * log(d / beta)),),
        says=relation(_missed((1 - 1 / (4 * X)) ** (n / d)), "<=", beta),
    ),
    ("KS:CorB.3:rank", "reading"): claim(
        _BITS,
        _FAILURE,
        _WEIGHTS,
        Range("eps", "budget", 0.05, 0.5),
        where=(
            Where("k", Term("ceil", (log(2 / beta) / log(Fraction(4, 3)),))),
            Where("n", 32 * X * d * log(2 * d * k / beta) / eps),
        ),
        # A subsample that is too small, or that misses the rank.
        says=(
            relation(k * exp(-eps * n / 32), "<=", beta / 2),
            relation(k * _missed((1 - 1 / (4 * X)) ** (eps * n / 8 / d)), "<=", beta / 2),
        ),
    ),
    ("KS:AppC:spread", "reading"): claim(
        Range("s", "number", 0.02, 0.02),
        says=(
            relation((s * root(2 - s**2)) ** -10, ">=", Fraction(305, 100) * Term("10") ** 15),
            relation((s * root(2 - s**2)) ** -10, "<=", Fraction(306, 100) * Term("10") ** 15),
        ),
    ),
    ("BCMM:Eq3:weights", "reading"): claim(
        Range("m", "size", 10, 1e5),
        Range("T", "size", 1, 1e9),
        _SHARE,
        Range("c", "budget", 1e-4, 10),
        says=(
            relation(c, "<=", alpha * root(T) / m ** Fraction(3, 2)),
            relation(T, ">=", (c * m ** Fraction(3, 2) / alpha) ** 2),
        ),
        iff=True,
    ),
    ("BCMM:Sec4:dca", "reading"): claim(
        Range("A", "number", -2, 2),
        Range("s", "budget", 1e-3, 3),
        Range("lam", "budget", 0.1, 10),
        Range("x", "number", -1, 1),
        # One feature: u is the multiplier, w the point that it leads to on the edge of the ball.
        where=(Where("u", most(A, 0) + s), Where("w", lam)),
        says=(
            relation(
                _quadratic(w) - _quadratic(lam * x),
                "=",
                (lam * x - w) ** 2 * (u - A) + u * (lam**2 - (lam * x) ** 2),
            ),
            relation(_quadratic(w), ">=", _quadratic(lam * x)),
        ),
    ),
    ("BCMM:Eq5:index", "reading"): claim(
        Range("m", "size", 1, 1e4),
        Range("n", "size", 1, 1e4),
        # The first and the last private record.
        says=(relation(m + 1, "=", (m + n) - n + 1), relation(m + n, "<=", m + n)),
    ),
    ("BCMM:AppC:kappa", "reading"): claim(
        _SHARE,
        Range("m", "size", 1, 1e4),
        Range("kappa", "budget", 0.01, 10),
        Range("u", "budget", 1, 100),
        Range("h", "budget", 0.1, 10),
        # The slope in one inverse weight.
        says=relation(
            (kappa * (alpha / m) ** 2 * (u + h) - kappa * (alpha / m) ** 2 * u) / h,
            "=",
            kappa * alpha**2 / m**2,
        ),
    ),
    ("BCMM:Thm4.2:privacy", "reading"): _composed(),
    ("BCMM:Thm5.2:privacy", "reading"): _composed(),
    ("BCMM:Thm5.2:noise", "reading"): claim(
        _SAMPLE,
        Range("d", "size", 1, 100),
        Range("T", "size", 1, 1e6),
        *(Range(name, "budget", 0.1, 10) for name in ("G", "B")),
        _SHARE,
        _BUDGET,
        Range("delta", "budget", 1e-8, 0.1),
        says=relation(
            10 * (d * _S1 + n * _S2),
            "=",
            8
            * (
                20 * (1 - alpha) ** 2 * G**2 * d / (eps**2 * n**2)
                + 5 * (1 - alpha) ** 4 * B**2 / (eps**2 * n**3)
            )
            * T
            * log(3 / delta),
        ),
    ),
    ("BCMM:Sec5:iterations", "reading"): claim(
        _SAMPLE,
        Range("d", "size", 1, 100),
        *(Range(name, "budget", 0.01, 10) for name in ("G", "B")),
        _SHARE,
        _BUDGET,
        Range("delta", "budget", 1e-8, 0.01),
        says=relation(_STEPS, "<=", eps * n / root(d * log(1 / delta)) / (root(40) * G)),
    ),
    ("BCMM:Eq9:deviation", "reading"): claim(
        Range("p", "number", 0.01, 0.99),
        Range("eta", "budget", 0.01, 0.5),
        Range("B", "budget", 0.1, 10),
        # All weight on one record, whose loss is B with probability p: it deviates by p B.
        conditions=(relation(p * B, ">", B * 1 * root(log(1 / eta) / 2)),),
        says=relation(1 - p, "<=", eta),
    ),
    ("DPLR:Sec2.1:norm", "reading"): claim(
        *(Range(name, "number", -1.5, 1.5) for name in ("x11", "x12", "x21", "x22")),
        conditions=(relation(x11**2 + x12**2, "<=", 1), relation(x21**2 + x22**2, "<=", 1)),
        says=relation(most(x11**2 + x12**2, x21**2 + x22**2), "<=", 1),
    ),
    ("DPLR:Eq3:argument", "reading"): claim(
        Range("x1", "number", 0.2, 2),
        Range("x2", "number", 0.2, 2),
        Range("t", "number", -2, 2),
        # Labels 1 and 0; z is e^w where the slope is 0.
        where=(
            Where("z", z**x1 / (1 + z**x1) + x2 / x1 * (z**x2 / (1 + z**x2)), solves=True),
            Where("w", log(z)),
        ),
        says=(
            relation(
                x1 * (exp(x1 * w) / (1 + exp(x1 * w)) - 1),
                "=",
                -x2 * (exp(x2 * w) / (1 + exp(x2 * w))),
            ),
            relation(_fit(w), "<=", _fit(w + t)),
        ),
    ),
    ("DPLR:Eq4:event", "reading"): claim(
        Range("eps", "budget", 0.01, 10),
        Range("b", "budget", 0.05, 100),
        Range("t", "number", 0, 5),
        # A half line whose end is at a distance of at least 1, and the record moves its mean by 1.
        conditions=(relation(1 / b, "<=", eps),),
        says=relation(exp(-(t / b)) / 2, "<=", exp(eps) * (exp(-((t + 1) / b)) / 2)),
    ),
    ("DPLR:Eq11:bias", "reading"): claim(
        Range("v", "budget", 0.5, 100),
        # Normal errors, signal of variance v: the slope of the mean surrogate vanishes there.
        where=(Where("c", _CURVE),),
        says=(
            relation(c * v / 4, "=", v / root(2 * pi * (1 + v))),
            relation(c, "<", 4 / root(2 * pi)),
        ),
    ),
    ("DPLR:Alg1:unclipped", "reading"): claim(
        Range("p", "size", 1, 60),
        Range("R", "budget", 0.1, 10),
        Range("eps", "budget", 0.1, 1000),
        Range("t", "number", 0, 1),
        # x is the sum of a record's covariates, b the scale; two such records are apart by twice.
        where=(Where("x", t * root(p) * R), Where("b", (R * root(p) + R**2 * p / 4) / eps)),
        says=relation(2 * (x / 2 + x**2 / 8) / b, "<=", eps),
    ),
    ("DPLR:Alg1:second-release", "reading"): claim(
        Range("eps", "budget", 0.01, 10),
        where=(Where("b", Fraction(5, 4) / eps),),
        # One release, whose linear coefficient moves by 1.
        says=(relation(1 / b, "=", Fraction(4, 5) * eps), relation(1 / b, "<=", eps)),
    ),
}
