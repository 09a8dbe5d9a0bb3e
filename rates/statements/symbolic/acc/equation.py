"""[ACC] (5), (6), (11) and (12): root, shares, elasticities, inverse, weights; derivations.

One row of (5) is T = c n^i ε^j r^e with i = 1, j = 0, e = k where its sample binds and i = j = 2,
e = k + d where its privacy does; k = 2βγ + d. The other rows enter through their sum alone, so
these proofs hold for any number of servers.
"""

from __future__ import annotations

import sympy

from rates.statements.symbolic.expressions import branches, expression
from rates.statements.symbolic.letters import Expr, logs, power_k, powers, show, slack
from rates.statements.symbolic.letters import letters as s
from rates.statements.symbolic.letters import log_letters as ln
from rates.statements.symbolic.record import Proof


def unique(p: Proof) -> str:
    """(5) has one root."""
    for words, term, power in _terms():
        p.check(
            f"Where {words} binds, a row's term is a power of r.",
            rf"T = {show(term)}",
            logs(term) - logs(term.subs(s.r, 1)) - power * ln.r,
        )
        p.sign(
            "It rises in log r, from 0 to infinity.",
            r"\frac{\partial \log T}{\partial \log r}",
            logs(term).diff(ln.r),
            power,
        )
    ratio = s.n * s.eps**2 * s.r**s.d
    p.equal(
        "So the sum takes the value 1 once. Privacy binds where this ratio is at most 1.",
        r"\frac{n^2 \varepsilon^2 r^d}{n}",
        s.n**2 * s.eps**2 * s.r**s.d / s.n,
        ratio,
    )
    p.root("It is 1 at", logs(ratio), ln.eps, r"\varepsilon")
    return r"S = \{j : \varepsilon_j \le (r^d n_j)^{-1/2}\}"


def solo(p: Proof) -> str:
    """The parts of Theorem 3.1 are what (5) gives for the sources alone, or the target alone."""
    for (words, term, power), branch in zip(_terms(), branches("A_s", s.eps), strict=True):
        root = p.root(
            f"Where {words} binds, the term of m equal sources is 1 at",
            logs(s.m * term),
            ln.r,
            "r_0",
        )
        p.check(
            "Elsewhere the log of that term is its power times that of r over this root.",
            rf"\log T = \left({show(power)}\right) \log \frac{{r}}{{r_0}}",
            logs(s.m * term) - power * (ln.r - root),
            holds=power.is_positive,
        )
        p.check(
            "This root is one over a branch of A_s.",
            rf"\frac{{1}}{{r_0}} = {show(branch)}",
            logs(branch) + root,
        )
    p.check(
        "The smaller of two rising terms is 1 at the larger of their roots, so r = 1/A_s. The "
        "target alone is the case m = 1, γ = 1.",
        rf"A_s = {show(expression('A_s'))}",
        *(
            logs(target).subs({ln.n0: ln.n, ln.eps0: ln.eps})
            - logs(sources).subs({ln.m: 0, s.gamma: 1})
            for target, sources in zip(branches("A_t", s.eps0), branches("A_s", s.eps), strict=True)
        ),
    )
    return r"r = \frac{1}{A_s} \text{ without a target}"


def bracket(p: Proof) -> str:
    """The root lies within K^(1/k) below the smallest solo root."""
    more = slack("v")
    k, count = power_k(), sympy.Symbol("K", positive=True)
    for words, term, power in _terms():
        solo_root = powers(sympy.solve(logs(term), ln.r)[0])
        p.check(
            f"A row alone is 1 at its solo root, here where {words} binds. The others are not "
            "negative: r is at most the smallest solo root.",
            rf"T(r_j) = 1 \text{{ at }} r_j = {show(solo_root)}",
            logs(term).subs(ln.r, logs(solo_root)),
        )
        p.check(
            "Scaling r by c multiplies the term by a power of c that is at least k.",
            rf"\frac{{T(c r)}}{{T(r)}} = {show(s.c**power)}",
            logs(term.subs(s.r, s.c * s.r)) - logs(term) - power * ln.c,
            holds=(power - k).is_nonnegative,
        )
    factor = count ** (-1 / k)
    p.check(
        "Take c = K^(-1/k) with k the smallest among K rows, and write a row's power as k + v "
        "with v ≥ 0. Each term is at most 1/K, and their sum at most 1.",
        r"K\, c^{k + v} = K^{-v/k} \le 1",
        logs(count * factor ** (k + more)) - logs(count ** (-more / k)),
    )
    return r"K^{-1/k} \min_j r_j \le r \le \min_j r_j"


def log_factor(p: Proof) -> str:
    """The root of (11) is at most r times a power of its right side: L_N."""
    v = slack("v")
    k = power_k()
    for words, term, power in _terms():
        p.check(
            f"Scaling r by c ≥ 1 multiplies a term by at least c^k; here {words} binds.",
            rf"\frac{{T(c r)}}{{T(r)}} = {show(s.c**power)}",
            logs(term.subs(s.r, s.c * s.r)) - logs(term) - power * ln.c,
            holds=(power - k).is_nonnegative,
        )
    p.sign(
        "The smallest k belongs to γ_min; write γ = γ_min + v with v ≥ 0.",
        r"2 \beta (\gamma_{\min} + v) - 2 \beta \gamma_{\min}",
        k.subs(s.gamma, s.gamma + v) - k,
        2 * s.beta * v,
        ">=",
    )
    p.root(
        "So the left side of (11) at c r is at least c^k, which is its right side x at",
        k * ln.c - ln.x,
        ln.c,
        "c",
    )
    p.sign(
        "Section 5 prints |H|^(2B/d), while a budget over |H| costs |H|^(B/(βγ+d)) at most.",
        r"\frac{2}{d} - \frac{1}{\beta \gamma + d}",
        2 / s.d - 1 / (s.beta * s.gamma + s.d),
        k / (s.d * (s.beta * s.gamma + s.d)),
    )
    return (
        r"r \le h \le r \left(\log \frac{2}{\delta_{\min}}\right)"
        r"^{\frac{1}{2 \beta \gamma_{\min} + d}}"
    )


def elasticities(p: Proof) -> str:
    """How r moves with a site's records and budget."""
    u, x, y = ln.r, ln.n, ln.eps
    others = sympy.Function("G")(u)
    e, size = sympy.Symbol("e", positive=True), sympy.Symbol("T", positive=True)
    total = sympy.Symbol("E", positive=True)
    row = size * sympy.exp(e * u)
    p.check(
        "Write (5) as T + G = 1 with G the sum of the other rows and e the row's power of r. Let "
        "E be the derivative of the left side, the sum of e T over all rows.",
        r"\frac{\partial T}{\partial \log r} = e T",
        row.diff(u) - e * row,
    )
    for words, power, way, name in (
        ("Where the sample binds, T is a power of r times n.", x, x, "n"),
        ("Where privacy binds, it is one times n²,", 2 * x + 2 * y, x, "n"),
        ("and times ε².", 2 * x + 2 * y, y, r"\varepsilon"),
    ):
        term = sympy.exp(power + e * u)
        left = term + others
        slope = -left.diff(way) / left.diff(u)
        times = power.coeff(way)
        put = slope.subs(others.diff(u), total - e * term).subs(term, size)
        p.check(
            words,
            rf"\frac{{\partial \log r}}{{\partial \log {name}}} = {show(-times * size / total)}",
            put + times * size / total,
        )
    return r"\frac{\partial \log r}{\partial \log n_j} = - \frac{s_j T_j}{\sum_i e_i T_i}"


def inverse(p: Proof) -> str:
    """The records or the budget that one site needs for a given r."""
    private = 2 * ln.n + 2 * ln.eps + s.d * ln.r - ln.a
    p.root(
        "The site's minimum must be at least a, what the others leave of 1 over r^k. Its sample "
        "suffices from",
        ln.n - ln.a,
        ln.n,
        "n",
    )
    p.root("Its privacy suffices from", private, ln.n, "n")
    p.root("In its budget that is, if a ≤ n,", private, ln.eps, r"\varepsilon")
    return (
        r"n = a \vee \frac{\sqrt{a}}{\varepsilon r^{d/2}},\quad "
        r"\varepsilon = \frac{\sqrt{a}}{n r^{d/2}} \text{ if } a \le n"
    )


def weights(p: Proof) -> str:
    """(12) maximises squared signal over variance, to the left side of (5)."""
    q1, q2, s1, s2, w1, w2, x, y = sympy.symbols("q1 q2 s1 s2 w1 w2 x y", positive=True)
    pair = q1 * s1**2 * w2**2 / q2 + q2 * s2**2 * w1**2 / q1 - 2 * w1 * s1 * w2 * s2
    square = (q1 * s1 * w2 - q2 * s2 * w1) ** 2 / (q1 * q2)
    p.check(
        "A statistic with weights w has signal Σ w s and variance Σ w²/q. Multiply Σ q s² by "
        "the variance and take the squared signal away: every pair of rows leaves a square, "
        "with x = q1 s1 w2 and y = q2 s2 w1",
        r"\frac{x^2 + y^2 - 2xy}{q_1 q_2} = \frac{(x - y)^2}{q_1 q_2} \ge 0",
        pair - square,
        pair - ((x**2 + y**2 - 2 * x * y) / (q1 * q2)).subs({x: q1 * s1 * w2, y: q2 * s2 * w1}),
    )
    p.check(
        "and a row with itself leaves nothing.",
        r"q_1 s_1^2 \cdot \frac{w_1^2}{q_1} - (w_1 s_1)^2 = 0",
        q1 * s1**2 * w1**2 / q1 - (w1 * s1) ** 2,
    )
    best = (w1 * s1 + w2 * s2) ** 2 / (w1**2 / q1 + w2**2 / q2)
    p.check(
        "So the ratio is at most Σ q s², and it is that at w = q s.",
        r"\frac{(w_1 s_1 + w_2 s_2)^2}{w_1^2 / q_1 + w_2^2 / q_2} = q_1 s_1^2 + q_2 s_2^2",
        best.subs({w1: q1 * s1, w2: q2 * s2}) - q1 * s1**2 - q2 * s2**2,
    )
    size = sympy.Symbol("size", positive=True)  # n ∧ n² ε² h^d
    signal, precision = s.r ** (s.beta * s.gamma), size * s.r**s.d
    p.check(
        "With s = h^(βγ) and q = (n ∧ n²ε²h^d) h^d these are the weights (12), up to h^d,",
        r"q s = h^d\, v",
        logs(precision * signal) - logs(s.r**s.d * size * s.r ** (s.gamma * s.beta)),
    )
    p.check(
        "and Σ q s² is the left side of (5) at h.",
        r"q s^2 = (n \wedge n^2 \varepsilon^2 h^d)\, h^{2 \beta \gamma + d}",
        logs(precision * signal**2) - logs(size * s.r ** power_k()),
    )
    found = sympy.solve(sympy.Eq(s.beta * s.gamma, s.beta), s.gamma)
    p.check(
        "They are inverse-variance weights only if every row's signal is the target's, h^β.",
        r"\beta \gamma = \beta \iff \gamma = 1",
        found[0] - 1,
        holds=len(found) == 1,
    )
    return r"u_j \propto (n_j \wedge n_j^2 \varepsilon_j^2 h^d)\, h^{\gamma_j \beta}"


def effective(p: Proof) -> str:
    """The unprotected target that alone would give the same r."""
    alone = (2 * s.beta + s.d) * ln.r + ln.n
    p.root("An unprotected target alone has n r^(2β+d) = 1.", alone, ln.n, "n")
    return r"n_{\text{eff}} = r^{-(2 \beta + d)}"


def _terms() -> tuple[tuple[str, Expr, Expr], ...]:
    """A source's term in (5): what binds, the term, and its power of r."""
    k = power_k()
    return (
        ("the sample", s.n * s.r**k, k),
        ("privacy", s.n**2 * s.eps**2 * s.r ** (k + s.d), k + s.d),
    )


DERIVATIONS = {
    "ACC:Eq5:unique": ("The rate equation has one root", unique),
    "ACC:Eq5:bracket": ("Between which bounds the root lies", bracket),
    "ACC:Eq5:elasticities": ("How r moves with a site's records and budget", elasticities),
    "ACC:Eq5:inverse": ("What one site needs for a given r", inverse),
    "ACC:Eq5:effective_n": ("Effective sample size", effective),
    "ACC:Thm3.1:solo": ("Theorem 3.1's parts are solo roots of (5)", solo),
    "ACC:Eq11:log_factor": ("The logarithmic factor", log_factor),
    "ACC:Eq12:weights": ("The weights maximise signal over noise", weights),
}
