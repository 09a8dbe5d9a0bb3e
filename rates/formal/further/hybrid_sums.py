"""Further formal claims of [KS]: divergences of two groups, rounds, facts on noise, sizes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from rates.formal.claim import Claim, Range, Where, claim, relation
from rates.formal.further.equation import NOISE
from rates.formal.terms import Term, exp, least, letters, log, most, root

alpha, beta, delta, eps, eta, lam, sigma = letters("alpha beta delta eps eta lam sigma")
L, R, T, X, a, d, k, m, n, o, p, q, s, t, u1, u2, w1, w2, x, y = letters(
    "L R T X a d k m n o p q s t u1 u2 w1 w2 x y"
)
_TWO = Term("2")
_ACCURACY = Range("alpha", "budget", 1e-3, 0.125)
_WEIGHTS = Range("X", "budget", 1, 1e6)
# Two groups, with the shares p and q of the first among volunteers and in the population.
_GROUPS = (Range("p", "budget", 1e-6, 0.99), Range("q", "number", 0, 1))
_RATIOS = (
    Where("w1", q / p),
    Where("w2", (1 - q) / (1 - p)),
    Where("X", p * w1**2 + (1 - p) * w2**2),
)
_CUT = (*_RATIOS, Where("u1", least(w1, 4 * X / alpha)), Where("u2", least(w2, 4 * X / alpha)))
_MEAN = p * u1 + (1 - p) * u2
_LOG = log(8 * X / alpha)
# Appendix D at α = 0.01 and d = 200, with logs of base 2.
_TERMS = 200 * (log(8 * Term("10") ** 10) / log(2)) + log(8 / beta) / log(2)
_WORST = 800 * X * (log(100) / log(2)) * 10_000 * _TERMS


def _rounds(constant: int, potential: Term, printed: Term) -> Claim:
    """The last round at which the regret bound has not caught up, in nats, and as printed."""
    return claim(
        _ACCURACY,
        _WEIGHTS,
        where=(Where("T", constant * _LOG / alpha**2),),
        says=(
            relation(alpha * T / 8 + 8 * potential / alpha, "<=", 3 * alpha * T / 8),
            relation(T, "<=", printed),
        ),
    )


def _kept(target: Term, source: Term) -> Term:
    """One coordinate of X for spreads of the population and the volunteers."""
    return source**2 / (target * root(2 * source**2 - target**2))


def _crossing(step: Term, at: str = "") -> Claim:
    """Appendix A on [-1/2, 1/2] without noise: a step as long as the interval changes the end."""
    return claim(
        Range("alpha", "budget", 0.05, 0.124),
        Range("s", "budget", 1e-4, 1e-2),
        where=(Where("R", 9 * (1 + s**2) / alpha**2), Where("x", step)),
        conditions=(relation(x, ">=", 1),),
        # The iterates are 1/2 and -1/2 in turn, so their mean is 0, up to 1/(2R).
        says=(relation(Fraction(1, 4) - 1 / (2 * R), "<=", alpha),),
        at=at,
    )


CLAIMS: dict[tuple[str, str], Claim] = {
    ("KS:Sec1:baseline", "printed"): claim(
        *_GROUPS, where=_RATIOS, says=relation(q, "<=", root(X * p))
    ),
    ("KS:Sec2:mean-square", "printed"): claim(
        *_GROUPS,
        where=_RATIOS,
        says=(
            relation(q * w1 + (1 - q) * w2, "=", X),
            relation(X, "=", p * (w1 - 1) ** 2 + (1 - p) * (w2 - 1) ** 2 + 1),
        ),
    ),
    ("KS:Sec2:answer", "reading"): replace(NOISE, where=(*NOISE.where, Where("sigma", 1 / t))),
    ("KS:Claim4.1:step", "reading"): claim(
        Range("eps", "budget", 0.05, 6),
        Range("m", "size", 1, 60),
        Range("n", "budget", 2, 1e4),
        # The learner that attains it: a sum over the draws of one person, by the binomial theorem.
        where=(Where("p", 1 / n),),
        says=relation(log((1 - p + p * exp(eps)) ** m), "=", m * log(1 + (exp(eps) - 1) / n)),
    ),
    ("KS:Sec3:regret", "printed"): claim(
        Range("eta", "budget", 1e-3, 0.1),
        *(Range(name, "number", 0, 1) for name in ("s", "x", "y")),
        # One round with two records of weights s and 1 - s; an eighth of what is printed is enough.
        says=relation(
            log(s * exp(-eta * x) + (1 - s) * exp(-eta * y)),
            "<=",
            eta**2 / 8 - eta * (s * x + (1 - s) * y),
        ),
    ),
    ("KS:Thm3.1:rounds", "printed"): _rounds(32, _LOG, 32 * _LOG / (alpha**2 * log(2))),
    ("KS:Thm4.3:rounds", "printed"): _rounds(128, 4 * _LOG, 128 * _LOG / (alpha**2 * log(2))),
    ("KS:Thm4.3:sharp", "printed"): claim(
        _ACCURACY,
        _WEIGHTS,
        where=(Where("T", 65 * _LOG / alpha**2),),
        says=relation(
            alpha * T / 8 + 8 * (2 * (1 + alpha / 8) * _LOG) / alpha, "<=", 3 * alpha * T / 8
        ),
    ),
    ("KS:Lem3.2:truncation", "printed"): claim(
        _ACCURACY,
        _GROUPS[0],
        Range("t", "budget", 0.01, 8),
        where=(Where("q", least(1, t * alpha)), *_CUT),
        # A sixteenth instead of a quarter is what is needed.
        says=(relation(1 - alpha / 16, "<=", _MEAN), relation(_MEAN, "<=", 1)),
    ),
    ("KS:Lem3.2:divergence", "printed"): claim(
        _ACCURACY,
        *_GROUPS[:1],
        Range("q", "number", 1e-9, 1),
        where=(*_CUT, Where("m", _MEAN)),
        # Beside what is printed, what Jensen's inequality gives.
        says=relation(
            (p * u1 * log(u1 / m) + (1 - p) * u2 * log(most(u2, Fraction(1, 10**30)) / m))
            / (m * log(2)),
            "<=",
            least(log((p * u1**2 + (1 - p) * u2**2) / m**2) / log(2), _LOG / log(2)),
        ),
    ),
    ("KS:Eq2:projection", "printed"): claim(
        *(Range(name, "budget", 1e-6, 1) for name in ("w1", "w2", "x")),
        Range("k", "number", 1, 1.99),
        # Two records and k for kappa n; the weight w1 is replaced by x.
        where=(
            Where("u1", (least(u1 * w1, 1) + least(u1 * w2, 1)) / k, solves=True),
            Where("u2", (least(u2 * x, 1) + least(u2 * w2, 1)) / k, solves=True),
            Where("s", least(u1 * w1, 1) - least(u2 * x, 1)),
            Where("t", least(u1 * w2, 1) - least(u2 * w2, 1)),
        ),
        says=(
            relation(least(u1 * w1, 1) + least(u1 * w2, 1), "=", k),
            relation((most(s, -s) + most(t, -t)) / (2 * k), "<=", 1 / k),
        ),
    ),
    ("KS:Sec5:gaussians", "printed"): claim(
        Range("k", "size", 1, 12),
        Range("s", "budget", 0.1, 10),
        Range("x", "number", 0.05, 1.38),
        # The integrand is a Gaussian of precision lam.
        where=(Where("t", s * x), Where("lam", 2 / t**2 - 1 / s**2)),
        says=relation((s / (t**2 * root(lam))) ** k, "=", _kept(t, s) ** k),
    ),
    ("KS:AppA:fact-noise", "printed"): claim(
        Range("a", "budget", 1.05, 20),
        Range("L", "budget", 0.01, 10),
        Range("sigma", "budget", 0.1, 10),
        Range("t", "number", 0, 2),
        Range("x", "number", -5, 5),
        where=(Where("s", t * L / sigma),),
        # Completing the square gives the divergence at a distance of t L, t at most 2.
        says=(
            relation(a * (x - s) ** 2 + (1 - a) * x**2, "=", (x - a * s) ** 2 - a * (a - 1) * s**2),
            relation(a * (a - 1) * s**2 / 2 / (a - 1), "<=", a * (2 * L**2 / sigma**2)),
        ),
    ),
    ("KS:AppA:fact-conversion", "printed"): claim(
        Range("p", "budget", 1e-3, 5),
        Range("o", "budget", 1.05, 20),
        Range("delta", "budget", 1e-8, 0.36),
        where=(Where("eps", p * o + log(1 / delta) / (o - 1)),),
        # Markov's inequality for exp((o - 1) times the loss), whose mean is at most exp of this.
        says=relation(exp((o - 1) * (p * o - eps)), "=", delta),
    ),
    ("KS:AppA:step", "printed"): _crossing(1 / (s * root(R)), "alpha=1/10 s=1/100"),
    ("KS:AppA:step", "reading"): claim(
        Range("alpha", "budget", 0.05, 0.124),
        Range("L", "budget", 0.1, 10),
        Range("T", "budget", 0.1, 10),
        Range("s", "budget", 1e-4, 1e-2),
        Range("d", "size", 1, 10),
        # T stands for the diameter, x for the root of the mean squared gradient.
        where=(Where("x", root(L**2 + s**2 * d)), Where("R", 9 * T**2 * x**2 / alpha**2)),
        says=relation(
            (T**2 * x * root(R) / (2 * T) + x**2 / 2 * (T / x) * 2 * root(R)) / R, "=", alpha / 2
        ),
    ),
    ("KS:PropB.1:enough", "printed"): claim(
        Range("n", "whole", 2, 20),
        where=(Where("x", _TWO**-n),),
        # Two bits: the chance of rank below 2 is exact on the left.
        says=relation(1 - (1 - x) * (1 - 2 * x), "<=", least(_TWO ** (2 - n), 3 * x)),
    ),
    ("KS:AppD:values", "printed"): claim(
        Range("s", "number", 0.4, 0.4),
        Range("t", "number", 0.07, 0.07),
        says=(
            relation(_kept(s, Term("1")) ** 6, ">", Fraction(391, 10)),
            relation(_kept(s, Term("1")) ** 6, "<=", Fraction(395, 10)),
            relation(_kept(t, Term("1/10")) ** 2, ">", Fraction(135, 100)),
            relation(_kept(t, Term("1/10")) ** 2, "<=", Fraction(136, 100)),
        ),
    ),
    ("KS:AppD:worst-case", "printed"): claim(
        Range("beta", "budget", 1e-6, 0.12),
        where=(Where("X", _kept(Term("2/5"), Term("1")) ** 6),),
        says=(relation(_WORST, ">=", 1498 * 10**10), relation(_WORST, "<=", 1525 * 10**10)),
    ),
}
