"""[KS] Sections 1 to 4: divergences, rounds and weights; derivations step by step."""

from __future__ import annotations

import sympy
from sympy import Rational, exp, log, sqrt

from rates.statements.symbolic.letters import Expr, slack
from rates.statements.symbolic.record import Proof

a, b, n, p0, q, u, w, z = sympy.symbols("alpha beta n p q u w z", positive=True)
X, T, K, N = sympy.symbols("X T K N", positive=True)
eps, delta, kappa = sympy.symbols("varepsilon delta kappa", positive=True)
_SMALL = 1 / (8 + slack("v"))  # an accuracy of at most 1/8


def baseline(p: Proof) -> str:
    """An event of the population by Cauchy and Schwarz."""
    spread, rest = slack("v"), slack("u")
    second = q**2 / p0 + spread
    p.check(
        "On an event with the shares p and q the mean of (w - q/p)² over the volunteers is what "
        "the mean of w² exceeds q²/p by; call it v ≥ 0.",
        r"E_S[w^2 1_E] = \frac{q^2}{p} + v",
        (second - 2 * (q / p0) * q + (q / p0) ** 2 * p0) - spread,
    )
    p.sign(
        "With u ≥ 0 for the mean of w² outside of the event,",
        r"X p - q^2",
        (second + rest) * p0 - q**2,
        p0 * spread + p0 * rest,
        ">=",
    )
    return r"q \le \sqrt{X p}"


def mean_square(p: Proof) -> str:
    """Chi-square plus one is the mean square of a weight of mean 1."""
    w1, w2 = sympy.symbols("w_1 w_2", positive=True)
    share = (1 - w2) / (w1 - w2)  # the mean is 1
    mean = share * w1 + (1 - share) * w2
    p.check("Two groups of weights whose mean over the volunteers is 1:", r"E_S[w] = 1", mean - 1)
    square = share * w1**2 + (1 - share) * w2**2
    p.check(
        "The mean of (w - 1)² is the mean square less 1,",
        r"E_S[(w-1)^2] = E_S[w^2] - 1",
        share * (w1 - 1) ** 2 + (1 - share) * (w2 - 1) ** 2 - (square - 1),
    )
    p.check(
        "and the population's mean of w weighs each group by w once more.",
        r"E_T[w] = E_S[w \cdot w]",
        share * w1 * w1 + (1 - share) * w2 * w2 - square,
    )
    return r"E_T[w] = E_S[w^2] = \chi^2 + 1"


def users(p: Proof) -> str:
    """How many noisy answers show a mean."""
    v = (Rational(1, 4) + 2 * log(2 / delta) / eps**2) / N
    p.check(
        "A mean of N answers in [0, 1] has the variance factor 1/(4N), and the noise adds "
        "2 log(2/δ)/(ε² N).",
        r"v = \frac{1}{N}\left(\frac{1}{4} + \frac{2}{\varepsilon^2} \log \frac{2}{\delta}\right)",
        v - 1 / (4 * N) - 2 * log(2 / delta) / (eps**2 * N),
    )
    (found,) = sympy.solve(sympy.Eq(a**2 / (2 * v), log(2 / b)), N)
    right = log(2 / b) / a**2 * (Rational(1, 2) + 4 * log(2 / delta) / eps**2)
    p.check(
        "The bound 2 exp(-α²/(2v)) is β where",
        r"N = \frac{1}{\alpha^2} \left(\frac{1}{2} + \frac{4}{\varepsilon^2} "
        r"\log \frac{2}{\delta}\right) \log \frac{2}{\beta}",
        sympy.expand_log(found - right, force=True),
    )
    p.check(
        "As ε grows it stays above what is needed without noise, and the printed one does not.",
        r"\lim_{\varepsilon \to \infty} N = \frac{\log (2/\beta)}{2 \alpha^2}",
        sympy.limit(right, eps, sympy.oo) - log(2 / b) / (2 * a**2),
        sympy.limit(4 * log(2 / delta) * log(4 / b) / (eps**2 * a**2), eps, sympy.oo),
    )
    return (
        r"N = \left(\frac{1}{2} + \frac{4 \log (2/\delta)}{\varepsilon^2}\right) "
        r"\frac{\log (2/\beta)}{\alpha^2}"
    )


def regret(p: Proof) -> str:
    """One round of multiplicative weights costs at most η² beyond η times the mean."""
    c = sympy.Symbol("c", positive=True)  # η times a cost, as log(1 + z)
    f = 1 - c + c**2 - exp(-c)
    p.check(
        "The difference f(c) = 1 - c + c² - e^(-c) vanishes with its slope at 0,",
        r"f(0) = f^{\prime}(0) = 0",
        f.subs(c, 0),
        f.diff(c).subs(c, 0),
    )
    p.sign(
        "and its second derivative is positive; write c = log(1 + z).",
        r"f^{\prime\prime}",
        f.diff(c, 2).subs(c, log(1 + z)),
        (1 + 2 * z) / (1 + z),
    )
    p.check(
        "So log of the mean weight changes by at most -ηE[c] + η² a round. Over T rounds, with "
        "the divergence K of the competitor, divided by η = α/8:",
        r"\frac{1}{\eta}(\eta^2 T + K) = \frac{\alpha T}{8} + \frac{8 K}{\alpha}",
        ((a / 8) ** 2 * T + K) / (a / 8) - a * T / 8 - 8 * K / a,
    )
    return r"\sum_t E_{\mu}[m] \le \sum_t E_{\nu}[m] + \frac{\alpha T}{8} + \frac{8 K}{\alpha}"


def _rounds(p: Proof, price: Expr, words: str, right: str) -> Expr:
    """The last round at which going on is within the regret bound."""
    p.check(
        "While no test is passed the target errs by at least 2α, the good weights by 2α - 5α/8, "
        "and the learner by at most α.",
        r"2 \alpha - \frac{5 \alpha}{8} - \alpha = \frac{3 \alpha}{8}",
        2 * a - 5 * a / 8 - a - 3 * a / 8,
    )
    (last,) = sympy.solve(sympy.Eq(3 * a * T / 8, a * T / 8 + price), T)
    p.check(words, f"T = {right}", last - 4 * price / a)
    return last


def _bits(p: Proof) -> None:
    p.sign(
        "A logarithm of base 2 is larger than a natural one by the factor",
        r"\frac{1}{\log 2} - 1",
        1 / log(2) - 1,
        (1 - log(2)) / log(2),
    )


def rounds_open(p: Proof) -> str:
    """Rounds of Algorithm 1."""
    last = _rounds(
        p, 8 * K / a, "With the divergence K in nats this ends at", r"\frac{32 K}{\alpha^2}"
    )
    p.check(
        "K is at most log(8X/α).",
        r"T \le \frac{32}{\alpha^2} \log \frac{8 X}{\alpha}",
        last - 32 * K / a**2,
    )
    _bits(p)
    return r"T \le \frac{32 \log (8X/\alpha)}{\alpha^2}"


def rounds_private(p: Proof) -> str:
    """Rounds of Algorithm 2."""
    last = _rounds(
        p,
        8 * (4 * K) / a,
        "With four times K = log(8X/α) for the divergence this ends at",
        r"\frac{128 K}{\alpha^2}",
    )
    p.check("This is the printed number in nats.", r"4 \cdot 32 = 128", last - 128 * K / a**2)
    _bits(p)
    return r"T \le \frac{128 \log (8X/\alpha)}{\alpha^2}"


def rounds_sharp(p: Proof) -> str:
    """The same with the constant that the proof gives."""
    factor = 2 * (1 + _SMALL / 8)
    p.sign(
        "With α = 1/(8+v), v ≥ 0, the factor of the potential is at most 65/32:",
        r"\frac{65}{32} - 2\left(1 + \frac{\alpha}{8}\right)",
        Rational(65, 32) - factor,
        slack("v") / (32 * (slack("v") + 8)),
        ">=",
    )
    last = _rounds(
        p,
        8 * (Rational(65, 32) * K) / a,
        "With 65/32 times K = log(8X/α) this ends at",
        r"\frac{65 K}{\alpha^2}",
    )
    p.check("The constant is", r"32 \cdot \frac{65}{32} = 65", last - 65 * K / a**2)
    return r"T \le \frac{65 \log (8X/\alpha)}{\alpha^2}"


def potential(p: Proof) -> str:
    """The potential of the scaled weights."""
    v = slack("v")
    p.sign(
        "The sum U of the cut weights is at least n/2: with α = 1/(8+v), v ≥ 0,",
        r"1 - \frac{3 \alpha}{8} - \frac{1}{2}",
        1 - 3 * _SMALL / 8 - Rational(1, 2),
        (4 * v + 29) / (8 * (v + 8)),
    )
    U, top = sympy.symbols("U c", positive=True)
    p.check(
        "With log(2u) at most c = log(8X/α) the divergence κ Σ(2u log 2u - 2u + 1) is at most",
        r"\kappa (n - 2 U) + 2 \kappa U c",
        kappa * (2 * U * top - 2 * U + n) - (kappa * (n - 2 * U) + 2 * kappa * U * top),
    )
    p.sign(
        "Its first part is not positive, with U = n/2 + u,",
        r"2 U - n",
        2 * (n / 2 + slack("u")) - n,
        2 * slack("u"),
        ">=",
    )
    p.sign(
        "and U is at most (1 + α/8) n, so 4 is more than enough.",
        r"4 - 2 \left(1 + \frac{\alpha}{8}\right)",
        4 - 2 * (1 + _SMALL / 8),
        (8 * v + 63) / (4 * (v + 8)),
    )
    return r"\varphi \le 4 \kappa n \log \frac{8 X}{\alpha}"


def truncation(p: Proof) -> str:
    """What a cut at u takes from the mean."""
    p.sign(
        "What is cut from a weight w at u is w - u, at most w²/(4u):",
        r"\frac{w^2}{4u} - (w - u)",
        w**2 / (4 * u) - (w - u),
        (w - 2 * u) ** 2 / (4 * u),
        ">=",
    )
    p.check(
        "Its mean is at most X/(4u). At the printed u this is a sixteenth of α,",
        r"u = \frac{4 X}{\alpha}: \quad \frac{X}{4 u} = \frac{\alpha}{16}",
        X / (4 * (4 * X / a)) - a / 16,
    )
    p.sign(
        "a quarter of what is allowed.",
        r"\frac{\alpha}{4} - \frac{\alpha}{16}",
        a / 4 - a / 16,
        3 * a / 16,
    )
    return r"1 - \frac{\alpha}{16} \le E_S[w \wedge u] \le 1"


def divergence(p: Proof) -> str:
    """The divergence of the cut weights from the uniform ones."""
    v = slack("v")
    p.sign(
        "A ratio is at most 4X/α over 1 - 3α/8, which is above 1/2: with α = 1/(8+v), v ≥ 0,",
        r"1 - \frac{3 \alpha}{8} - \frac{1}{2}",
        1 - 3 * _SMALL / 8 - Rational(1, 2),
        (4 * v + 29) / (8 * (v + 8)),
    )
    p.check(
        "So the mean of their logs is at most that of",
        r"\frac{4 X}{\alpha} : \frac{1}{2} = \frac{8 X}{\alpha}",
        (4 * X / a) / Rational(1, 2) - 8 * X / a,
    )
    return r"K \le \log \frac{8 X}{\alpha}"


def footnote(p: Proof) -> str:
    """The condition of the quoted theorem at our accuracy."""
    M, lx, la = sympy.symbols("M x y", real=True)  # log(X/α), log X, log(1/α)
    inverse = la + (log(50) + lx + log(slack("M", strict=True))) / 2
    M = slack("M", strict=True)
    p.check(
        "With M = log(X/α) and α₀² = α²/(50 X M), the condition divided by α₀² X/16 is",
        r"\frac{50 M}{16} > 2 + \log \frac{1}{\alpha_0}",
        (a**2 / 16) / ((a**2 / (50 * X * M)) * X) - 50 * M / 16,
    )
    p.check(
        "Write x = log X and y = log(1/α), so that M = x + y. Then",
        r"\log \frac{1}{\alpha_0} = M - \frac{x}{2} + \frac{\log 50 + \log M}{2}",
        (inverse - (lx + la - lx / 2 + (log(50) + log(M)) / 2)),
    )
    v = slack("v")
    f = Rational(17, 8) * M - 2 - log(50) / 2 - log(M) / 2
    p.check(
        "As x is at least 0, it is enough that f(M) is positive,",
        r"f = \frac{17 M}{8} - 2 - \frac{\log 50 + \log M}{2}",
        f - (50 * M / 16 - 2 - M - (log(50) + log(M)) / 2),
    )
    p.check(
        "which it is at M = log 8, the least value,",
        rf"f(\log 8) = {float(f.subs(M, log(8)).evalf(4)):.3f}",
        holds=f.subs(M, log(8)).is_positive,
    )
    p.sign(
        "and its slope is positive from there on; M = log 8 + v, v ≥ 0.",
        r"f^{\prime}",
        f.diff(M).subs(M, log(8) + v),
        (17 * v + (17 * log(8) - 4)) / (8 * (log(8) + v)),
    )
    return r"\alpha_0 = \frac{\alpha}{\sqrt{50 X \log (X/\alpha)}}"


def domination(p: Proof) -> str:
    """Records of Corollary 4.4 over those of the baseline."""
    L = sympy.Symbol("l", positive=True)  # log(2/δ)
    ours = (K / a) * (8 * X / a) * sqrt(288 * T * L) / eps
    ratio = p.equal(
        "The number of Algorithm 2, with l = log(2/δ) and a learner that needs K/α, over the "
        "baseline:",
        "R",
        ours / (X * K / (a**2 * eps)),
        8 * sqrt(288 * T * L),
    )
    p.check(
        "T is at least 128 times log2 64 = 6 over α², as X is at least 1 and α at most 1/8.",
        r"T \ge \frac{768}{\alpha^2}",
        128 * log(8 * 1 / Rational(1, 8)) / log(2) - 768,
    )
    least = (ratio.subs(T, 768 / a**2).subs(L, log(2)) * a).subs(a, 1)
    p.check(
        "δ is below 1, so l is above log 2.",
        rf"R \ge \frac{{{float(least.evalf(6)):.0f}}}{{\alpha}} > \frac{{3000}}{{\alpha}}",
        ratio.subs(T, 768 / a**2).subs(L, log(2)) - least / a,
        holds=(least - 3000).is_positive,
    )
    return r"n \ge \frac{3000}{\alpha}\, n_{\text{baseline}}"


DERIVATIONS = {
    "KS:Sec1:baseline": ("An event of the population", baseline),
    "KS:Sec2:mean-square": ("X is a mean square", mean_square),
    "KS:Sec2:users": ("Answers that show a mean", users),
    "KS:Sec3:regret": ("The regret of multiplicative weights", regret),
    "KS:Thm3.1:rounds": ("Rounds of Algorithm 1", rounds_open),
    "KS:Lem3.2:truncation": ("What a cut takes from the mean", truncation),
    "KS:Lem3.2:divergence": ("Divergence of the cut weights", divergence),
    "KS:Lem3.2:footnote": ("The accuracy of footnote 4", footnote),
    "KS:Thm4.3:potential": ("The potential of the scaled weights", potential),
    "KS:Thm4.3:rounds": ("Rounds of Algorithm 2", rounds_private),
    "KS:Thm4.3:sharp": ("Rounds of Algorithm 2, sharper", rounds_sharp),
    "KS:Cor4.4:domination": ("Corollary 4.4 against the baseline", domination),
}
