"""Formal claims of [KS], [BCMM] and [DPLR]: noise, sizes and constants."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from rates.formal.acc_roots import noise
from rates.formal.claim import Claim, Range, Where, claim, relation
from rates.formal.terms import Term, exp, letters, log, most, root

alpha, beta, delta, eps, X, d, T, m, n, x, t = letters("alpha beta delta eps X d T m n x t")
B, G, lam, v, b, c, k, R, z, eta, s = letters("B G lam v b c k R z eta s")
w1, w2, x1, x2, sigma, Y = letters("w1 w2 x1 x2 sigma Y")
ALPHA0 = Term("alpha0")
SMALL = Range("alpha", "budget", 1e-3, 0.12)
FAIL = Range("beta", "budget", 1e-6, 0.12)
CLASSIC = eps / root(2 * log(2 / delta))


def _size(value: Term) -> Term:
    return most(value, -value)


def _foot(inside: Term, at: str = "") -> Claim:
    """The footnote of Lemma 3.2, squared."""
    return claim(
        Range("alpha", "budget", 1e-4, 0.125),
        Range("X", "budget", 1, 1e12),
        where=(Where("alpha0", alpha / root(50 * X * log(inside))),),
        says=relation(alpha / 4, ">", ALPHA0 * root((2 + log(1 / ALPHA0)) * X)),
        at=at,
    )


def _deviation(constant: int, at: str = "") -> Claim:
    return claim(
        SMALL,
        FAIL,
        Range("B", "budget", 0.1, 10),
        where=(Where("R", constant * B**2 * log(2 / beta) / alpha**2),),
        says=relation(B * root(8 * log(2 / beta) / R), "<=", alpha / 2),
        at=at,
    )


def _sample(power: Term, at: str = "") -> Claim:
    return claim(
        Range("alpha", "budget", 1e-3, 0.12),
        Range("d", "size", 1, 1000),
        Range("T", "size", 1, 1e4),
        where=(Where("m", (d + log(power)) / alpha),),
        says=relation(T * exp(d - alpha * m), "<=", Fraction(1, 20)),
        at=at,
    )


def _users(ratio: Term, at: str = "") -> Claim:
    one = noise(CLASSIC, at=at)
    return replace(
        one,
        letters=(
            Range("eps", "budget", 0.05, 1),
            Range("delta", "budget", 1e-6, 0.1),
            Range("B", "budget", 1, 1000),
        ),
        where=(Where("t", ratio),),
    )


_SCALE = (
    Range("B", "budget", 0.1, 10),
    Range("Y", "number", 0, 1),
    Range("lam", "budget", 0.1, 30),
)
_SQUARE = (
    Range("x1", "number", -2, 2),
    Range("x2", "number", -2, 2),
    Range("w1", "number", -2, 2),
    Range("w2", "number", -2, 2),
)
_STEP = (
    Range("beta", "budget", 0.5, 10),
    Range("c", "budget", 0.1, 0.5),
    Range("v", "budget", 0.1, 3),
)
_J1 = (1 - c / beta) ** 2 * v**2 * c / 2
_J0 = c * v**2 / 2
_FIRST, _SECOND = (
    (1 - alpha) ** 2 * G**2 * d / (eps**2 * n**2),
    (1 - alpha) ** 4 * B**2 / (eps**2 * n**3),
)
_NOISE = (
    Range("n", "size", 1, 1e4),
    Range("d", "size", 1, 100),
    Range("G", "budget", 0.1, 10),
    Range("B", "budget", 0.1, 10),
    Range("alpha", "number", 0.05, 0.95),
    Range("eps", "budget", 0.1, 5),
    Range("delta", "budget", 1e-6, 0.1),
)
_RECORDS = tuple(Range(f"x{i}{j}", "number", -2, 2) for i in (1, 2) for j in (1, 2))
_ROUNDING = Fraction(1, 10**12)
_SUM = 8 * (20 * _FIRST + 5 * _SECOND) * log(3 / delta)

CLAIMS: dict[tuple[str, str], Claim] = {
    ("KS:Sec2:answer", "printed"): noise(CLASSIC, at="eps=12 delta=1/1000000"),
    ("KS:Alg4:users", "printed"): _users(B * CLASSIC, "eps=1/2 delta=1/10000 B=396"),
    ("KS:Alg4:users", "reading"): _users(CLASSIC),
    ("KS:Lem3.2:footnote", "printed"): _foot(1 / alpha, "alpha=1/10 X=3"),
    ("KS:Lem3.2:footnote", "reading"): _foot(X / alpha),
    ("KS:AppA:deviation", "printed"): _deviation(8, "alpha=1/10 beta=1/20 B=1"),
    ("KS:AppA:deviation", "reading"): _deviation(32),
    ("KS:AppC:sample", "printed"): _sample(Fraction(1, 20) / T, "alpha=1/100 d=500 T=1300"),
    ("KS:AppC:sample", "reading"): _sample(20 * T),
    ("KS:CorB.3:batches", "printed"): claim(
        FAIL,
        where=(Where("k", log(2 / beta) / log(Term("4/3"))),),
        says=relation(Term("3/4") ** k, "<=", beta / 2),
    ),
    ("KS:Claim4.1:step", "printed"): claim(
        Range("eps", "budget", 0.01, 1),
        Range("m", "size", 1, 100),
        Range("n", "size", 100, 1e5),
        says=relation(m * log(1 + (exp(eps) - 1) / n), "<=", 6 * eps * m / n),
        at="eps=4 m=10 n=1000",
    ),
    ("DPLR:Sec2.1:norm", "printed"): Claim(
        letters=_RECORDS,
        # As printed the sum runs over the records, each with its last covariate.
        conditions=(relation(Term("x12") ** 2 + Term("x22") ** 2, "<=", 1),),
        says=(relation(Term("x11") ** 2 + Term("x12") ** 2, "<=", 1),),
        at={"x11": "3/2", "x12": "0", "x21": "0", "x22": "0"},
    ),
    ("DPLR:Alg1:second-release", "printed"): claim(
        Range("eps", "budget", 0.01, 10),
        # One covariate: the sensitivity (8) is 1 + 1/4, and both releases move by 1.
        where=(Where("b", Fraction(5, 4) / eps),),
        says=relation(2 / b, "<=", eps),
        at="eps=1",
    ),
    ("BCMM:Thm4.2:privacy", "printed"): noise(
        eps / root(2 * log(3 / delta)), at="eps=9 delta=1/100"
    ),
    ("BCMM:Thm5.2:privacy", "printed"): noise(
        eps / root(2 * log(3 / delta)), at="eps=9 delta=1/100"
    ),
    ("BCMM:Thm4.2:composition", "printed"): claim(
        Range("T", "size", 1, 1e6),
        Range("eps", "budget", 0.05, 30),
        Range("delta", "budget", 1e-8, 0.1),
        says=relation(
            root(2 * T) * (eps / (2 * root(T * log(3 / delta)))),
            "=",
            eps / root(2 * log(3 / delta)),
        ),
    ),
    ("BCMM:AppC:kappa", "printed"): claim(
        Range("alpha", "number", 0.05, 0.95),
        Range("m", "size", 1, 1e4),
        says=relation(alpha**2 / m, "<=", alpha**2 / m**2),
        at="alpha=1/2 m=2",
    ),
    ("BCMM:Thm4.2:start", "printed"): claim(
        Range("lam", "budget", 0.1, 10),
        Range("x1", "number", -1, 1),
        Range("x2", "number", -1, 1),
        says=relation((lam * x1 - lam * x2) ** 2, "<=", lam**2),
        at="lam=1 x1=-1 x2=1",
    ),
    ("BCMM:Thm4.2:start", "reading"): claim(
        Range("lam", "budget", 0.1, 10),
        Range("x1", "number", -1, 1),
        Range("x2", "number", -1, 1),
        says=relation((lam * x1 - lam * x2) ** 2, "<=", 4 * lam**2),
    ),
    ("BCMM:Sec5:loss-bound", "printed"): claim(
        Range("G", "budget", 0.1, 10),
        Range("lam", "budget", 0.1, 10),
        says=relation(log(1 + exp(G * lam)), "<=", G * lam),
        at="G=1 lam=1",
    ),
    ("BCMM:Sec5:loss-bound", "reading"): claim(
        Range("G", "budget", 1e-6, 10),
        Range("lam", "budget", 1e-6, 10),
        says=relation(log(1 + exp(G * lam)), "<=", log(2) + G * lam),
    ),
    ("BCMM:Eq20:penalty", "printed"): claim(
        *_SCALE,
        where=(Where("z", 2 * B * Y),),
        says=relation(_size(z - lam), "<=", _size(2 * B - lam)),
        at="B=1 Y=0 lam=2",
    ),
    ("BCMM:Eq20:penalty", "reading"): claim(
        *_SCALE,
        where=(Where("z", 2 * B * Y),),
        says=relation(_size(z - lam), "<=", most(lam, _size(2 * B - lam))),
    ),
    ("BCMM:Eq23:sign", "printed"): claim(
        *_STEP,
        says=relation(beta**2 * (c * v / beta) ** 2, "<=", 4 * beta * (_J1 - _J0)),
        at="beta=1 c=1 v=1",
    ),
    ("BCMM:Eq23:sign", "reading"): claim(
        *_STEP,
        says=relation(beta**2 * (c * v / beta) ** 2, "<=", 4 * beta * (_J0 - _J1)),
    ),
    ("BCMM:Eq3:weights", "printed"): claim(
        Range("m", "size", 10, 1e5),
        Range("T", "size", 1, 1e6),
        Range("alpha", "number", 0.05, 0.95),
        Range("c", "budget", 0.05, 10),
        says=relation(c, "<=", alpha * root(T) / m ** Fraction(3, 2)),
        at="m=1000 T=1000 alpha=1/2 c=1",
    ),
    ("BCMM:ThmB.1:union", "printed"): claim(
        Range("k", "whole", 0, 60),
        Range("eta", "budget", 1e-6, 0.5),
        where=(Where("eta_k", eta / Term("2") ** (k + 1)),),
        says=relation(
            root(log(1 / Term("eta_k")) / 2), "<=", root(log(k + 1)) + root(log(2 / eta) / 2)
        ),
        at="k=24 eta=1/20",
    ),
    ("BCMM:ThmB.1:union", "reading"): claim(
        Range("k", "whole", 0, 60),
        Range("eta", "budget", 1e-6, 0.5),
        where=(Where("eta_k", eta / ((k + 1) * (k + 2))),),
        says=relation(
            root(log(1 / Term("eta_k")) / 2), "<=", root(log(k + 1)) + root(log(2 / eta) / 2)
        ),
    ),
    ("BCMM:Thm5.2:noise", "printed"): claim(
        *_NOISE,
        where=(Where("x", _SUM),),
        says=relation(x, "<=", 8 * (40 * _FIRST + _SECOND) * log(2 / delta)),
        at="n=1 d=1 G=1 B=10 alpha=1/2 eps=1 delta=1/100",
    ),
    ("DPLR:Eq10:expansion", "printed"): Claim(
        letters=(Range("z", "number", -8, 8),),
        where=(Where("x", log(2) + z / 2 + z**2 / 8 - log(1 + exp(z))),),
        says=(
            relation(0, "<=", x + _ROUNDING),
            relation(x, "<=", z**4 / 192 + _ROUNDING),
        ),
    ),
    ("DPLR:Eq13:square", "printed"): claim(
        *_SQUARE,
        says=relation((x1 * w1 + x2 * w2) ** 2, "=", (x1 * w1) ** 2 + (x2 * w2) ** 2),
        at="x1=1 x2=1 w1=1 w2=1",
    ),
    ("DPLR:Eq13:square", "reading"): claim(
        *_SQUARE,
        says=relation(
            (x1 * w1 + x2 * w2) ** 2,
            "=",
            (x1 * w1) ** 2 + 2 * (x1 * w1) * (x2 * w2) + (x2 * w2) ** 2,
        ),
    ),
    ("DPLR:Alg1:placement", "printed"): claim(
        Range("n", "size", 1, 1000),
        Range("s", "budget", 0.01, 10),
        where=(Where("x", 2 * n * s**2),),
        says=relation(x, "=", 2 * s**2),
        at="n=2 s=1/10",
    ),
}
