"""Formal claims of [KS] on sizes: answers, records, rounds and what a run costs."""

from __future__ import annotations

from fractions import Fraction

from rates.formal.claim import Claim, Range, Where, claim, relation
from rates.formal.terms import Term, exp, least, letters, log, most, root

alpha, beta, eps, delta, kappa, sigma = letters("alpha beta eps delta kappa sigma")
B, H, L, N, R, T, X, d, k, m, n, p, q, s, t, u1, u2, w1, w2, x, y = letters(
    "B H L N R T X d k m n p q s t u1 u2 w1 w2 x y"
)
_HALF = Fraction(1, 2)
_ACCURACY = Range("alpha", "budget", 1e-3, 0.125)
_FAILURE = Range("beta", "budget", 1e-6, 0.125)
_WEIGHTS = Range("X", "budget", 1, 1e6)
_ROUNDS = Range("T", "size", 49_152, 1e12)  # of Algorithm 2 there are never fewer
_LOG = log(2 / delta)


def _log2(of: Term) -> Term:
    return log(of) / log(2)


def _records(inside: Term, unit: int, at: str = "") -> Claim:
    """Algorithm 1: the exponent of the deviation bound covers the growth function.

    With 600 for the printed 200 a third of the exponent covers it, and hardly less does.
    """
    asked = 800 * X * log(inside / alpha) / alpha**2
    asked = asked * (d * log(400 * d * inside / alpha**3) + log(8 / beta))
    return claim(
        _ACCURACY,
        _FAILURE,
        Range("X", "budget", 1, 1e40),
        Range("d", "size", 1, 1e4),
        where=(Where("n", asked),),
        says=(
            relation(
                d * log(2 * exp(1) * n / d) + log(8 / beta),
                "<=",
                n * alpha**2 / (unit * X * log(inside / alpha)),
            ),
        ),
        at=at,
    )


def _halts(rate: Term, inside: Term, at: str = "") -> Claim:
    """Algorithm 4: after T rounds the regret bound has caught up with going on; B is LD."""
    rounds = 128 * B**2 * _log2(8 * inside / alpha) / alpha**2
    return claim(
        _ACCURACY,
        _WEIGHTS,
        Range("B", "budget", 1, 1000),
        where=(Where("T", rounds),),
        says=(
            relation(
                rate * T + 4 * _log2(8 * inside / alpha) / rate, "<=", 3 * alpha * T / (8 * B)
            ),
        ),
        at=at,
    )


def _volunteers(rounds: Term, at: str = "") -> Claim:
    """Appendix D: the records that so many rounds of R steps ask for; X and kappa as there."""
    return claim(
        Range("R", "size", 5e7, 5e7),
        where=(
            Where("alpha", Term("2/25")),
            # The two coordinates' spreads are 0.1 and 0.07.
            Where(
                "X", Term("1/10") ** 4 / (Term("7/100") ** 2 * (Term("2/100") - Term("49/10000")))
            ),
            Where("kappa", alpha / (4 * X)),
            Where("T", rounds),
            Where("y", 52 * R * T / (8 * kappa**2 * _HALF)),
        ),
        says=(
            relation(root(y * log(y)), ">=", 324_500_000),
            relation(root(y * log(y)), "<=", 324_900_000),
        ),
        at=at,
    )


_NOISE = root(2 * _LOG) / eps
_ONE = 4 * _LOG * log(4 / beta) / (eps**2 * alpha**2)
_ENOUGH = log(2 / beta) / alpha**2 * (_HALF + 4 * _LOG / eps**2)
_SHARE = eps / root(288 * T * _LOG)  # m over kappa n at the stated n
_LEARNER = log(H * T / beta) / alpha
_TEST = (Range("eps", "budget", 2, 100), Range("delta", "budget", 1e-10, 1e-3))
_RUN = (_ROUNDS, Range("eps", "budget", 0.01, 10), Range("delta", "budget", 1e-10, 0.25))
_LONG = (_ROUNDS, Range("eps", "budget", 0.01, 60), Range("delta", "budget", 1e-10, 0.25))

CLAIMS: dict[tuple[str, str], Claim] = {
    ("KS:Sec2:users", "printed"): claim(
        Range("alpha", "budget", 0.05, 0.125),
        Range("beta", "budget", 1e-4, 0.5),
        *_TEST,
        # One answer is asked for: it is 0 or 1, and their mean is 1/2.
        where=(Where("sigma", _NOISE),),
        conditions=(relation(_ONE, "<=", 1),),
        says=(
            relation(
                Term("Phi", ((_HALF - alpha) / sigma,)) + Term("Phi", ((-_HALF - alpha) / sigma,)),
                "<=",
                beta,
            ),
        ),
        at="alpha=3/25 beta=1/10 eps=90 delta=1/1000",
    ),
    ("KS:Sec2:users", "reading"): claim(
        Range("alpha", "budget", 0.05, 0.125),
        Range("beta", "budget", 1e-4, 0.5),
        *_TEST,
        where=(Where("sigma", _NOISE),),
        says=(relation(2 * exp(-(alpha**2) / (2 * (_HALF**2 + sigma**2) / _ENOUGH)), "<=", beta),),
    ),
    ("KS:Alg1:records", "printed"): _records(Term("1"), 200, "alpha=3/25 beta=1/10 X=1e30 d=1"),
    ("KS:Alg1:records", "reading"): _records(X, 600),
    ("KS:Alg4:scaling", "printed"): _halts(alpha / 8, X, "alpha=1/10 X=2 B=10"),
    ("KS:Alg4:scaling", "reading"): _halts(alpha / (8 * B), B * X),
    ("KS:AppC:spread", "printed"): claim(
        Range("s", "number", 0.01, 0.01),
        # X of ten coordinates, with 1 for the volunteers' spread.
        says=(relation((s * root(2 - s**2)) ** -10, "<=", 4 * Term("10") ** 15),),
        at="s=1/100",
    ),
    ("KS:AppD:records", "printed"): _volunteers(
        128 * (Term("1/10") * Term("6/1000")) ** 2 * _log2(8 * X / alpha) / alpha**2, "R=50000000"
    ),
    ("KS:AppD:records", "reading"): _volunteers(Term("997")),
    ("KS:PropB.1:rank", "printed"): claim(
        Range("d", "size", 2, 60),
        _FAILURE,
        # More than d vectors of d bits are never linearly independent.
        says=(relation(d * _log2(d / beta), "<=", d),),
        at="d=2 beta=1/10",
    ),
    ("KS:ClaimB.2:rank", "printed"): claim(
        Range("d", "size", 2, 60),
        _FAILURE,
        Range("X", "budget", 1, 1e3),
        says=(relation(4 * X * d * log(d / beta), "<=", d),),
        at="d=2 beta=1/10 X=1",
    ),
    ("KS:CorB.3:rank", "printed"): claim(
        Range("d", "size", 2, 60),
        _FAILURE,
        Range("X", "budget", 1, 1e3),
        Range("eps", "budget", 0.05, 0.5),
        # Half of the records that are kept on average; k batches.
        where=(
            Where("k", Term("ceil", (log(2 / beta) / log(Fraction(4, 3)),))),
            Where("n", 32 * X * d * log(2 * d * k / beta) / eps),
        ),
        says=(relation(eps / 8 * n, "<=", d),),
        at="d=2 beta=1/10 X=1 eps=1/2",
    ),
    ("KS:Thm4.2:delta", "printed"): claim(
        *_RUN,
        # A quarter of what is asked for is enough, and hardly more than is used.
        says=(
            relation(
                4 * exp(6 * _SHARE) * _SHARE * (delta / (eps * root(2 * T))),
                "<=",
                delta / (8 * T),
            ),
        ),
    ),
    ("KS:Thm4.2:privacy", "printed"): claim(
        *_LONG,
        # By composition of T steps of x each, their deltas aside.
        where=(Where("x", 6 * _SHARE),),
        conditions=(relation(eps, "<=", 8 * _LOG),),
        says=(
            relation(x, "=", eps / root(8 * T * _LOG)),
            relation(root(2 * T * _LOG) * x + T * x * (exp(x) - 1) / (exp(x) + 1), "<=", eps),
        ),
    ),
    ("KS:Thm4.3:potential", "printed"): claim(
        Range("alpha", "budget", 1e-3, 0.125),
        Range("p", "budget", 1e-6, 0.9),
        Range("q", "number", 0.001, 0.999),
        # Two groups, shares p and q of the first among volunteers and in the population.
        where=(
            Where("w1", q / p),
            Where("w2", (1 - q) / (1 - p)),
            Where("X", p * w1**2 + (1 - p) * w2**2),
            Where("u1", 2 * least(w1, 4 * X / alpha)),
            Where("u2", 2 * least(w2, 4 * X / alpha)),
            Where("m", p * u1 + (1 - p) * u2),
        ),
        # Density, then the potential; beside what is printed, what Jensen's inequality gives.
        says=(
            relation(m, ">=", 1),
            relation(
                p * u1 * log(u1) + (1 - p) * u2 * log(u2) - m + 1,
                "<=",
                least(m * log(4 * X / m) - m + 1, 4 * log(8 * X / alpha)),
            ),
        ),
    ),
    ("KS:Cor4.4:domination", "printed"): claim(
        _ACCURACY,
        _FAILURE,
        _WEIGHTS,
        Range("eps", "budget", 0.01, 1),
        Range("delta", "budget", 1e-10, 0.9),
        Range("H", "budget", 2, 1e200),
        where=(Where("T", 128 * _log2(8 * X / alpha) / alpha**2), Where("kappa", alpha / (8 * X))),
        says=(
            relation(
                _LEARNER * root(288 * T * _LOG) / (eps * kappa),
                ">=",
                3000 / alpha * (X * log(H / beta) / (alpha**2 * eps)),
            ),
        ),
    ),
    ("KS:AppA:account", "printed"): claim(
        Range("eps", "budget", 0.01, 0.99),
        Range("delta", "budget", 1e-10, 0.24),
        Range("T", "size", 1e2, 1e14),
        Range("kappa", "budget", 1e-6, 0.0156),
        Range("L", "budget", 0.01, 100),
        # T stands for all steps, RT, and x for log(kappa n); half of the first bound is enough.
        where=(
            Where("y", 52 * T / (8 * kappa**2 * eps)),
            Where("n", root(y * log(y))),
            Where("x", log(kappa * n)),
            Where("s", most(20 * L**2, (16 * L**2 * log(1 / delta) / eps + 8 * L**2) / x)),
        ),
        says=(
            relation(26 * T * x / (8 * kappa**2 * n**2), "<=", eps / 4),
            relation(8 * L**2 * log(1 / delta) / (s * x - 8 * L**2), "<=", eps / 2),
        ),
    ),
}
