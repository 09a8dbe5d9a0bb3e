"""[ACC] Sections 2, 4, 5 and 6: grid, adaptive weights, noise and margin; derivations."""

from __future__ import annotations

import sympy

from rates.statements.symbolic.letters import letters as s
from rates.statements.symbolic.letters import log_letters as ln
from rates.statements.symbolic.letters import slack
from rates.statements.symbolic.noise import gaussian_failure
from rates.statements.symbolic.record import Proof


def grid(p: Proof) -> str:
    """The grid of bandwidths reaches r with base 2, and not with natural logs."""
    total = sympy.Symbol("n_*", positive=True)
    edge = total ** (-1 / s.d)
    p.check(
        "At r = n_*^(-1/d), at most 1, each term of (5) is at most its part of n_* times r^d, so "
        "the left side is at most 1 and the root is at least this.",
        rf"n_*\, r^d = 1 \text{{ at }} r = {sympy.latex(edge)}",
        total * edge**s.d - 1,
    )
    j = sympy.Symbol("j", positive=True)
    (last,) = sympy.solve(sympy.Eq(2**-j, edge), j)
    p.check(
        "The grid 2^-j ends there if j goes up to the logarithm with base 2.",
        r"j = \frac{\log_2 n_*}{d}",
        last - sympy.log(total, 2) / s.d,
    )
    ends = 2 ** (-sympy.log(total) / s.d)
    p.check(
        "With the natural logarithm it ends higher.",
        r"2^{-\frac{\ln n_*}{d}} = n_*^{-\frac{\ln 2}{d}}",
        sympy.expand_log(sympy.log(ends), force=True) + sympy.log(2) * sympy.log(total) / s.d,
    )
    x = ln.x  # 2βγ
    (most,) = sympy.solve(sympy.Eq(1 / (x + s.d), sympy.log(2) / s.d), x)
    p.check(
        "Sources without privacy have r = n_*^(-1/(2βγ+d)), below that end for 2βγ less than",
        rf"2 \beta \gamma < d \left(\frac{{1}}{{\ln 2}} - 1\right) \approx "
        rf"{float((most / s.d).evalf(4)):.4f}\, d",
        most - s.d * (1 / sympy.log(2) - 1),
    )
    return r"\mathcal{H} = \{2^{-j} : j = 0, \ldots, \lfloor \log_2(n_*)/d \rfloor\}"


def simplex(p: Proof) -> str:
    """The maximum over weights in Algorithm 2 in closed form."""
    a1, a2, b1, b2, w1, w2, w = sympy.symbols("a1 a2 b1 b2 w1 w2 w", positive=True)
    x, y = sympy.symbols("x y", positive=True)
    pair = a1**2 * b2 * w2**2 / b1 + a2**2 * b1 * w1**2 / b2 - 2 * w1 * a1 * w2 * a2
    square = (a1 * b2 * w2 - a2 * b1 * w1) ** 2 / (b1 * b2)
    p.check(
        "For statistics a of one sign, Σ a²/b times Σ w² b less (Σ w a)² is a sum over pairs "
        "(Cauchy and Schwarz), each with x = a1 b2 w2 and y = a2 b1 w1",
        r"\frac{x^2 + y^2 - 2xy}{b_1 b_2} = \frac{(x - y)^2}{b_1 b_2} \ge 0",
        pair - square,
        pair - ((x**2 + y**2 - 2 * x * y) / (b1 * b2)).subs({x: a1 * b2 * w2, y: a2 * b1 * w1}),
    )
    value = (w1 * a1 + w2 * a2) ** 2 / (w1**2 * b1 + w2**2 * b2)
    p.check(
        "So the ratio is at most Σ a²/b, and it is that at w proportional to |a|/b.",
        r"\frac{(w_1 a_1 + w_2 a_2)^2}{w_1^2 b_1 + w_2^2 b_2} = "
        r"\frac{a_1^2}{b_1} + \frac{a_2^2}{b_2}",
        value.subs({w1: a1 / b1, w2: a2 / b2}) - a1**2 / b1 - a2**2 / b2,
    )
    u = slack("u")
    p.sign(
        "A server of the other sign only takes away: with y the part of its sign and x ≥ y the "
        "other, x = y + u, leaving it out raises the square,",
        "x^2 - (x - y)^2",
        ((x**2 - (x - y) ** 2).subs(x, y + u)).expand(),
        y**2 + 2 * u * y,
    )
    p.sign("and lowers the variance.", r"w^2 b", w**2 * b1, w**2 * b1)
    return (
        r"\max_w \frac{(\sum w_j a_j)^2}{\sum w_j^2 b_j} = "
        r"\sum_{a_j > 0} \frac{a_j^2}{b_j} \vee \sum_{a_j < 0} \frac{a_j^2}{b_j}"
    )


def threshold(p: Proof) -> str:
    """The thresholds in the text and in Algorithm 2 agree for one source only."""
    size = sympy.Symbol("n_*", positive=True)
    text, algorithm = sympy.log(size * (s.m + 1)), sympy.log(2 * size)
    p.check(
        "With |H| taken into n_*, the text and Algorithm 2 differ by this,",
        r"\log \frac{n_* (m+1)}{2 n_*} = \log \frac{m+1}{2}",
        text - algorithm - sympy.log((s.m + 1) / 2),
    )
    p.solve("which is 0 for one source only.", (s.m + 1) / 2 - 1, s.m)
    p.check(
        "There the factor is that of Algorithm 1.",
        r"2.25\,(m+1) = 4.5",
        sympy.Rational(9, 4) * (1 + 1) - sympy.Rational(9, 2),
    )
    return r"n_* (m+1) = 2 n_* \iff m = 1"


def noise(p: Proof) -> str:
    """The noise of (9) is too small for large ε."""
    return gaussian_failure(p, 2)


def crossing(p: Proof) -> str:
    """A surface that crosses 1/2 has margin at most 1/β."""
    p.root(
        "Where the surface crosses 1/2, it stays within t of 1/2 up to a distance x with "
        "L x^β = t.",
        ln.L + s.beta * ln.x - ln.t,
        ln.x,
        "x",
    )
    v = slack("v", strict=True)
    p.equal(
        "The share of patients there is at least of this order. A margin of 1/β + v bounds it by a "
        "multiple of t^(1/β + v), and the ratio",
        r"\frac{t^{1/\beta}}{t^{1/\beta + v}}",
        s.t ** (1 / s.beta) / s.t ** (1 / s.beta + v),
        s.t**-v,
    )
    p.check(
        "has no bound as t tends to 0.",
        r"\lim_{t \to 0} t^{-v} = \infty",
        1 / sympy.limit(s.t ** (-v), s.t, 0, "+"),
    )
    return r"\alpha \le \frac{1}{\beta} \text{ where the surface crosses}"


def simulation_margin(p: Proof) -> str:
    """The margin of the simulated surface: every α below 4, and not 4."""
    x, y, c, t = sympy.symbols("x y c t", positive=True)
    inner = sympy.integrate(4, (y, 0, c / x))
    share = sympy.integrate(4 * sympy.Rational(1, 2), (x, 0, 2 * c)) + sympy.integrate(
        inner, (x, 2 * c, sympy.Rational(1, 2))
    )
    p.check(
        "With x and y uniform on [0, 1/2] the share of x y ≤ c = t^4 is an area.",
        r"\int_0^{2c} 2\, dx + \int_{2c}^{1/2} \frac{4c}{x}\, dx = 4c + 4c \log \frac{1}{4c}",
        share - 4 * c * (1 + sympy.log(1 / (4 * c))),
    )
    scaled = (share / c).subs(c, t**4)
    p.check(
        "Over t^4 it has no bound,",
        r"\lim_{t \to 0} \frac{P}{t^4} = \infty",
        1 / sympy.limit(scaled, t, 0, "+"),
    )
    v = slack("v", strict=True)
    p.check(
        "but over t^(4 - v) it tends to 0 for every v > 0; write t = e^-x.",
        r"\lim_{t \to 0} \frac{P}{t^{4 - v}} = 0",
        sympy.limit(4 * (1 + 4 * x - sympy.log(4)) * sympy.exp(-v * x), x, sympy.oo),
        (scaled * t**v).subs(t, sympy.exp(-x)) - 4 * (1 + 4 * x - sympy.log(4)) * sympy.exp(-v * x),
    )
    return r"P = 4 t^4 \left(1 + \log \frac{1}{4 t^4}\right)"


DERIVATIONS = {
    "ACC:Rem2.2": ("A surface that crosses one half has margin at most 1/beta", crossing),
    "ACC:Eq9:noise": ("The printed noise is too small for large budgets", noise),
    "ACC:Sec5:grid": ("The logarithm of the bandwidth grid", grid),
    "ACC:Alg2:weights": ("The maximum over weights in closed form", simplex),
    "ACC:Alg2:threshold": ("The thresholds agree for one source only", threshold),
    "ACC:Sec6:margin": ("Margin of the simulated risk surface", simulation_margin),
}
