"""[KS] Section 5 and the appendices: Gaussians, PARITY and sizes; derivations step by step."""

from __future__ import annotations

import sympy
from sympy import Rational, exp, log, sqrt

from rates.statements.symbolic.letters import Expr, slack
from rates.statements.symbolic.record import Proof

a, b, d, k, n, t = sympy.symbols("alpha beta d k n t", positive=True)
B, X, T = sympy.symbols("B X T", positive=True)
eps = sympy.Symbol("varepsilon", positive=True)


def scaling(p: Proof) -> str:
    """Algorithm 4 is Algorithm 2 for losses over their range."""
    part = sympy.Symbol("l", positive=True)  # log2(8 B X/α)
    p.check(
        "Losses over their range B = LD lie in [0, 1], with the accuracy α/B. Algorithm 2 there:",
        r"\frac{128\, l}{(\alpha/B)^2} = \frac{128 B^2 l}{\alpha^2}",
        128 * part / (a / B) ** 2 - 128 * B**2 * part / a**2,
    )
    rate = a / (8 * B)
    rounds = 128 * B**2 * part / a**2
    p.check(
        "The regret bound meets 3αT/(8B) there,",
        r"\frac{\alpha}{8 B} T + \frac{8 B}{\alpha} 4 l = \frac{3 \alpha T}{8 B}",
        rate * rounds + 4 * part / rate - 3 * a * rounds / (8 * B),
    )
    p.check(
        "and the exponent of an update is, per loss,",
        r"\frac{\alpha}{8 B} \cdot \frac{1}{B} = \frac{\alpha}{8 B^2}",
        rate / B - a / (8 * B**2),
    )
    return r"T = \frac{128 B^2 \log_2 (8 B X/\alpha)}{\alpha^2}"


def gaussians(p: Proof) -> str:
    """X of two centred Gaussians."""
    v, r = sympy.symbols("v r", positive=True)
    s2 = (t**2 + v) / 2  # the volunteers' variance; the integral is finite where v > 0
    z_ = sympy.Symbol("z", real=True)
    precision = p.equal(
        "With σ_T = t and σ_S² = (t² + v)/2, v > 0, the integrand T²/S is a Gaussian of precision",
        "r",
        2 / t**2 - 1 / s2,
        2 * v / (t**2 * (t**2 + v)),
    )
    integral = sympy.integrate(exp(-r * z_**2 / 2), (z_, -sympy.oo, sympy.oo))
    p.check(
        "Its integral is",
        r"\int e^{-r z^2/2}\, dz = \sqrt{2 \pi / r}",
        integral - sqrt(2 * sympy.pi / r),
    )
    one = sqrt(s2) / (t**2 * sqrt(2 * sympy.pi)) * integral.subs(r, precision)
    p.check(
        "One coordinate gives, and k of them its power,",
        r"\left(\frac{\sigma_S^4}{\sigma_T^2 (2 \sigma_S^2 - \sigma_T^2)}\right)^{1/2}",
        sympy.powdenest(one**2 - s2**2 / (t**2 * (2 * s2 - t**2)), force=True),
    )
    return r"X = \left(\frac{\sigma_S^4}{\sigma_T^2 (2 \sigma_S^2 - \sigma_T^2)}\right)^{k/2}"


def _x(target: str, source: str, half: int) -> Expr:
    one, two = Rational(target), Rational(source)
    return (two**4 / (one**2 * (2 * two**2 - one**2))) ** half


def values(p: Proof) -> str:
    """The two values of Appendix D."""
    first, second = _x("2/5", "1", 3), _x("7/100", "1/10", 1)
    for words, value, low in (
        ("Six coordinates with the spreads 1 and 0.4:", first, Rational(391, 10)),
        ("Two with 0.1 and 0.07:", second, Rational(135, 100)),
    ):
        p.check(words, rf"X = {float(value):.4f}", holds=value > low)
    return r"X > 39.1,\quad X > 1.35"


def spread_of_ten(p: Proof) -> str:
    """X of ten coordinates at the two spreads."""
    right, wrong = _x("1/50", "1", 5), _x("1/100", "1", 5)
    p.check(
        "At a spread of 0.02, as in the text:",
        rf"X = {float(right / 10**15):.2f} \cdot 10^{{15}}",
        holds=abs(right / 10**15 - 3) < Rational(6, 100),
    )
    p.check(
        "At 0.01, as displayed:",
        rf"X = {float(wrong / 10**15):.0f} \cdot 10^{{15}}",
        holds=wrong > 10**18,
    )
    return r"X = 3.05 \cdot 10^{15}"


def sample(p: Proof) -> str:
    """The union bound over T rounds."""
    size = (d + log(T * 20)) / a
    p.check(
        "With this m the failures of T rounds add up to",
        r"T e^{d - \alpha m} = 0.05",
        sympy.simplify(T * exp(d - a * size)) - Rational(1, 20),
    )
    p.check(
        "With the printed m they add up to",
        r"T e^{d - \alpha m} = 20\, T^2",
        sympy.simplify(T * exp(d - a * (d + log(1 / (20 * T))) / a)) - 20 * T**2,
    )
    return r"m = \frac{d + \log (20 T)}{\alpha}"


def rank(p: Proof) -> str:
    """Records that span, for uniform bits."""
    size = log(d / b) / log(2)
    p.check(
        "While the rank is below d a record stays in the span with probability at most 1/2, "
        "log2(d/β) of them with at most",
        r"2^{-\log_2 (d/\beta)} = \frac{\beta}{d}",
        sympy.simplify(sympy.exp(-size * log(2))) - b / d,
    )
    p.check("There are d steps.", r"d \cdot \frac{\beta}{d} = \beta", d * (b / d) - b)
    return r"n \ge d \log_2 \frac{d}{\beta}"


def rank_source(p: Proof) -> str:
    """Records that span, for the volunteers."""
    c = sympy.Symbol("c", positive=True)
    f = c - log(1 + c)
    p.check(
        "A proper subspace is left with a mass of at least 1/(4X). With x = log(1 + c) the "
        "difference f(c) = c - log(1 + c) vanishes at 0,",
        r"f(0) = 0",
        f.subs(c, 0),
    )
    p.sign("and rises, so 1 - x is at most e^-x.", r"f^{\prime}", f.diff(c), c / (1 + c))
    p.check(
        "So 4X log(d/β) records miss it with probability at most",
        r"e^{-\log (d/\beta)} = \frac{\beta}{d}",
        sympy.simplify(exp(-4 * X * log(d / b) / (4 * X))) - b / d,
    )
    p.check("There are at most d subspaces.", r"d \cdot \frac{\beta}{d} = \beta", d * (b / d) - b)
    return r"n \ge 4 X d \log \frac{d}{\beta}"


def rank_batches(p: Proof) -> str:
    """The batches of Corollary B.3."""
    size = 32 * X * d * log(2 * d * k / b) / eps
    p.check(
        "A subsample keeps fewer than an eighth of ε|S| with probability at most e^(-ε|S|/32), "
        "whose exponent is",
        r"\frac{\varepsilon |S|}{32} = X d \log \frac{2 d k}{\beta}",
        eps * size / 32 - X * d * log(2 * d * k / b),
    )
    X1, d1 = 1 + slack("u"), 1 + slack("v")
    p.sign(
        "where X d is at least 1 with X = 1 + u and d = 1 + v,",
        r"X d - 1",
        X1 * d1 - 1,
        slack("u") * slack("v") + slack("u") + slack("v"),
        ">=",
    )
    p.check(
        "What is kept is the number for the failure β/(2k).",
        r"\frac{\varepsilon |S|}{8} = 4 X d \log \frac{d}{\beta/(2k)}",
        sympy.expand_log(eps * size / 8 - 4 * X * d * log(d / (b / (2 * k))), force=True),
    )
    p.check(
        "Over k batches both add up to",
        r"k \left(\frac{\beta}{2k} + \frac{\beta}{2k}\right) = \beta",
        k * (b / (2 * k) + b / (2 * k)) - b,
    )
    return r"|S| \ge \frac{32 X d \log (2 d k/\beta)}{\varepsilon}"


def attempts(p: Proof) -> str:
    """The number of batches."""
    count = log(2 / b) / log(Rational(4, 3))
    p.check(
        "At the printed k all fail with probability at most",
        r"\left(\frac{3}{4}\right)^k = \frac{\beta}{2}",
        sympy.expand_log(count * log(Rational(3, 4)) - log(b / 2), force=True),
    )
    p.check(
        "More batches make it smaller.",
        r"\log \frac{3}{4} < 0",
        holds=log(Rational(3, 4)).is_negative,
    )
    return r"k = \log_{4/3} \frac{2}{\beta}"


def enough(p: Proof) -> str:
    """The union bound over all combinations of the bits."""
    p.check(
        "Each of the 2^d - 1 combinations vanishes on all records with probability 2^-n.",
        r"(2^d - 1)\, 2^{-n} = 2^{d-n} - 2^{-n}",
        (2**d - 1) * 2**-n - (2 ** (d - n) - 2**-n),
    )
    p.sign(
        "This is below 2^(d-n).",
        r"2^{d-n} - (2^d - 1) 2^{-n}",
        2 ** (d - n) - (2**d - 1) * 2**-n,
        2**-n,
    )
    return r"2^{d-n}"


def steps_used(p: Proof) -> str:
    """The records that 997 rounds of 50 million steps ask for."""
    x = _x("7/100", "1/10", 1)
    share = Rational(8, 100) / (4 * x)
    product = 52 * Rational(5 * 10**7) * 997 / (8 * share**2 * Rational(1, 2))
    p.check(
        "With X of two coordinates of spreads 0.1 and 0.07 the density is",
        rf"\frac{{0.08}}{{4 X}} = {float(share):.5f}",
        share * 4 * x - Rational(8, 100),
    )
    found = sqrt(product * log(product))
    p.check(
        "and the root of Y log Y, within a thousandth of the printed number,",
        rf"n = {float(found.evalf(6) / 10**6):.1f} \cdot 10^6",
        holds=bool(abs(found / Rational(3247 * 10**5) - 1) < Rational(1, 1000)),
    )
    return r"n = 324.7 \cdot 10^6"


def worst_case(p: Proof) -> str:
    """The records of Algorithm 1 in the worst case, with logarithms of base 2."""
    x = _x("2/5", "1", 3)
    for failure in (Rational(1, 10**6), Rational(12, 100)):
        inside = 200 * log(8 * 10**10) / log(2) + log(8 / failure) / log(2)
        found = 800 * x * log(100) / log(2) * 10**4 * inside
        p.check(
            f"At α = 0.01, d = 200 and β = {float(failure):g} it is, within two parts in a "
            "hundred of the printed number,",
            rf"n = {float(found.evalf(6) / 10**12):.2f} \cdot 10^{{12}}",
            holds=bool(abs(found / (15 * 10**12) - 1) < Rational(2, 100)),
        )
    return r"n = 15 \cdot 10^{12}"


DERIVATIONS = {
    "KS:Sec5:gaussians": ("X of two Gaussians", gaussians),
    "KS:Alg4:scaling": ("Algorithm 4 by scaling", scaling),
    "KS:PropB.1:rank": ("Uniform bits that span", rank),
    "KS:PropB.1:enough": ("A union bound", enough),
    "KS:ClaimB.2:rank": ("Volunteers' bits that span", rank_source),
    "KS:CorB.3:rank": ("Batches that span", rank_batches),
    "KS:CorB.3:batches": ("How many batches", attempts),
    "KS:AppC:spread": ("X of ten coordinates", spread_of_ten),
    "KS:AppC:sample": ("A union bound over the rounds", sample),
    "KS:AppD:records": ("Records for the steps that were used", steps_used),
    "KS:AppD:worst-case": ("Records in the worst case", worst_case),
    "KS:AppD:values": ("Two values of X", values),
}
