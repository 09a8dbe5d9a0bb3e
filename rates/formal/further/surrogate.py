"""Formal claims of [BCMM] and [DPLR]: weights, steps, and the surrogate with its noise."""

from __future__ import annotations

from fractions import Fraction

from rates.formal.claim import Claim, Range, Where, claim, relation
from rates.formal.terms import Term, exp, letters, log, most, root

alpha, delta, eps, eta, lam, pi, sigma = letters("alpha delta eps eta lam pi sigma")
A, C, B, G, b, c, d, e, m, n, p, s, t, v, w, x, y = letters("A C B G b c d e m n p s t v w x y")
_TERM = (Range("x", "number", -2, 2), Range("w", "number", -2, 2), Range("y", "whole", 0, 1))
_QUADRATIC = (
    Range("G", "number", 0, 50),
    Range("e", "number", -100, 100),
    Range("b", "number", -20, 20),
    Range("c", "budget", 1e-3, 1),
    Range("t", "number", -1, 1),
)
_SUM = root(d) + d / 4  # (8) at radius 1


def _objective(constant: Term, at: str = "") -> Claim:
    """The surrogate of one record, against the sum of its coefficients."""
    return claim(
        *_TERM,
        says=(
            relation(
                log(2) + x * w / 2 + (x * w) ** 2 / 8 - y * x * w,
                "=",
                constant + (Fraction(1, 2) - y) * x * w + x**2 / 8 * w**2,
            ),
        ),
        at=at,
    )


_STEPS = (
    eps
    * n ** Fraction(3, 2)
    / root(log(2 / delta))
    / root(40 * G**2 * d * n + (1 - alpha) ** 2 * B**2)
)
_CURVE = most(G + e, c)

CLAIMS: dict[tuple[str, str], Claim] = {
    ("BCMM:Sec5:iterations", "printed"): claim(
        Range("n", "size", 1, 1e6),
        Range("d", "size", 1, 100),
        Range("G", "budget", 0.01, 10),
        Range("B", "budget", 0.01, 10),
        Range("alpha", "number", 0.01, 0.9),
        Range("eps", "budget", 0.05, 10),
        Range("delta", "budget", 1e-8, 0.01),
        # T of Appendix D.3 with its smoothness and M held fixed; the constant is that of n = 1.
        says=(relation(_STEPS, "<=", eps / root(d * log(1 / delta)) / (root(40) * G)),),
        at="n=100 d=1 G=1 B=1 alpha=1/2 eps=1 delta=1/100",
    ),
    ("BCMM:Eq5:index", "printed"): claim(
        Range("m", "size", 1, 1e4),
        Range("n", "size", 1, 1e4),
        # The first private record is the one after the m public ones.
        says=(relation(n + 1, "=", m + 1),),
        at="m=2 n=1",
    ),
    ("BCMM:Eq9:deviation", "printed"): claim(
        Range("m", "size", 1, 1e4),
        Range("p", "number", 0.01, 0.99),
        Range("eta", "budget", 0.01, 0.5),
        # All weight on one record, whose loss is B with probability p: it deviates by p B.
        conditions=(relation(p, ">", root(log(1 / eta) / (2 * m))),),
        says=(relation(1 - p, "<=", eta),),
        at="m=100 p=1/2 eta=1/10",
    ),
    ("DPLR:Eq5:constant", "printed"): _objective(Term("0"), "x=1 w=1 y=0"),
    ("DPLR:Eq5:constant", "reading"): _objective(log(2)),
    ("DPLR:Eq4:event", "printed"): claim(
        Range("eps", "budget", 0.01, 10),
        Range("b", "budget", 1e-3, 100),
        # Single outputs of Laplace noise have probability 0; the loss is 1 over its scale b.
        conditions=(relation(0, "<=", exp(eps) * 0),),
        says=(relation(1 / b, "<=", eps),),
        at="eps=1 b=1/2",
    ),
    ("DPLR:Eq9:indefinite", "printed"): claim(
        *_QUADRATIC[:2], says=(relation(G + e, ">", 0),), at="G=1 e=-2"
    ),
    ("DPLR:Eq9:indefinite", "reading"): claim(
        *_QUADRATIC,
        where=(Where("w", -4 * b * t / _CURVE),),
        says=(relation(_CURVE / 8 * w**2 + b * w, ">=", -2 * b**2 / _CURVE),),
    ),
    ("DPLR:Eq11:bias", "printed"): claim(
        Range("v", "budget", 0.5, 100),
        # Normal errors, signal of variance v: the slope of the mean surrogate at beta is 0.
        says=(relation(v / 4, "=", v / root(2 * pi * (1 + v))),),
        at="v=26",
    ),
    ("DPLR:Alg1:unclipped", "printed"): claim(
        Range("x", "budget", 0.1, 200),
        Range("eps", "budget", 0.1, 1000),
        # x is the sum of a record's covariates, and the other record is 0.
        says=(relation((x / 2 + x**2 / 8) / Fraction(1, 10), "<=", eps),),
        at="x=40 eps=1",
    ),
    ("DPLR:Alg1:placement", "reading"): claim(
        Range("d", "size", 1, 60),
        Range("eps", "budget", 0.01, 10),
        # The scale at which the loss of the worst pair is eps; one draw of noise for the sum.
        where=(Where("s", s * eps / _SUM, solves=True),),
        says=(relation(2 * s**2, "=", 2 * (_SUM / eps) ** 2),),
    ),
    ("DPLR:Eq3:argument", "printed"): claim(
        Range("x", "number", 0.2, 2),
        Range("y", "whole", 0, 1),
        # As printed this is the slope of a record's loss at every coefficient.
        says=(relation(-(y * x), "=", 0),),
        at="x=1 y=1",
    ),
    ("BCMM:Sec4:dca", "printed"): claim(
        Range("A", "budget", 0.05, 2),
        Range("C", "budget", 0.05, 2),
        Range("b", "number", -1, 1),
        Range("e", "number", -1, 1),
        # At 1 the next step stays there; the values are those at 1 and at -1.
        conditions=(relation((e + A - b) / C, ">=", 1),),
        says=(relation((A - C) - 2 * (b - e), ">=", (A - C) + 2 * (b - e)),),
        at="A=1 C=1/2 b=1/8 e=0",
    ),
}
