"""[CCV] conditions (8) and (9), Corollaries 3 and 4, and the weights (13): derivations."""

from __future__ import annotations

import sympy

from rates.statements.symbolic.expressions import expression, in_logs
from rates.statements.symbolic.letters import letters as s
from rates.statements.symbolic.letters import log_letters as ln
from rates.statements.symbolic.letters import logs, show, slack
from rates.statements.symbolic.record import Proof


def all_private(p: Proof) -> str:
    """(8) holds exactly if every minimum in (6) is the private one at the root."""
    total = sympy.Symbol("C", positive=True)  # Σ n² ε²
    point = total ** (1 / (2 * s.g + 2))
    p.check(
        "Let C = Σ n²ε² and D_8 = C^(1/(2g+2)), the left side of (8).",
        r"D_8^{2g+2} = C",
        sympy.powdenest(point ** (2 * s.g + 2), force=True) - total,
    )
    p.equal(
        "A row's minimum at D is the private one where this is at most 1, n ε² ≤ D.",
        r"\frac{n^2 \varepsilon^2}{n D}",
        s.n**2 * s.eps**2 / (s.n * s.D),
        s.n * s.eps**2 / s.D,
    )
    p.check(
        "If (8) holds, all are private at D_8, so D_8 solves (6), whose root is unique.",
        r"\sum_j (n_j^2 \varepsilon_j^2) \wedge (n_j D_8) = C = D_8^{2g+2}",
        sympy.powdenest(point ** (2 * s.g + 2), force=True) - total,
    )
    p.root(
        "If all are private at the root D, (6) reads D^(2g+2) = C, so D = D_8 and (8) holds.",
        (2 * s.g + 2) * ln.D - ln.C,
        ln.D,
        "D_8",
    )
    return r"\text{(8)} \iff D = \left(\sum_j n_j^2 \varepsilon_j^2\right)^{\frac{1}{2g+2}}"


def negligible(p: Proof) -> str:
    """Under (8) a server may be negligible."""
    half = sympy.Rational
    n, eps = (10**4, 10), (half(1, 100), half(1, 10**4))
    caps = [(a * b) ** 2 for a, b in zip(n, eps, strict=True)]
    total = sum(caps)
    p.check(
        "Take n = (10^4, 10) and ε = (10^-2, 10^-4). The right side of (8) is 1, and the left "
        "side exceeds 1 at any smoothness, as the sum does.",
        r"\max_j n_j \varepsilon_j^2 = 1 < \sum_j n_j^2 \varepsilon_j^2",
        max(a * b**2 for a, b in zip(n, eps, strict=True)) - 1,
        holds=(total - 1).is_positive,
    )
    p.check(
        "The second server has this share.",
        r"\frac{n_2^2 \varepsilon_2^2}{\sum_j n_j^2 \varepsilon_j^2} < 10^{-10}",
        caps[1] - half(1, 10**6),
        holds=(half(1, 10**10) - caps[1] / total).is_positive,
    )
    return r"\text{a share below } 10^{-10} \text{ under (8)}"


def middle(p: Proof) -> str:
    """The middle term of (9) is a weighted geometric mean of the other two."""
    t = 1 / (2 * s.g + 2)
    first, third = in_logs("first 9"), in_logs("third 9")
    p.check(
        "Call the terms of (9) X, Y and Z. In logs the middle one is a mean of the outer two, "
        "with the weight t = 1/(2g+2).",
        r"\log Y = t \log X + (1-t) \log Z",
        in_logs("middle 9") - t * first - (1 - t) * third,
    )
    u = slack("u")
    p.sign(
        "So it is not below the smaller one. With the first larger by a factor e^u, u ≥ 0, it "
        "exceeds the third by",
        "t u",
        (t * (third + u) + (1 - t) * third - third).expand(),
        u * t,
        ">=",
    )
    p.sign(
        "and with the third larger it exceeds the first by",
        "(1-t) u",
        (t * first + (1 - t) * (first + u) - first).expand(),
        u * (2 * s.g + 1) / (2 * s.g + 2),
        ">=",
    )
    return r"Y \ge X \wedge Z"


def dominating(p: Proof) -> str:
    """(9) suffices for one server to carry the rate, up to 2^(1/(2g+1))."""
    private = p.root(
        "The server alone has D_*, the smaller of this",
        (2 * s.g + 2) * ln.D - logs(s.n**2 * s.eps**2),
        ln.D,
        r"D_{\mathrm{P}}",
    )
    free = p.root("and this.", (2 * s.g + 1) * ln.D - ln.n, ln.D, r"D_{\mathrm{NP}}")
    p.check(
        "To the power 2g+2 they are the outer terms of (9), which therefore says that the "
        "others' n²ε² sum to at most D_*^(2g+2).",
        rf"D_{{\mathrm{{P}}}}^{{2g+2}} = {show(expression('first 9'))},\quad "
        rf"D_{{\mathrm{{NP}}}}^{{2g+2}} = {show(expression('third 9'))}",
        (2 * s.g + 2) * private - in_logs("first 9"),
        (2 * s.g + 2) * free - in_logs("third 9"),
    )
    c = 1 + slack("u")
    p.sign(
        "At c D_*, c ≥ 1, the server's own row is at most c D_*^(2g+2) and the others' at most "
        "D_*^(2g+2). The left side is c^(2g+2) = 2c at c^(2g+1) = 2; write c = 1 + u.",
        "2c - (c + 1)",
        2 * c - (c + 1),
        slack("u"),
        ">=",
    )
    p.check(
        "So the root is at most this multiple of D_*.",
        r"c = 2^{\frac{1}{2g+1}},\quad c^{2g+2} = 2c",
        sympy.powsimp(
            (2 ** (1 / (2 * s.g + 1))) ** (2 * s.g + 2) / (2 * 2 ** (1 / (2 * s.g + 1))), force=True
        )
        - 1,
    )
    return r"D_* \le D \le 2^{\frac{1}{2g+1}} D_*"


def delta_all_private(p: Proof) -> str:
    """Corollary 3 asks less of δ than Theorem 2.1 where D exceeds √(m n_j)."""
    h = slack("h", strict=True)
    theorem = logs(sympy.sqrt(s.n) * s.eps**2 / s.D)
    corollary = logs(s.eps**2 / sympy.sqrt(s.m))
    p.equal(
        "Both ask δ to be below a base to the power 1+κ. The theorem's base over the corollary's:",
        r"\log \frac{\sqrt{n}\, \varepsilon^2 / D}{\varepsilon^2 / \sqrt{m}}",
        theorem - corollary,
        (ln.m + ln.n) / 2 - ln.D,
    )
    p.root("They agree at", theorem - corollary, ln.D, "D")
    p.sign(
        "For equal servers D is at most (mn)^(1/(2α+1)), below that as α > 1/2: write "
        "α = 1/2 + h with h > 0.",
        r"\log \frac{\sqrt{mn}}{D_{\mathrm{NP}}}",
        ((ln.m + ln.n) / 2 - in_logs("D free")).subs(s.g, sympy.Rational(1, 2) + h),
        h * (ln.m + ln.n) / (2 * (h + 1)),
        ">=",
    )
    budget, power = sympy.Rational(1, 100), 2 * sympy.Rational(3, 5) + 2
    total = (10**6 * budget) ** 2 + budget**2
    p.check(
        "Unequal servers may exceed it. For n = (10^6, 1), ε = 0.01, α = 0.6 the left side of "
        "(8) has this power, so it is above 10^2.5, the right side of (8) is 100,",
        r"D_8^{3.2} = 10^8 + 10^{-4}",
        total - 10**8 - sympy.Rational(1, 10**4),
        power - sympy.Rational(16, 5),
        10**6 * budget**2 - 100,
        holds=(total - 100**power).is_positive,
    )
    p.check(
        "so that D = D_8 by (8), while the second server needs D at most √2.",
        r"D^{3.2} > 10^8 > 2^{1.6} = \sqrt{2}^{\,3.2}",
        sympy.sqrt(2) ** power - 2 ** sympy.Rational(8, 5),
        holds=(total - 2 ** sympy.Rational(8, 5)).is_positive,
    )
    return r"D \le \sqrt{m\, n_j} \text{ is needed}"


def delta_dominating(p: Proof) -> str:
    """Corollary 4's condition on δ suffices, as α > 1/2."""
    h = slack("h", strict=True)
    size = slack("u")
    p.sign(
        "The server alone has D_* at most (n ε)^(1/(α+1)). With n ε = e^u, u ≥ 0, and "
        "α = 1/2 + h, h > 0, this is at most (n ε)^(2/3):",
        r"\frac{2}{3} \log (n \varepsilon) - \frac{\log (n \varepsilon)}{\alpha+1}",
        (
            sympy.Rational(2, 3) * (ln.n + ln.eps)
            - in_logs("D private").subs({ln.m: 0, s.g: sympy.Rational(1, 2) + h})
        ).subs(ln.n, size - ln.eps),
        4 * h * size / (3 * (2 * h + 3)),
        ">=",
    )
    return r"D_* \le (n_* \varepsilon_*)^{2/3}"


def weights(p: Proof) -> str:
    """The weights (13) are within 9/8 of the best at equal δ."""
    a, b, t = sympy.symbols("a b t", positive=True)
    u = slack("u")
    exact = a * b / (a + b)
    p.sign(
        "A server's precision is q = ab/(a+b) with a from privacy and b from sampling; (13) has "
        "v = min(a, b). Let b = a + u. Then t = q/v is at most 1",
        "1 - t",
        (1 - exact / a).subs(b, a + u),
        a / (2 * a + u),
    )
    p.sign(
        "and at least 1/2.",
        r"t - \frac{1}{2}",
        (exact / a - sympy.Rational(1, 2)).subs(b, a + u),
        u / (2 * (2 * a + u)),
        ">=",
    )
    p.check(
        "So 1/t lies below a line in t on [1/2, 1],",
        r"3 - 2t - \frac{1}{t} = \frac{(2t-1)(1-t)}{t} \ge 0",
        3 - 2 * t - 1 / t - (2 * t - 1) * (1 - t) / t,
    )
    mean = sympy.Symbol("mu", positive=True)
    p.check(
        "and the variance over the best one is mean(1/t) mean(t), means with weights v; with μ "
        "the mean of t it is at most",
        r"(3 - 2\mu)\mu = \frac{9}{8} - 2 \left(\mu - \frac{3}{4}\right)^2",
        (3 - 2 * mean) * mean - sympy.Rational(9, 8) + 2 * (mean - sympy.Rational(3, 4)) ** 2,
    )
    return r"\frac{\text{variance}}{\text{best variance}} \le \frac{9}{8}"


DERIVATIONS = {
    "CCV:Eq8": ("(8) says that privacy binds every server", all_private),
    "CCV:Eq8:share": ("Under (8) a server may be negligible", negligible),
    "CCV:Eq9:middle": ("The middle term of (9) never decides", middle),
    "CCV:Eq9:sufficient": ("Under (9) one server carries the rate", dominating),
    "CCV:Cor3:delta": ("What Corollary 3 asks of delta", delta_all_private),
    "CCV:Cor4:delta": ("What Corollary 4 asks of delta", delta_dominating),
    "CCV:Eq13:weights": ("The weights are within 9/8 of the best", weights),
}
