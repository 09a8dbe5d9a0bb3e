"""[KS], [BCMM]: what noise costs, by step and by run; derivations step by step."""

from __future__ import annotations

import sympy
from sympy import Rational, exp, log, sqrt

from rates.statements.symbolic.letters import slack
from rates.statements.symbolic.noise import gaussian_failure
from rates.statements.symbolic.record import Proof

a, g, m, p0, s = sympy.symbols("alpha g m p s", positive=True)
B, L, R, T = sympy.symbols("B L R T", positive=True)
eps, delta, kappa, rho, sigma = sympy.symbols("varepsilon delta kappa rho sigma", positive=True)
_u = slack("u")


def answer(p: Proof) -> str:
    """The noise of one answer is too small for large budgets."""
    return gaussian_failure(p, 2)


def releases(p: Proof) -> str:
    """The noise of Algorithms 1 and 2: steps add up, and large budgets are too much for it."""
    each = eps / (2 * sqrt(T * log(3 / delta)))
    p.check(
        "Each of 2T releases lies at the distance s/σ; with the printed σ the squares add up to",
        r"\frac{2 T \varepsilon^2}{4 T \log (3/\delta)} = \frac{\varepsilon^2}{2 \log (3/\delta)}",
        2 * T * each**2 - eps**2 / (2 * log(3 / delta)),
    )
    gaussian_failure(p, 2, "3/δ")
    mu = sympy.Symbol("mu", positive=True)
    p.check(
        "With σ = s √(2T)/μ they add up to μ², whose exact δ is the reading.",
        r"2 T \frac{s^2}{\sigma^2} = \mu^2",
        2 * T * (s / (s * sqrt(2 * T) / mu)) ** 2 - mu**2,
    )
    return r"\sigma = \frac{s \sqrt{2 T}}{\mu}"


def composition(p: Proof) -> str:
    """The number of steps cancels."""
    one = eps / (2 * sqrt(T * log(3 / delta)))
    p.check(
        "Squared distances add up,",
        r"2 T x^2 = (\sqrt{2 T}\, x)^2",
        2 * T * one**2 - (sqrt(2 * T) * one) ** 2,
    )
    p.check(
        "and T cancels.",
        r"\sqrt{2 T}\, x = \frac{\varepsilon}{\sqrt{2 \log (3/\delta)}}",
        sympy.powdenest((sqrt(2 * T) * one) ** 2 - eps**2 / (2 * log(3 / delta)), force=True),
    )
    return r"\frac{\varepsilon}{\sqrt{2 \log (3/\delta)}}"


def step(p: Proof) -> str:
    """What one draw and m draws cost."""
    share = 1 / (1 + slack("s", strict=True))  # p, the mass of one person
    e = 1 + slack("v", strict=True)  # e^ε₀
    for words, common, own, other in (
        ("If g is at most b, a is at most e^ε₀ g; write b = g + u.", g, e * g, g + _u),
        ("If b is at most g, a is at most e^ε₀ b; write g = b + u.", g + _u, e * g, g),
    ):
        left = (1 - share) * common + share * own
        right = (1 + share * (e - 1)) * ((1 - share) * common + share * other)
        gap = sympy.factor(sympy.together(right - left))
        p.sign(
            words,
            r"(1 + p (e^{\varepsilon_0} - 1))((1-p) g + p b) - (1-p) g - p a",
            right - left,
            gap,
            ">=",
        )
    p.check(
        "So m draws cost at most the m-th power; in logs, with p = 1/(κn),",
        r"m \log (1 - p + p e^{\varepsilon_0})",
        sympy.expand_log(
            log((1 + p0 * (exp(eps) - 1)) ** m) - m * log(1 - p0 + p0 * exp(eps)), force=True
        ),
    )
    total = sum(sympy.binomial(3, k) * p0**k * (1 - p0) ** (3 - k) * exp(eps * k) for k in range(4))
    p.check(
        "It is attained where the odds grow by e^ε₀ with each draw; three draws, summed:",
        r"\sum_k P(k)\, e^{\varepsilon_0 k} = (1 - p + p e^{\varepsilon_0})^3",
        sympy.expand(total - (1 - p0 + p0 * exp(eps)) ** 3),
    )
    return r"m \log \left(1 + \frac{e^{\varepsilon_0} - 1}{\kappa n}\right)"


_RUN = eps / sqrt(288 * T * L)  # m over κn at the stated number; L is log(2/δ)


def run_delta(p: Proof) -> str:
    """The deltas of the steps of Algorithm 2."""
    star = 4 * _RUN * delta / (eps * sqrt(2 * T))
    p.check(
        "With l = log(2/δ) the stated number gives δ* over e^ε*, ε* = 6m/(κn):",
        r"\frac{4 m}{\kappa n} \cdot \frac{\delta}{\varepsilon \sqrt{2 T}} = \frac{\delta}{6 "
        r"T \sqrt{l}}",
        star**2 - (delta / (6 * T * sqrt(L))) ** 2,
    )
    worst = 6 * 10 / sqrt(sympy.Integer(288) * 49152 * log(8))
    p.check(
        "ε is at most 10, δ at most 1/4 and T at least 128 · 6 · 64, so",
        rf"\varepsilon^* \le {float(worst.evalf(4)):.4f}",
        (6 * _RUN).subs({eps: 10, T: 49152, L: log(8)}) - worst,
    )
    p.check(
        "and e^ε* is below 3√l, which is what δ* ≤ δ/(2T) asks for.",
        r"3 \sqrt{\log 8} - e^{\varepsilon^*} > 0",
        holds=(3 * sqrt(log(8)) - exp(worst)).is_positive,
    )
    return r"\delta^* \le \frac{\delta}{2 T}"


def run_privacy(p: Proof) -> str:
    """Advanced composition of all steps of Algorithm 2."""
    one = (sympy.E - 1) * _RUN
    first = one * sqrt(2 * T * L)
    p.check(
        "With l = log(2/δ) and ε* = (e - 1)m/(κn) the first part of advanced composition is",
        r"\varepsilon^* \sqrt{2 T l} = \frac{e - 1}{12}\, \varepsilon",
        sympy.powdenest(first**2 - ((sympy.E - 1) / 12 * eps) ** 2, force=True),
    )
    p.check(
        "The square of a step, over all steps:",
        r"T (\varepsilon^*)^2 = \frac{(e-1)^2 \varepsilon^2}{288\, l}",
        sympy.powdenest(T * one**2 - (sympy.E - 1) ** 2 * eps**2 / (288 * L), force=True),
    )
    top = (sympy.E - 1) * 10 / sqrt(sympy.Integer(288) * 49152 * log(8))
    p.check(
        "A step is below 0.01, so that e^ε* - 1 is at most 1.01 times it,",
        r"e^{0.01} - 1 < 1.01 \cdot 0.01",
        holds=bool(top < Rational(1, 100))
        and bool(exp(Rational(1, 100)) - 1 < Rational(101, 10000)),
    )
    second = Rational(101, 100) * (sympy.E - 1) ** 2 * 10 / (288 * log(8))
    p.check(
        "and the second part is, with ε at most 10 and l at least log 8, below",
        rf"{float(second.evalf(3)):.3f}\, \varepsilon",
        holds=bool(second + (sympy.E - 1) / 12 < 1),
    )
    return r"\varepsilon^* \sqrt{2 T l} + T \varepsilon^* (e^{\varepsilon^*} - 1) \le \varepsilon"


def renyi(p: Proof) -> str:
    """The divergence of two Gaussians."""
    x, y = sympy.symbols("x y", real=True)
    p.check(
        "Completing the square, with y the distance over σ,",
        r"a (x-y)^2 + (1-a) x^2 = (x - a y)^2 - a (a-1) y^2",
        sympy.expand(a * (x - y) ** 2 + (1 - a) * x**2 - (x - a * y) ** 2 + a * (a - 1) * y**2),
    )
    area = sympy.integrate(
        exp(-((x - a * y) ** 2) / 2) / sqrt(2 * sympy.pi), (x, -sympy.oo, sympy.oo)
    )
    p.check(
        "the first part integrates to 1,",
        r"\int \varphi(x - a y)\, dx = 1",
        sympy.simplify(area) - 1,
    )
    p.check(
        "and the second leaves",
        r"D_a = \frac{1}{a-1} \cdot \frac{a (a-1) y^2}{2} = \frac{a y^2}{2}",
        (a * (a - 1) * y**2 / 2) / (a - 1) - a * y**2 / 2,
    )
    p.check(
        "Two gradients are apart by at most 2L.",
        r"\frac{a}{2} \left(\frac{2 L}{\sigma}\right)^2 = a \frac{2 L^2}{\sigma^2}",
        a / 2 * (2 * L / sigma) ** 2 - a * 2 * L**2 / sigma**2,
    )
    return r"D_a \le a \frac{2 L^2}{\sigma^2}"


def conversion(p: Proof) -> str:
    """From a Rényi divergence to a budget."""
    o = 1 + slack("w", strict=True)
    budget = rho * o + log(1 / delta) / (o - 1)
    p.check(
        "With order 1 + w the mean of e^(w loss) is at most e^(w(1+w)ρ). By Markov's "
        "inequality the "
        "the loss exceeds ε with probability at most e^(w((1+w)ρ - ε)), which is",
        r"e^{w ((1+w) \rho - \varepsilon)} = \delta",
        sympy.simplify(exp(sympy.expand((o - 1) * (o * rho - budget)))) - delta,
    )
    p.check(
        "at",
        r"\varepsilon = \rho (1+w) + \frac{\log (1/\delta)}{w}",
        budget - rho * o - log(1 / delta) / (o - 1),
    )
    return r"\varepsilon = \rho\, \omega + \frac{\log (1/\delta)}{\omega - 1}"


def account(p: Proof) -> str:
    """Both parts of the account of Theorem A.3."""
    part, y = sympy.symbols("l y", positive=True)  # log(1/δ), log Y
    least = 16 * L**2 * part / eps + 8 * L**2
    p.check(
        "With σ² log(κn) at its least value, l = log(1/δ), the second part is half of ε.",
        r"\frac{8 L^2 l}{\sigma^2 \log (\kappa n) - 8 L^2} = \frac{\varepsilon}{2}",
        8 * L**2 * part / (least - 8 * L**2) - eps / 2,
    )
    big = 52 * R * T / (8 * kappa**2 * eps)
    q = sympy.Symbol("q", positive=True)  # log(κn)
    p.check(
        "With n² = Y y, y = log Y, the first is half of ε times log(κn) over y.",
        r"\frac{26 R T}{8 \kappa^2 n^2} \log (\kappa n) = \frac{\varepsilon}{2} \cdot "
        r"\frac{\log (\kappa n)}{y}",
        26 * R * T * q / (8 * kappa**2 * big * y) - eps / 2 * q / y,
    )
    small = 1 / (1 + slack("w"))  # κ²
    p.sign(
        "That is at most 1, as (κn)² = κ² Y y is at most Y²; with κ² = 1/(1+w) and Y = y + u,",
        r"Y^2 - \kappa^2 Y y",
        (y + _u) ** 2 - small * (y + _u) * y,
        sympy.factor(sympy.together((y + _u) ** 2 - small * (y + _u) * y)),
        ">=",
    )
    return r"\frac{\varepsilon}{2} + \frac{\varepsilon}{2} = \varepsilon"


def deviation(p: Proof) -> str:
    """Steps for a deviation of half of α."""
    found = p.solve(
        "The square of the deviation at R steps, with l = log(2/β), is a quarter of α² at",
        8 * B**2 * L / R - a**2 / 4,
        R,
    )
    p.check(
        "The printed R leaves a deviation of α.",
        r"\frac{8 B^2 l}{R} = \alpha^2",
        (8 * B**2 * L / R).subs(R, found / 4) - a**2,
    )
    return r"R = \frac{32 B^2 l}{\alpha^2}"


def weights(p: Proof) -> str:
    """How far the weights of Algorithm 1 move."""
    length = m ** Rational(3, 2) / (sqrt(T) * a**2 * B)
    p.check(
        "A gradient of α²(B + B̄)/m² times the step, with c for B + B̄:",
        r"\frac{m^{3/2}}{\sqrt{T} \alpha^2 c} \cdot \frac{\alpha^2 c}{m^2} = \frac{1}{\sqrt{m T}}",
        length * a**2 * B / m**2 - 1 / sqrt(m * T),
    )
    p.check(
        "T steps, over the least inverse weight m/α:",
        r"\frac{T}{\sqrt{m T}} : \frac{m}{\alpha} = \frac{\alpha \sqrt{T}}{m^{3/2}}",
        T / sqrt(m * T) / (m / a) - a * sqrt(T) / m ** Rational(3, 2),
    )
    found = sympy.solve(sympy.Eq(a * s / m ** Rational(3, 2), g), s)[0] ** 2
    p.check(
        "A relative change of g needs",
        r"T \ge \left(\frac{g\, m^{3/2}}{\alpha}\right)^2",
        found - (g * m ** Rational(3, 2) / a) ** 2,
    )
    return r"\frac{\alpha \sqrt{T}}{m^{3/2}}"


DERIVATIONS = {
    "KS:Sec2:answer": ("The printed noise is too small for large budgets", answer),
    "KS:Claim4.1:step": ("What m draws cost a volunteer", step),
    "KS:Thm4.2:privacy": ("Composition of all steps", run_privacy),
    "KS:Thm4.2:delta": ("Deltas of the steps", run_delta),
    "KS:AppA:fact-noise": ("Divergence of two Gaussians", renyi),
    "KS:AppA:fact-conversion": ("From a divergence to a budget", conversion),
    "KS:AppA:account": ("Both parts of the account", account),
    "KS:AppA:deviation": ("Steps for the deviation", deviation),
    "BCMM:Eq3:weights": ("How far the weights move", weights),
    "BCMM:Thm4.2:privacy": ("Noise of all steps together", releases),
    "BCMM:Thm4.2:composition": ("The number of steps cancels", composition),
}
