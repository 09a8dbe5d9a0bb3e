"""[CCV] Sections 3 and 4: sensitivities, levels, noise, and constants of the lower bounds."""

from __future__ import annotations

import sympy

from rates.statements.symbolic.letters import Expr, logs, slack
from rates.statements.symbolic.letters import letters as s
from rates.statements.symbolic.letters import log_letters as ln
from rates.statements.symbolic.noise import gaussian_failure
from rates.statements.symbolic.record import Proof


def levels(p: Proof) -> Expr:
    """Add the sum of 2^l over the levels up to L and its bound; return the bound."""
    top = s.L
    level = sympy.Symbol("l", integer=True)
    total = p.equal(
        "Over the levels up to L the powers of 2 add to less than twice the last.",
        r"\sum_{l=0}^{L} 2^l",
        sympy.summation(2**level, (level, 0, top)),
        2 ** (top + 1) - 1,
    )
    bound = 2 * 2**top
    p.sign("The bound keeps the factor 2.", r"2 \cdot 2^L - \sum_l 2^l", bound - total, sympy.S.One)
    return bound


def sensitivity_two(p: Proof) -> str:
    """Lemma 3.1: the constant 2√2 √c_A ‖ψ‖."""
    c_a, norm = sympy.symbols("c_A psi", positive=True)
    bound = levels(p)
    one = sympy.sqrt(c_a * norm**2 * bound) * s.tau / s.n
    p.check(
        "One record meets at most c_A wavelets of a level, each at most 2^(l/2) ‖ψ‖, and counts "
        "with τ/n at most. Its part of the statistic has a norm of at most",
        r"\frac{\tau}{n} \sqrt{2 c_A \|\psi\|^2\, 2^L}",
        one - s.tau / s.n * sympy.sqrt(2 * c_a * norm**2 * 2**s.L),
    )
    p.check(
        "Replacing a record takes one such part away and adds another.",
        r"\Delta_2 \le 2 \sqrt{2} \sqrt{c_A} \|\psi\| \frac{\tau \sqrt{2^L}}{n}",
        2 * one - 2 * sympy.sqrt(2) * sympy.sqrt(c_a) * norm * s.tau * sympy.sqrt(2**s.L) / s.n,
    )
    return r"c_\psi = 2 \sqrt{2} \sqrt{c_A} \|\psi\|_\infty"


def sensitivity_one(p: Proof) -> str:
    """Lemma 3.3: the constant is 4, not 2."""
    c_a, norm = sympy.symbols("c_A psi", positive=True)
    bound = levels(p)
    change = 2 * s.tau / s.n * c_a * norm**2 * bound
    right = 4 * c_a * norm**2 * s.tau * 2**s.L / s.n
    p.check(
        "At x_0 one record counts with τ/n times at most c_A ‖ψ‖² 2^l a level. Replacing it "
        "changes the statistic by at most",
        r"\frac{2 \tau}{n} \sum_{l=0}^L c_A 2^l \|\psi\|^2 \le "
        r"4 c_A \|\psi\|^2 \frac{\tau 2^L}{n}",
        change - right,
    )
    level = sympy.Symbol("l", integer=True)
    kernel = 1 + sympy.summation(2**level, (level, 0, s.L))
    p.equal(
        "With the Haar wavelet (c_A = 1, ‖ψ‖ = 1) and its father the kernel at a record beside "
        "x_0 is",
        r"1 + \sum_{l=0}^{L} 2^l",
        kernel,
        2 * 2**s.L,
    )
    p.check(
        "so replacing Y = τ by -τ attains the bound: the constant 4 cannot be lowered.",
        r"\frac{2 \tau}{n} \cdot 2 \cdot 2^L = \frac{4 \tau 2^L}{n}",
        2 * s.tau / s.n * kernel - right.subs({c_a: 1, norm: 1}),
    )
    p.check(
        "Laplace noise of the printed scale b then gives this privacy loss.",
        r"\frac{4 \tau 2^L}{n} : b = 2 \varepsilon,\quad b = \frac{2 \tau 2^L}{n \varepsilon}",
        (4 * s.tau * 2**s.L / s.n) / (2 * s.tau * 2**s.L / (s.n * s.eps)) - 2 * s.eps,
    )
    return r"c' = 4 c_A \|\psi\|_\infty^2"


def laplace(p: Proof) -> str:
    """The variance of Laplace noise is twice its scale squared."""
    x, b = sympy.symbols("x b", positive=True)
    density = sympy.exp(-x / b) / (2 * b)
    p.check(
        "The density e^(-|x|/b)/(2b) is that of the scale b.",
        r"2 \int_0^\infty \frac{e^{-x/b}}{2b}\, dx = 1",
        2 * sympy.integrate(density, (x, 0, sympy.oo)) - 1,
    )
    p.check(
        "Its variance:",
        r"2 \int_0^\infty x^2 \frac{e^{-x/b}}{2b}\, dx = 2 b^2",
        2 * sympy.integrate(x**2 * density, (x, 0, sympy.oo)) - 2 * b**2,
    )
    return r"\text{variance } 2 \left(\frac{c' \tau 2^L}{n \varepsilon}\right)^2"


def level(p: Proof) -> str:
    """The level is log2 D: D already holds the exponent."""
    p.root(
        "Without privacy (6) gives D, whose log is already that of N over 2α+1.",
        (2 * s.g + 2) * ln.D - ln.N - ln.D,
        ln.D,
        "D",
    )
    variance = s.L * sympy.log(2) - ln.N
    (best,) = sympy.solve(sympy.Eq(-2 * s.g * s.L * sympy.log(2), variance), s.L)
    p.check(
        "Squared bias 2^(-2αL) and variance 2^L/N are equal at the same level.",
        r"L = \frac{\log_2 N}{2 \alpha + 1} = \log_2 D",
        best - ln.N / ((2 * s.g + 1) * sympy.log(2)),
    )
    size = slack("u", strict=True)
    p.sign(
        "The printed level divides log2 D by 2+2α once more. With log D = u > 0 its squared bias "
        "is larger, by the log",
        r"2 \alpha u - \frac{2 \alpha u}{2 \alpha + 2}",
        2 * s.alpha * (size - size / (2 * s.alpha + 2)),
        s.alpha * (2 * s.alpha + 1) * size / (s.alpha + 1),
    )
    return r"L = \lceil \log_2 D \rceil"


def floor(p: Proof) -> str:
    """Theorem 3.2 needs D at least of order 1."""
    c = sympy.Symbol("c_psi", positive=True)
    variance = 4 * s.tau**2 * 2**s.L * c**2 * sympy.log(2 / s.delta) / (s.n**2 * s.eps**2)
    p.root(
        "One server's D falls below 1, and the level stays at its least value, below",
        2 * ln.n + 2 * ln.eps,
        ln.eps,
        r"\varepsilon",
    )
    part = variance.subs(sympy.log(2 / s.delta), s.x)
    p.check(
        "There the noise variance of each coefficient has no bound,",
        r"\lim_{\varepsilon \to 0} \frac{4 \tau^2 2^L c_\psi^2 \log(2/\delta)}"
        r"{n^2 \varepsilon^2} = \infty",
        1 / sympy.limit(part, s.eps, 0, "+"),
    )
    right = sympy.log(s.N) * 2 ** (-2 * s.L * s.alpha) * sympy.log(2 / s.delta)
    p.check(
        "while the right side does not depend on the budget.",
        r"\frac{\partial}{\partial \varepsilon} \log(N)\, 2^{-2 L \alpha} \log(2/\delta) = 0",
        right.diff(s.eps),
    )
    return r"D \ge 1 \text{ is needed}"


def noise(p: Proof) -> str:
    """The Gaussian noise below Lemma 3.1 is too small for large ε."""
    return gaussian_failure(p, 4)


def prior(p: Proof) -> str:
    """Lemma 4.3 lacks the radius: the information of the prior is π² R^-2 2^(L(2α+2))."""
    x = sympy.Symbol("x", real=True)
    density = sympy.cos(sympy.pi * x / 2) ** 2
    p.check(
        "The least informative prior on [-1, 1] has the density cos²(πx/2).",
        r"\int_{-1}^{1} \cos^2 \frac{\pi x}{2}\, dx = 1",
        sympy.integrate(density, (x, -1, 1)) - 1,
    )
    score = sympy.simplify(density.diff(x) ** 2 / density)
    p.check(
        "Its information:",
        r"\int_{-1}^{1} \pi^2 \sin^2 \frac{\pi x}{2}\, dx = \pi^2",
        score - sympy.pi**2 * sympy.sin(sympy.pi * x / 2) ** 2,
        sympy.integrate(sympy.pi**2 * sympy.sin(sympy.pi * x / 2) ** 2, (x, -1, 1)) - sympy.pi**2,
    )
    spread = p.equal(
        "Its variance:",
        r"\int_{-1}^{1} x^2 \cos^2 \frac{\pi x}{2}\, dx",
        sympy.integrate(sympy.expand(x**2 * (1 + sympy.cos(sympy.pi * x)) / 2), (x, -1, 1)),
        sympy.Rational(1, 3) - 2 / sympy.pi**2,
    )
    width = s.R * 2 ** (-s.L * (s.alpha + sympy.Rational(1, 2)))
    p.check(
        "On [-w, w] the information is π²/w². In the ball of radius R, w = R 2^(-L(α+1/2)) for "
        "each of 2^L coefficients:",
        r"2^L \frac{\pi^2}{w^2} = \pi^2 R^{-2}\, 2^{L(2\alpha+2)}",
        logs(2**s.L / width**2) - logs(s.R**-2 * 2 ** (s.L * (2 * s.alpha + 2))),
    )
    p.check(
        "Without data the Bayes risk is the prior's variance,",
        r"2^L w^2 V = V R^2\, 2^{-2L\alpha},\ V = \frac{1}{3} - \frac{2}{\pi^2}",
        logs(2**s.L * width**2) - logs(s.R**2 * 2 ** (-2 * s.L * s.alpha)),
    )
    (border,) = sympy.solve(sympy.Eq(spread * s.R**2, 1 / sympy.pi**2), s.R)
    p.check(
        "and the printed bound is 2^(-2Lα)/π², larger than that risk for R below",
        rf"R < \sqrt{{\frac{{3}}{{\pi^2 - 6}}}} \approx {float(border):.2f}",
        border - sympy.sqrt(3 / (sympy.pi**2 - 6)),
    )
    return r"\pi^2 R^{-2}\, 2^{L(2\alpha+2)}"


def two_points(p: Proof) -> str:
    """Constants in the proof of Theorem 4.4."""
    height = s.c0 * s.D**-s.nu  # 1/γ_D
    narrow = height ** (1 / s.nu)  # 1/β_D
    p.check(
        "The bump has the height 1/γ_D and the width 1/β_D, so its L1 norm squared is a "
        "multiple of",
        r"\gamma_D^{-2} \beta_D^{-2} = c_0^{2 + 2/\nu} D^{-2-2\nu}",
        logs(height**2 * narrow**2) - (2 + 2 / s.nu) * ln.c0 + (2 + 2 * s.nu) * ln.D,
    )
    p.check(
        "Its L2 norm squared, which bounds the divergence of a record, is one of this; with n_j "
        "records it has that power of c_0 before D^(-2-2ν) n_j D.",
        r"\gamma_D^{-2} \beta_D^{-1} = c_0^{2 + 1/\nu} D^{-2-2\nu} D",
        logs(height**2 * narrow) - (2 + 1 / s.nu) * ln.c0 + (2 + 2 * s.nu) * ln.D - ln.D,
    )
    p.equal(
        "The printed power is 1 + 2/ν; the difference is positive for ν < 1, where the printed "
        "bound is too small, as c_0 < 1.",
        r"1 + \frac{2}{\nu} - \left(2 + \frac{1}{\nu}\right)",
        1 + 2 / s.nu - (2 + 1 / s.nu),
        (1 - s.nu) / s.nu,
    )
    p.check(
        "The distance is at most the root of both parts, whose larger one, as c_0 < 1, is",
        r"\sqrt{c_0^{2 + 1/\nu}} = c_0^{1 + \frac{1}{2\nu}}",
        (2 + 1 / s.nu) / 2 - 1 - 1 / (2 * s.nu),
        holds=((2 + 2 / s.nu) - (2 + 1 / s.nu)).is_positive,
    )
    return r"c_0^{2 + \frac{1}{\nu}} \text{ and } c_0^{1 + \frac{1}{2\nu}}"


def normalisation(p: Proof) -> str:
    """What makes a scaled wavelet have norm 1, and how many there are."""
    two = sympy.log(2)
    p.check(
        "Scaling the argument by 2^l divides an integral by 2^l.",
        r"\int (c\, \psi(2^l x - k))^2 dx = c^2\, 2^{-l} \int \psi^2",
        logs(s.c**2 * 2**-s.L) - 2 * ln.c + s.L * two,
    )
    found = sympy.solve(2 * ln.c - s.L * two, ln.c)
    p.check("The norm is kept at", r"c = 2^{l/2}", found[0] - s.L * two / 2, holds=len(found) == 1)
    k = sympy.Symbol("k", integer=True)
    top = sympy.Symbol("l", integer=True, positive=True)
    count = sympy.summation(1, (k, 0, 2**top - 2))
    p.check(
        "The printed range 0 ≤ k < 2^l - 1 leaves one of 2^l shifts out.",
        r"\sum_{k=0}^{2^l - 2} 1 = 2^l - 1",
        count - 2**top + 1,
    )
    return r"\psi_{lk}(x) = 2^{l/2}\, \psi(2^l x - k),\ 0 \le k < 2^l"


DERIVATIONS = {
    "CCV:Lem3.1:constant": ("Constant of the L2 sensitivity", sensitivity_two),
    "CCV:Lem3.3:constant": ("Constant of the L1 sensitivity", sensitivity_one),
    "CCV:Sec3.1:level": ("The resolution level", level),
    "CCV:Sec3.2:noise": ("The printed noise is too small for large budgets", noise),
    "CCV:Sec3.2:indices": ("Scale and number of wavelets", normalisation),
    "CCV:Sec3.3:laplace": ("Variance of the Laplace noise", laplace),
    "CCV:Thm3.2:floor": ("Theorem 3.2 needs D of order 1", floor),
    "CCV:Lem4.3:radius": ("Information of the prior", prior),
    "CCV:Thm4.4:constants": ("Powers of the constant in the proof", two_points),
}
