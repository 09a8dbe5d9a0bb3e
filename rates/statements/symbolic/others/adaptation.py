"""[BCMM] Section 4: weights, gradients and descent; derivations step by step."""

from __future__ import annotations

import sympy
from sympy import Rational, sqrt

from rates.statements.symbolic.letters import slack
from rates.statements.symbolic.record import Proof

a, c, d, m, n, y, z = sympy.symbols("alpha c d m n y z", positive=True)
A, B, G, T = sympy.symbols("A B G T", positive=True)
eta, kappa, lam, sigma = sympy.symbols("eta kappa lambda sigma", positive=True)
_u, _v, _w = slack("u"), slack("v"), slack("w")


def discrepancy(p: Proof) -> str:
    """What one record moves of the largest distance of two mean losses."""
    s, t, old, new = slack("s"), slack("t"), slack("l"), slack("k")
    p.sign(
        "A loss is at most B = (Λr + 1)²: with |w.x| = s, Λr = s + u, |y| = t and 1 = t + v,",
        r"(s + u + t + v)^2 - (s + t)^2",
        (s + _u + t + _v) ** 2 - (s + t) ** 2,
        (_u + _v) * (2 * s + 2 * t + _u + _v),
        ">=",
    )
    p.sign(
        "A loss l becomes a loss k, both in [0, B], and its mean over n records moves by at most "
        "B/n; with B = l + u,",
        r"\frac{B}{n} - \frac{l - k}{n}",
        (old + _u) / n - (old - new) / n,
        (_u + new) / n,
        ">=",
    )
    p.sign(
        "If a number moves by s, its absolute value t moves by at most s: the new one is at least "
        "the distance of t and s and at most their sum.",
        r"(t + s)^2 - (t - s)^2",
        (t + s) ** 2 - (t - s) ** 2,
        4 * t * s,
        ">=",
    )
    p.check(
        "Where the largest one over predictors, c = t + u, falls, its own predictor still has at "
        "least c - s; where it rises, to that of a predictor that had t, it is at most t + s.",
        r"c + s - (t + s) = u",
        (t + _u) + s - (t + s) - _u,
    )
    return r"|\hat d_S - \hat d_{S^+}| \le \frac{B}{n}"


def sensitivity_w(p: Proof) -> str:
    """What one record moves of the gradient in w."""
    r, size = sympy.symbols("r l", positive=True)
    p.check(
        "A gradient is at most G = 2r(lr + 1), that of a loss (w.x - y)² at norms r and l.",
        r"2 r (l r + 1) = 2 l r^2 + 2 r",
        sympy.expand(2 * r * (size * r + 1)) - 2 * size * r**2 - 2 * r,
    )
    p.check(
        "One goes and one comes, each with a weight of at most (1-α)/n.",
        r"2 \cdot \frac{1-\alpha}{n} G = \frac{2 (1-\alpha) G}{n}",
        2 * (1 - a) / n * G - 2 * (1 - a) * G / n,
    )
    return r"\frac{2 (1-\alpha) G}{n}"


def sensitivity_u(p: Proof) -> str:
    """What one record moves of the gradient in its inverse weight."""
    least = n / (1 - a)
    p.check(
        "Two losses in [0, B] are apart by at most B, over the square of an inverse weight of at "
        "least n/(1-α).",
        r"\frac{B}{(n/(1-\alpha))^2} = \frac{(1-\alpha)^2 B}{n^2}",
        B / least**2 - (1 - a) ** 2 * B / n**2,
    )
    h = n * (1 + slack("s", strict=True))  # n/(1-α)
    p.sign(
        "A larger inverse weight makes it smaller, with h the least one:",
        r"\frac{B}{h^2} - \frac{B}{(h+u)^2}",
        B / h**2 - B / (h + _u) ** 2,
        sympy.factor(sympy.together(B / h**2 - B / (h + _u) ** 2)),
        ">=",
    )
    return r"\frac{(1-\alpha)^2 B}{n^2}"


def upper(p: Proof) -> str:
    """The mean of the inverse weights bounds the distance from the reference."""
    u = slack("u", strict=True)
    p.sign(
        "For a record with the reference weight α,",
        r"\alpha^2 u + \frac{1}{u} - 2 \alpha",
        a**2 * u + 1 / u - 2 * a,
        (a * u - 1) ** 2 / u,
        ">=",
    )
    p.check(
        "The m + n reference weights add up to 1, and twice that is 1 + 1.",
        r"m \frac{\alpha}{m} + n \frac{1-\alpha}{n} = 1",
        m * (a / m) + n * ((1 - a) / n) - 1,
    )
    return r"1 - \sum_i \frac{1}{u_i} \le \sum_i a_i^2 u_i - 1"


def convex(p: Proof) -> str:
    """A quadratic over a linear function is convex."""
    r1, r2 = sympy.symbols("r_1 r_2", real=True)
    u1, u2 = sympy.symbols("u_1 u_2", positive=True)
    p.sign(
        "The residuals r are linear in w. A mean of two values less the value at the mean:",
        r"\frac{r_1^2}{2 u_1} + \frac{r_2^2}{2 u_2} - \frac{(r_1 + r_2)^2}{2 (u_1 + u_2)}",
        r1**2 / (2 * u1) + r2**2 / (2 * u2) - ((r1 + r2) / 2) ** 2 / ((u1 + u2) / 2),
        (r1 * u2 - r2 * u1) ** 2 / (2 * u1 * u2 * (u1 + u2)),
        ">=",
    )
    p.sign(
        "Likewise for the discrepancy and the penalties in 1/u,",
        r"\frac{1}{2 u_1} + \frac{1}{2 u_2} - \frac{2}{u_1 + u_2}",
        1 / (2 * u1) + 1 / (2 * u2) - 2 / (u1 + u2),
        (u1 - u2) ** 2 / (2 * u1 * u2 * (u1 + u2)),
        ">=",
    )
    p.check(
        "and the penalty in a²u is linear.",
        r"\frac{a^2 u_1 + a^2 u_2}{2} = a^2 \frac{u_1 + u_2}{2}",
        (a**2 * u1 + a**2 * u2) / 2 - a**2 * (u1 + u2) / 2,
    )
    return r"F \text{ is convex}"


def profile(p: Proof) -> str:
    """The best inverse weight of a record, and Huber's loss."""
    v = slack("v", strict=True)
    part = z / v + kappa * (v - 1)
    p.check(
        "With v = au a record contributes a times z/v + κ(v - 1).",
        r"\frac{z}{u} + \kappa (a^2 u - a) = a \left(\frac{z}{v} + \kappa (v - 1)\right)",
        z / (v / a) + kappa * (a**2 * (v / a) - a) - a * part,
    )
    (best,) = sympy.solve(part.diff(v), v)
    p.check("Its slope vanishes at", r"v = \sqrt{z/\kappa}", best**2 - z / kappa)
    p.sign(
        "For z above κ that is best:",
        r"\frac{z}{v} + \kappa (v - 1) - (2 \sqrt{\kappa z} - \kappa)",
        part - (2 * sqrt(kappa * z) - kappa),
        (sqrt(z) - sqrt(kappa) * v) ** 2 / v,
        ">=",
    )
    gap = (part - z).subs(v, 1 + _u).subs(kappa, z + _w)
    p.sign(
        "For z up to κ = z + w the end v = 1 is: with v = 1 + u,",
        r"\frac{z}{v} + \kappa (v - 1) - z",
        gap,
        _u * (_u * (z + _w) + _w) / (1 + _u),
        ">=",
    )
    return r"\varphi(z) = z \text{ for } z \le \kappa,\ 2 \sqrt{\kappa z} - \kappa \text{ beyond}"


def gradients(p: Proof) -> str:
    """Norms of the gradients from their largest entries."""
    p.check(
        "m entries of at most α²c/m² each, with c for B + B̄:",
        r"\sqrt{m}\, \frac{\alpha^2 c}{m^2} = \frac{\alpha^2 c}{m^{3/2}}",
        sqrt(m) * a**2 * c / m**2 - a**2 * c / m ** Rational(3, 2),
    )
    p.check(
        "n entries of at most (1-α)²c/n², with c for B̄:",
        r"\sqrt{n}\, \frac{(1-\alpha)^2 c}{n^2} = \frac{(1-\alpha)^2 c}{n^{3/2}}",
        sqrt(n) * (1 - a) ** 2 * c / n**2 - (1 - a) ** 2 * c / n ** Rational(3, 2),
    )
    r, size = sympy.symbols("r l", positive=True)
    p.check(
        "A record of norm r at w of norm l, with |y| at most 1, has a gradient of at most",
        r"2 r (l r + 1) = G",
        sympy.expand(((size * r + y) ** 2).diff(size) - 2 * r * (size * r + y)).subs(y, 1),
    )
    return (
        r"G,\quad \frac{\alpha^2 (B + \bar{B})}{m^{3/2}},\quad \frac{(1-\alpha)^2 \bar{B}}{n^{3/2}}"
    )


def slope(p: Proof) -> str:
    """The coefficient of κ₁ in one inverse weight."""
    u = slack("u", strict=True)
    p.check(
        "A reference weight is α/m, so the penalty is",
        r"\kappa_1 \left(\frac{\alpha}{m}\right)^2 u",
        kappa * (a / m) ** 2 * u - kappa * a**2 * u / m**2,
    )
    p.check(
        "and its slope",
        r"\kappa_1 \frac{\alpha^2}{m^2}",
        (kappa * (a / m) ** 2 * u).diff(u) - kappa * a**2 / m**2,
    )
    return r"\kappa_1 \frac{\alpha^2}{m^2}"


def start(p: Proof) -> str:
    """Two points of a ball."""
    one, two = sympy.symbols("b c", real=True)
    p.sign(
        "For two numbers, and so for every coordinate,",
        r"2 b^2 + 2 c^2 - (b - c)^2",
        2 * one**2 + 2 * two**2 - (one - two) ** 2,
        (one + two) ** 2,
        ">=",
    )
    p.check(
        "With norms of at most λ this is at most",
        r"2 \lambda^2 + 2 \lambda^2 = 4 \lambda^2",
        2 * lam**2 + 2 * lam**2 - 4 * lam**2,
    )
    p.check(
        "and opposite points attain it.",
        r"(\lambda + \lambda)^2 = 4 \lambda^2",
        (lam + lam) ** 2 - 4 * lam**2,
    )
    return r"\|w_0 - w^*\|^2 \le 4 \Lambda^2"


def descent(p: Proof) -> str:
    """The three parts of the bound of Theorem 4.2."""
    (best,) = sympy.solve((lam**2 / (2 * eta * T) + eta * A / 2).diff(eta), eta)
    p.check(
        "With mean squared gradients A the bound is least at the step",
        r"\eta = \frac{\lambda}{\sqrt{T A}}",
        best**2 - lam**2 / (T * A),
    )
    value = (lam**2 / (2 * eta * T) + eta * A / 2).subs(eta, lam / sqrt(T * A))
    p.check(
        "where it is",
        r"\frac{\lambda^2}{2 \eta T} + \frac{\eta A}{2} = \lambda \sqrt{A/T}",
        value**2 - lam**2 * A / T,
    )
    p.check(
        "With A = G² + dσ²:",
        r"\lambda \sqrt{A/T} = \lambda G \sqrt{\frac{1}{T} + \frac{d \sigma^2}{T G^2}}",
        sympy.expand(
            lam**2 * (G**2 + d * sigma**2) / T - lam**2 * G**2 * (1 / T + d * sigma**2 / (T * G**2))
        ),
    )
    small = 1 / (1 + _v)
    p.sign(
        "Also 16 log(3/δ) is at most 32 log(2/δ): with δ = 1/(1+v),",
        r"\left(\frac{2}{\delta}\right)^2 - \frac{3}{\delta}",
        (2 / small) ** 2 - 3 / small,
        (1 + _v) * (4 * _v + 1),
    )
    return (
        r"\Lambda G \sqrt{\frac{1}{T} + \frac{32 (1-\alpha)^2 d \log (2/\delta)}{n^2 "
        r"\varepsilon^2}}"
    )


def condition(p: Proof) -> str:
    """How many records the condition of Theorem 4.3 asks for."""
    r = sympy.Symbol("r", positive=True)
    ratio = (lam * r + 1) ** 2 / (2 * r * (lam * r + 1) * lam)
    p.check(
        "The ratio of B to GΛ is",
        r"\frac{B}{G \Lambda} = \frac{1}{2} + \frac{1}{2 \Lambda r}",
        ratio - Rational(1, 2) - 1 / (2 * lam * r),
    )
    many, share, dims = 1000 * (1 + _u), 1 / (1 + _v), 1000 / (1 + _w)
    moved = many * (many / (2 * share)) ** 2
    floor = Rational(1000**6, 8**2 * 1000)
    p.check(
        "With m = 1000(1+u), α = 1/(1+v) and d = 1000/(1+w), and 1/2 for that ratio, the left side "
        "is",
        rf"{float(floor / 10**13):.4f} \cdot 10^{{13}} (1+u)^6 (1+v)^4 (1+w)",
        (moved / 2) ** 2 / dims - floor * (1 + _u) ** 6 * (1 + _v) ** 4 * (1 + _w),
        holds=bool(floor > 8 * 10**9),
    )
    p.sign("where no factor is below 1.", r"(1 + u) - 1", (1 + _u) - 1, _u, ">=")
    return r"\frac{(B U)^2}{(G \Lambda)^2 d} > 1.5 \cdot 10^{13}"


DERIVATIONS = {
    "BCMM:Eq6:upper": ("Distance from the reference weights", upper),
    "BCMM:Eq6:convex": ("The objective is convex", convex),
    "BCMM:Eq6:profile": ("Huber's loss as a profile", profile),
    "BCMM:Lem4.1:gradients": ("Norms of the gradients", gradients),
    "BCMM:Eq2:sensitivity": ("Sensitivity of the discrepancy", discrepancy),
    "BCMM:Lem4.1:sensitivity-w": ("Sensitivity in the coefficients", sensitivity_w),
    "BCMM:Lem4.1:sensitivity-u": ("Sensitivity in the inverse weights", sensitivity_u),
    "BCMM:AppC:kappa": ("The slope of a penalty", slope),
    "BCMM:Thm4.2:start": ("Two points of a ball", start),
    "BCMM:Thm4.2:bound": ("The bound of Theorem 4.2", descent),
    "BCMM:Thm4.3:condition": ("What the condition asks for", condition),
}
