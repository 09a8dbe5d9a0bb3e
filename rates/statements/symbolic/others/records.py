"""[KS] Section 3: the records of Algorithm 1; a derivation step by step."""

from __future__ import annotations

import sympy
from sympy import E, log

from rates.statements.symbolic.letters import slack
from rates.statements.symbolic.record import Proof

a, d, z = sympy.symbols("alpha d z", positive=True)
A, M, X = sympy.symbols("A M X", positive=True)
lam = sympy.Symbol("lambda", positive=True)  # log(8/β)/d


def records(p: Proof) -> str:
    """The deviation bound at our number of records."""
    v, w = slack("v"), slack("w")  # log(1/α) = log 8 + v, log d = w
    whole = A + lam
    n = 800 * X * M / a**2 * d * whole
    p.check(
        "Let A = log(400dX/α³), M = log(X/α) and λ = log(8/β)/d. With our n",
        r"\log \frac{2 e n}{d} = \log (1600 e) + \log \frac{X}{\alpha^2} + \log M + "
        r"\log (A + \lambda)",
        log(2 * E * n / d) - log(1600) - 1 - log(X / a**2) - log(M) - log(whole),
    )
    p.check(
        "By the definitions of A and M,",
        r"\log \frac{X}{\alpha^2} = A - \log \frac{400 d}{\alpha},\quad "
        r"M = A - \log \frac{400 d}{\alpha^2}",
        log(X / a**2) - log(400 * d * X / a**3) + log(400 * d / a),
        log(X / a) - log(400 * d * X / a**3) + log(400 * d / a**2),
    )
    fall = log(400) + w + log(8) + v
    p.check(
        "α is at most 1/8 and d at least 1: with log(1/α) = log 8 + v and log d = w, v and w at "
        "least 0,",
        r"\log (1600 e) + \log \frac{X}{\alpha^2} = A + 1 - \log 2 - v - w,\quad "
        r"M = A - \log 25600 - 2 v - w",
        log(1600) + 1 + A - fall - (A + 1 - log(2) - v - w),
        A - (log(400) + w + 2 * (log(8) + v)) - (A - log(25600) - 2 * v - w),
    )
    f = z - 1 - log(z)
    p.check(
        "f(z) = z - 1 - log z vanishes at 1, where its slope changes its sign from - to +; so "
        "log x is at most x/c + log c - 1 for every c > 0, with z = x/c.",
        r"f^{\prime} = \frac{z - 1}{z}",
        f.subs(z, 1),
        f.diff(z) - (z - 1) / z,
    )
    m = A - log(25600) - 2 * v - w
    logs = (m / 4 + log(4) - 1) + (whole / 12 + log(12) - 1)
    rest = 1 + log(25600) / 4 - log(24)
    gap = whole * sympy.Rational(4, 3) - lam - (A + 1 - log(2) - v - w) - logs
    p.check(
        "With c = 4 for M and c = 12 for A + λ, what is left to 4(A + λ)/3 is",
        r"\frac{4}{3} (A + \lambda) - \lambda - \log \frac{2 e n}{d} \ge "
        r"\frac{\lambda}{4} + \frac{3 v}{2} + \frac{5 w}{4} + 1 + \frac{\log 25600}{4} - \log 24",
        gap - (lam / 4 + 3 * v / 2 + 5 * w / 4 + rest),
    )
    p.check(
        "and this is positive.",
        rf"1 + \frac{{\log 25600}}{{4}} - \log 24 = {float(rest.evalf(4)):.3f}",
        holds=rest.is_positive,
    )
    p.check(
        "Times d, the right side is",
        r"\frac{4}{3} d (A + \lambda) = \frac{n \alpha^2}{600 X M}",
        4 * d * whole / 3 - n * a**2 / (600 * X * M),
    )
    return (
        r"d \log \frac{2 e n}{d} + \log \frac{8}{\beta} \le "
        r"\frac{n \alpha^2}{600 X \log (X/\alpha)}"
    )


DERIVATIONS = {"KS:Alg1:records": ("Records of Algorithm 1", records)}
