"""[DPLR]: the surrogate loss, its sensitivity and its bias; derivations step by step."""

from __future__ import annotations

import sympy
from sympy import Rational, cosh, exp, log, sqrt, tanh

from rates.statements.symbolic.letters import Expr, slack
from rates.statements.symbolic.record import Proof

b, c, d, n, r, s, v, x, z = sympy.symbols("b c d n r s v x z", positive=True)
eps = sympy.Symbol("varepsilon", positive=True)
w, y1, y2 = sympy.symbols("w y_1 y_2", real=True)


def coefficients(p: Proof) -> Expr:
    """Add the absolute coefficients of a record, as a function of the sum of its covariates."""
    x1, x2 = sympy.symbols("x_1 x_2", positive=True)
    total = x1 / 2 + x2 / 2 + x1**2 / 8 + x2**2 / 8 + x1 * x2 / 4
    p.check(
        "Two covariates without their signs: linear terms, squares and the product add up to, "
        "with S their sum,",
        r"\frac{S}{2} + \frac{S^2}{8}",
        total - (x1 + x2) / 2 - (x1 + x2) ** 2 / 8,
    )
    first, second, third = sympy.symbols("x_1 x_2 x_3", real=True)
    p.sign(
        "S² is at most p times the squared norm; three covariates:",
        r"3 |x|^2 - S^2",
        3 * (first**2 + second**2 + third**2) - (first + second + third) ** 2,
        (first - second) ** 2 + (first - third) ** 2 + (second - third) ** 2,
        ">=",
    )
    return r * sqrt(d) / 2 + (r * sqrt(d)) ** 2 / 8


def sensitivity(p: Proof) -> str:
    """(8): twice the largest sum of absolute coefficients."""
    worst = coefficients(p)
    p.check(
        "With norm 1 and p covariates S is at most √p, attained by equal ones, and the factor 2 is "
        "that of the triangle inequality.",
        r"2 \left(\frac{\sqrt{p}}{2} + \frac{p}{8}\right) = \sqrt{p} + \frac{p}{4}",
        (2 * worst - sqrt(d) - d / 4).subs(r, 1),
    )
    return r"\Delta = \sqrt{p} + \frac{p}{4}"


def scale(p: Proof) -> str:
    """What a scale means for records of norm R."""
    worst = coefficients(p)
    p.check(
        "With norm R, S is at most R√p, and Laplace noise of scale b has twice the sum over b.",
        r"\frac{2}{b} \left(\frac{R \sqrt{p}}{2} + \frac{R^2 p}{8}\right) = "
        r"\frac{R \sqrt{p} + R^2 p/4}{b}",
        2 * worst / b - (r * sqrt(d) + r**2 * d / 4) / b,
    )
    return r"\varepsilon = \frac{R \sqrt{p} + R^2 p/4}{b}"


def unclipped(p: Proof) -> str:
    """A bound on the records makes the loss finite, and nothing else does."""
    worst = coefficients(p)
    p.check(
        "With the scale Δ/ε for records of norm R the loss is at most",
        r"2 \left(\frac{R \sqrt{p}}{2} + \frac{R^2 p}{8}\right) : \frac{\Delta}{\varepsilon} "
        r"= \varepsilon",
        2 * worst / ((r * sqrt(d) + r**2 * d / 4) / eps) - eps,
    )
    p.check(
        "At a fixed scale the loss against a record of zeros has no bound as S grows.",
        r"\lim_{S \to \infty} \frac{1}{b} \left(\frac{S}{2} + \frac{S^2}{8}\right) = \infty",
        1 / sympy.limit((s / 2 + s**2 / 8) / b, s, sympy.oo),
    )
    return r"\Delta = R \sqrt{p} + \frac{R^2 p}{4}"


def argument(p: Proof) -> str:
    """The slope of the objective, as printed and as meant."""
    star = sympy.Symbol("w_0", real=True)
    printed = log(1 + exp(x * star)) - y1 * x * w
    meant = log(1 + exp(x * w)) - y1 * x * w
    p.check(
        "As printed the slope does not depend on ω,",
        r"\frac{d}{d \omega} = -y x",
        printed.diff(w) + y1 * x,
    )
    p.sign(
        "while in our reading it rises, so that the least value is where it vanishes.",
        r"\frac{d^2}{d \omega^2}",
        meant.diff(w, 2),
        x**2 * exp(x * w) / (1 + exp(x * w)) ** 2,
    )
    return r"\sum_i \left(\frac{e^{x_i \omega}}{1 + e^{x_i \omega}} - y_i\right) x_i = 0"


def event(p: Proof) -> str:
    """The largest ratio of chances of Laplace noise whose mean moves by 1."""
    o = sympy.Symbol("o", positive=True)
    tail = sympy.integrate(exp(-o / b) / (2 * b), (o, s, sympy.oo))
    p.check(
        "The chance of a half line at a distance s from the mean is",
        r"\frac{1}{2} e^{-s/b}",
        tail - exp(-s / b) / 2,
    )
    p.check(
        "Moving the mean by 1 gives the ratio",
        r"\frac{e^{-s/b}}{e^{-(s+1)/b}} = e^{1/b}",
        sympy.simplify(exp(-s / b) / exp(-(s + 1) / b)) - exp(1 / b),
    )
    p.check(
        "A single output has the chance 0 on both sides.",
        r"\int_s^s \frac{e^{-o/b}}{2b}\, do = 0",
        sympy.integrate(exp(-o / b) / (2 * b), (o, s, s)),
    )
    return r"\frac{1}{b} \le \varepsilon"


def constant(p: Proof) -> str:
    """The term of degree 0."""
    loss = log(2) + x * w / 2 + (x * w) ** 2 / 8 - y1 * x * w
    p.check("The surrogate of a record at ω = 0 is", r"\log 2", loss.subs(w, 0) - log(2))
    p.check(
        "so a sum that starts at degree 1 lacks it.",
        r"\log 2 + \left(\frac{1}{2} - y\right) x \omega + \frac{x^2}{8} \omega^2",
        sympy.expand(loss - log(2) - (Rational(1, 2) - y1) * x * w - x**2 / 8 * w**2),
    )
    return r"f = \sum_{j=0}^J \ldots"


def expansion(p: Proof) -> str:
    """The loss and its surrogate."""
    u = slack("u", strict=True)
    p.check(
        "With u = z/2,",
        r"\log (1 + e^{2u}) = u + \log 2 + \log \cosh u",
        sympy.simplify((1 + exp(2 * u)) / (exp(u) * 2 * cosh(u).rewrite(exp))) - 1,
    )
    p.check(
        "Both bounds vanish at 0. The upper one has the slope u - tanh u, whose own slope is a "
        "square,",
        r"(u - \tanh u)^{\prime} = \tanh^2 u",
        sympy.simplify((u - tanh(u)).diff(u) - tanh(u) ** 2),
    )
    h, k = sympy.symbols("h k", nonnegative=True)  # tanh u, and u - tanh u
    p.check(
        "and the lower one the slope tanh u - u + u³/3, whose own slope is u² - tanh² u:",
        r"\left(\tanh u - u + \frac{u^3}{3}\right)^{\prime} = u^2 - \tanh^2 u",
        sympy.simplify((tanh(u) - u + u**3 / 3).diff(u) - u**2 + tanh(u) ** 2),
    )
    p.sign(
        "not negative, with u = tanh u + k.",
        r"u^2 - \tanh^2 u",
        (h + k) ** 2 - h**2,
        k**2 + 2 * h * k,
        ">=",
    )
    p.check(
        "So the surrogate exceeds the loss by 0 to",
        r"\frac{u^4}{12} = \frac{z^4}{192}",
        (z / 2) ** 4 / 12 - z**4 / 192,
        (z / 2) ** 2 / 2 - z**2 / 8,
    )
    return r"0 \le \text{surrogate} - \text{loss} \le \frac{z^4}{192}"


def bias(p: Proof) -> str:
    """What the surrogate estimates."""
    m = sympy.Symbol("m", real=True)  # E[x (1/2 - y)], one covariate of variance v
    (best,) = sympy.solve((m * w + v * w**2 / 8).diff(w), w)
    p.check(
        "The mean surrogate is log 2 + mω + vω²/8, least at",
        r"\omega = -\frac{4 m}{v}",
        best + 4 * m / v,
    )
    o = sympy.Symbol("x", real=True)
    normal = exp(-(o**2) / (2 * v)) / sqrt(2 * sympy.pi * v)
    p.check(
        "By parts, as the normal density has this slope, E[x g(βx)] = vβ E[g'(βx)], where g' is "
        "the density of the error.",
        r"\varphi^{\prime}(x) = -\frac{x}{v} \varphi(x)",
        sympy.simplify(normal.diff(o) + o / v * normal),
    )
    one = exp(-(o**2) / 2) / sqrt(2 * sympy.pi)
    mean = sympy.integrate(sympy.expand(one * normal), (o, -sympy.oo, sympy.oo))
    p.check(
        "For normal errors its mean is",
        r"E f_e = \frac{1}{\sqrt{2 \pi (1 + v)}}",
        sympy.simplify(mean * sqrt(2 * sympy.pi * (1 + v)) - 1),
    )
    q = 1 + slack("q")
    p.sign(
        "For logistic ones, with e^u = q, the density is at most 1/4:",
        r"\frac{1}{4} - \frac{q}{(1+q)^2}",
        Rational(1, 4) - q / (1 + q) ** 2,
        (q - 1) ** 2 / (4 * (1 + q) ** 2),
        ">=",
    )
    return r"c = 4 E f_e(x^T \beta)"


def floor(p: Proof) -> str:
    """The distance of what is estimated from β."""
    j = sympy.Symbol("j", integer=True, positive=True)
    k = sympy.Symbol("k", integer=True, positive=True)
    double = 2 * sympy.summation((k - j) * Rational(1, 2) ** j, (j, 1, k - 1))
    p.check(
        "The variance of x'β with s = k equal coefficients:",
        r"k + 2 \sum_{j<k} (k - j) 2^{-j} = 3 k - 4 + 2^{2-k}",
        sympy.simplify(k + double - (3 * k - 4 + 2 ** (2 - k))),
    )
    p.check(
        "The estimate is cβ, so k coordinates are off by 1 - c each.",
        r"k (1-c)^2 = ((1-c) \sqrt{k})^2",
        k * (1 - c) ** 2 - ((1 - c) * sqrt(k)) ** 2,
    )
    return r"(1 - c) \sqrt{s}"


def indefinite(p: Proof) -> str:
    """A quadratic with a negative leading coefficient has no minimum."""
    p.check(
        "With the leading coefficient -s,",
        r"\lim_{\omega \to \infty} (-s \omega^2 + b \omega) = -\infty",
        1 / sympy.limit(-s * z**2 + b * z, z, sympy.oo),
    )
    p.sign(
        "With s > 0 it is, by completing the square, at least its value at -b/(2s):",
        r"s \omega^2 + b \omega + \frac{b^2}{4 s}",
        s * w**2 + b * w + b**2 / (4 * s),
        (2 * s * w + b) ** 2 / (4 * s),
        ">=",
    )
    return r"\frac{1}{8} \max (G + e, c)\, \omega^2 + b\, \omega"


def _line(first: Expr, second: Expr) -> Expr:
    w1, w2 = sympy.symbols("w_1 w_2", real=True)
    return first * w1 + second * w2


def square(p: Proof) -> str:
    """The square of a sum."""
    x1, x2, w1, w2 = sympy.symbols("x_1 x_2 w_1 w_2", real=True)
    p.check(
        "Two covariates:",
        r"(x_1 \omega_1 + x_2 \omega_2)^2",
        sympy.expand(_line(x1, x2) ** 2 - (x1**2 * w1**2 + 2 * x1 * x2 * w1 * w2 + x2**2 * w2**2)),
    )
    p.check(
        "Squares alone lack",
        r"2 x_1 x_2 \omega_1 \omega_2",
        sympy.expand(_line(x1, x2) ** 2 - (x1 * w1) ** 2 - (x2 * w2) ** 2 - 2 * x1 * x2 * w1 * w2),
    )
    return r"\frac{1}{8} \sum_{j,l} x_j x_l \omega_j \omega_l"


def reduction(p: Proof) -> str:
    """The sum over records through G, b and n."""
    w1, w2 = sympy.symbols("w_1 w_2", real=True)
    rows = [sympy.symbols(f"x_{i}1 x_{i}2", real=True) for i in (1, 2)]
    labels = (y1, y2)
    total = sum(
        log(2) + _line(*row) / 2 + _line(*row) ** 2 / 8 - label * _line(*row)
        for row, label in zip(rows, labels, strict=True)
    )
    at = sympy.Matrix([w1, w2])
    gram = sum((sympy.Matrix(row) * sympy.Matrix(row).T for row in rows), sympy.zeros(2))
    vector = sum(
        (
            sympy.Matrix(row) * (Rational(1, 2) - label)
            for row, label in zip(rows, labels, strict=True)
        ),
        sympy.zeros(2, 1),
    )
    p.check(
        "Two records with two covariates; G is the sum of x x', b that of x (1/2 - y).",
        r"2 \log 2 + b^T \omega + \frac{1}{8} \omega^T G \omega",
        sympy.expand(total - 2 * log(2) - (vector.T * at)[0] - (at.T * gram * at)[0] / 8),
    )
    p.check(
        "The linear terms of one record:",
        r"\frac{z}{2} - y z = \left(\frac{1}{2} - y\right) z",
        sympy.expand(z / 2 - y1 * z - (Rational(1, 2) - y1) * z),
    )
    return r"n \log 2 + b^T \omega + \frac{1}{8} \omega^T G \omega"


def placement(p: Proof) -> str:
    """Noise inside the sum, and outside of it."""
    o = sympy.Symbol("o", positive=True)
    one = 2 * sympy.integrate(o**2 * exp(-o / b) / (2 * b), (o, 0, sympy.oo))
    p.check("Laplace noise of scale b has the variance", r"2 b^2", one - 2 * b**2)
    p.check(
        "Inside the sum n of them add up; outside there is one.",
        r"\frac{2 n b^2}{2 b^2} = n",
        n * one / one - n,
    )
    return r"\sum_i x_i \left(\frac{1}{2} - y_i\right) + \mathrm{Lap}(\Delta/\varepsilon)"


def second_release(p: Proof) -> str:
    """Two releases of one covariate."""
    width = sqrt(1) + Rational(1, 4)
    p.check("For one covariate (8) is", r"\Delta = \frac{5}{4}", width - Rational(5, 4))
    p.check(
        "The linear coefficient moves by 1 and the square not at all, so one release costs",
        r"\frac{1}{\Delta/\varepsilon} = \frac{4}{5} \varepsilon",
        1 / (width / eps) - 4 * eps / 5,
    )
    p.sign(
        "Two cost more than ε.",
        r"\frac{8}{5} \varepsilon - \varepsilon",
        2 * (4 * eps / 5) - eps,
        3 * eps / 5,
    )
    return r"\text{one release}"


DERIVATIONS = {
    "DPLR:Eq3:argument": ("The slope of the objective", argument),
    "DPLR:Eq4:event": ("Chances of Laplace noise", event),
    "DPLR:Eq5:constant": ("The term of degree 0", constant),
    "DPLR:Eq8:sensitivity": ("Sensitivity of the coefficients", sensitivity),
    "DPLR:Eq9:epsilon-of-scale": ("What a scale means", scale),
    "DPLR:Eq9:indefinite": ("When a quadratic has a minimum", indefinite),
    "DPLR:Eq10:expansion": ("The surrogate against the loss", expansion),
    "DPLR:Eq11:bias": ("What the surrogate estimates", bias),
    "DPLR:Eq11:floor": ("Its distance from β", floor),
    "DPLR:Eq13:square": ("The square of a sum", square),
    "DPLR:Eq13:reduction": ("Three numbers per site", reduction),
    "DPLR:Alg1:placement": ("Noise inside the sum and outside", placement),
    "DPLR:Alg1:unclipped": ("Records need a bound", unclipped),
    "DPLR:Alg1:second-release": ("Two releases cost more", second_release),
}
