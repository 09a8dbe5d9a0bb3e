"""[BCMM] Section 5 and the appendices: smoothing and steps; derivations step by step."""

from __future__ import annotations

import sympy
from sympy import Rational, exp, log, sqrt

from rates.statements.symbolic.letters import Expr, slack
from rates.statements.symbolic.record import Proof

a, d, k, m, n, x, y = sympy.symbols("alpha d k m n x y", positive=True)
B, G, N = sympy.symbols("B G N", positive=True)
eps, eta, lam, mu = sympy.symbols("varepsilon eta lambda mu", positive=True)
_u = slack("u")


def laws(p: Proof) -> str:
    """A difference of mean losses against the distance of two laws."""
    loss, over, gap = slack("l"), slack("u"), slack("x")
    p.sign(
        "Where P and Q are x apart at a point of the loss l, its term is l x or -l x, which is at "
        "most B x away from 0: with B = l + u,",
        r"B x - l x",
        (loss + over) * gap - loss * gap,
        over * gap,
        ">=",
    )
    p.check(
        "The sum over points is as near to 0 as the sum of these. Half is enough, as the "
        "differences add to 0: on four points",
        r"\sum_i l_i t_i = \sum_i \left(l_i - \frac{B}{2}\right) t_i,\quad \sum_i t_i = 0",
        _halved(),
    )
    p.sign(
        "and a loss is at most B/2 from the middle.",
        r"\left(\frac{B}{2}\right)^2 - \left(l - \frac{B}{2}\right)^2",
        ((loss + over) / 2) ** 2 - (loss - (loss + over) / 2) ** 2,
        loss * over,
        ">=",
    )
    return r"\mathrm{dis}(P, Q) \le \frac{B}{2} \|P - Q\|_1 \le B\, \|P - Q\|_1"


def _halved() -> Expr:
    losses, moved = sympy.symbols("l_1:5"), sympy.symbols("t_1:4")
    moved = (*moved, -sum(moved))
    pairs = list(zip(losses, moved, strict=True))
    return sum(x * t for x, t in pairs) - sum((x - B / 2) * t for x, t in pairs)


def dca(p: Proof) -> str:
    """Sufficient conditions for a global maximum on a ball."""
    m11, m12, m22, w1, w2, x1, x2, edge = sympy.symbols("m_1 m_2 m_3 w_1 w_2 x_1 x_2 l", real=True)
    M = sympy.Matrix([[m11, m12], [m12, m22]])
    shift = mu * sympy.eye(2) - M
    w, x_ = sympy.Matrix([w1, w2]), sympy.Matrix([x1, x2])
    v = -shift * w

    def value(at: sympy.Matrix) -> sympy.Expr:
        return (at.T * M * at - 2 * v.T * at)[0]

    gap = ((x_ - w).T * shift * (x_ - w))[0] + mu * (w.dot(w) - x_.dot(x_))
    p.check(
        "Two features. With (μI - M) w = -v the value at w exceeds that at x by",
        r"(x - w)^T (\mu I - M)(x - w) + \mu (|w|^2 - |x|^2)",
        sympy.expand(value(w) - value(x_) - gap),
    )
    e1, e2 = sympy.symbols("e_1 e_2", nonnegative=True)
    real1, real2 = sympy.symbols("b c", real=True)
    p.sign(
        "In the eigenvectors of μI - M, whose eigenvalues are at least 0, the first part is",
        r"e_1 b^2 + e_2 c^2",
        e1 * real1**2 + e2 * real2**2,
        e1 * real1**2 + e2 * real2**2,
        ">=",
    )
    p.sign(
        "and the second, with |w| at the radius where μ is positive and |x|² smaller by u,",
        r"\mu (|w|^2 - |x|^2)",
        mu * (edge**2 - (edge**2 - _u)),
        mu * _u,
        ">=",
    )
    return r"(\mu I - M) w = -v,\ \mu I - M \text{ with no negative eigenvalue}"


def loss_bound(p: Proof) -> str:
    """The logistic loss at a score z."""
    p.sign(
        "With e^z = 1 + y, z ≥ 0, twice the exponential of the score less that of the loss:",
        r"2 e^z - (1 + e^z)",
        2 * (1 + _u) - (1 + 1 + _u),
        _u,
        ">=",
    )
    p.check(
        "So log(1 + e^z) is at most log 2 + z; at z = 0 the printed bound is 0, the loss",
        r"\log 2 > 0",
        holds=log(2).is_positive,
    )
    return r"\log (1 + e^z) \le \log 2 + z,\ z \le G \Lambda"


def softmax(p: Proof) -> str:
    """What a smooth maximum exceeds the maximum by."""
    p.check(
        "N terms, none above e^(μx) with x the largest:",
        r"\frac{1}{\mu} \log (N e^{\mu x}) - x = \frac{\log N}{\mu}",
        sympy.expand_log(log(N * exp(mu * x)) / mu - x - log(N) / mu, force=True),
    )
    p.sign(
        "A term that is smaller by the factor 1/(1+u) makes it smaller.",
        r"1 - \frac{1}{1+u}",
        1 - 1 / (1 + _u),
        _u / (1 + _u),
        ">=",
    )
    return r"\frac{\log (m+n)}{\mu}"


def swamped(p: Proof) -> str:
    """The smooth maximum of the printed μ is far above the maximum."""
    N_ = 20 + _u
    f = sqrt(N) * log(N) / 2 - 1
    p.check(
        "Every term is at least 1, and the largest weight at most 2/N, so the excess over the "
        "largest weight is at least",
        r"\frac{\log N}{\sqrt{N}} : \frac{2}{N} - 1 = \frac{\sqrt{N} \log N}{2} - 1",
        log(N) / sqrt(N) / (2 / N) - 1 - f,
    )
    p.check(
        "At N = 20 that is", rf"{float(f.subs(N, 20).evalf(4)):.2f}", holds=bool(f.subs(N, 20) > 5)
    )
    p.sign(
        "and it grows; with N = 20 + u, where log N is positive, the slope times 4 √N less 2 is",
        r"\log N",
        (sympy.simplify(f.diff(N) * 4 * sqrt(N)) - 2).subs(N, N_),
        log(N_),
    )
    return r"5 \max_i \frac{1}{u_i}"


def penalty(p: Proof) -> str:
    """The largest distance from a point to an interval's points."""
    q = sympy.Symbol("q", positive=True)  # a place in [0, 2B]: 2B q, 1 - q = r
    gap = q * (2 * B - lam) ** 2 + (1 - q) * lam**2 - (2 * B * q - lam) ** 2
    p.check(
        "The squared distance from λ is convex in z = 2Bq: the mean of both ends less it is",
        r"4 B^2 q (1 - q)",
        sympy.expand(gap - 4 * B**2 * q * (1 - q)),
    )
    share = 1 / (1 + _u)
    p.sign(
        "which is not negative for q = 1/(1+u).",
        r"4 B^2 q (1-q)",
        4 * B**2 * share * (1 - share),
        4 * B**2 * _u / (1 + _u) ** 2,
        ">=",
    )
    p.check("At z = 0 it is λ².", r"(0 - \lambda)^2 = \lambda^2", (0 - lam) ** 2 - lam**2)
    return r"\max (\lambda_1, |2 B - \lambda_1|)"


def noise_sum(p: Proof) -> str:
    """The squared noise of Algorithm 2."""
    part = sympy.Symbol("l", positive=True)  # T log(3/δ)
    one = 16 * (1 - a) ** 2 * G**2 * part / (eps * n) ** 2
    two = 4 * (1 - a) ** 4 * B**2 * part / (eps**2 * n**4)
    p.check(
        "With l = T log(3/δ), d coordinates of w and n of u:",
        r"10 (d \sigma_1^2 + n \sigma_2^2) = \frac{160 (1-\alpha)^2 G^2 d\, l}{\varepsilon^2 n^2}"
        r" + \frac{40 (1-\alpha)^4 B^2 l}{\varepsilon^2 n^3}",
        10 * (d * one + n * two)
        - 160 * (1 - a) ** 2 * G**2 * d * part / (eps**2 * n**2)
        - 40 * (1 - a) ** 4 * B**2 * part / (eps**2 * n**3),
    )
    p.check(
        "As in the paper, with 8 in front:",
        r"8 \cdot 20 = 160,\ 8 \cdot 5 = 40",
        sympy.Integer(8 * 20 - 160),
        sympy.Integer(8 * 5 - 40),
    )
    return (
        r"8 \left(\frac{20 (1-\alpha)^2 G^2 d}{\varepsilon^2 n^2} + \frac{5 (1-\alpha)^4 "
        r"B^2}{\varepsilon^2 n^3}\right) T \log \frac{3}{\delta}"
    )


def descent_sign(p: Proof) -> str:
    """The sign in (23)."""
    step, noise = sympy.symbols("x s", real=True)
    p.sign(
        "A square is at most twice that of its distance from s, and twice s²:",
        r"2 (x - s)^2 + 2 s^2 - x^2",
        2 * (step - noise) ** 2 + 2 * noise**2 - step**2,
        (step - 2 * noise) ** 2,
        ">=",
    )
    fall = B / 2 * (step / B - noise / B) ** 2 - noise**2 / (2 * B)
    p.check(
        "Smoothness makes the objective fall by at least f. With B times the step for x,",
        r"2 (x-s)^2 + 2 s^2 = 4 B f + 4 s^2",
        sympy.expand(2 * (step - noise) ** 2 + 2 * noise**2 - 4 * B * fall - 4 * noise**2),
    )
    return (
        r"\bar{\beta}^2 |v_{t+1} - v_t|^2 \le 4 \bar{\beta} (J(v_t) - J(v_{t+1})) + 4 "
        r"\bar{\sigma}^2"
    )


def iterations(p: Proof) -> str:
    """T grows with n."""
    part = sympy.Symbol("l", positive=True)  # log(2/δ)
    whole = 40 * G**2 * d * n + (1 - a) ** 2 * B**2
    p.sign(
        "The root holds more than its first part:",
        r"x - 40 G^2 d n",
        whole - 40 * G**2 * d * n,
        B**2 * (1 - a) ** 2,
        ">=",
    )
    p.check(
        "With that alone T is a constant times",
        r"\frac{\varepsilon n^{3/2}}{\sqrt{l}\, \sqrt{40 G^2 d n}} = \frac{\varepsilon "
        r"n}{\sqrt{40} G \sqrt{d\, l}}",
        eps * n ** Rational(3, 2) / (sqrt(part) * sqrt(40 * G**2 * d * n))
        - eps * n / (sqrt(40) * G * sqrt(d * part)),
    )
    p.check("l = log(2/δ) is above log(1/δ).", r"\log 2 > 0", holds=log(2).is_positive)
    return r"T \le \frac{c\, \varepsilon n}{\sqrt{d \log (1/\delta)}}"


def deviation(p: Proof) -> str:
    """McDiarmid's inequality with weights q."""
    q = sympy.Symbol("q", positive=True)  # the norm of the weights
    p.check(
        "One record changes the statistic by at most q_i B. With q the norm of the weights, the "
        "chance of a deviation t is at most e^(-2t²/(q² B²)), which is η at",
        r"t = B q \sqrt{\frac{\log (1/\eta)}{2}}",
        sympy.simplify(exp(-2 * (B * q * sqrt(log(1 / eta) / 2)) ** 2 / (q**2 * B**2))) - eta,
    )
    p.check(
        "With equal weights 1/m, q is 1/√m, and t the printed one.",
        r"m \frac{1}{m^2} = \frac{1}{m}",
        m * (1 / m) ** 2 - 1 / m,
    )
    return r"B |q|_2 \sqrt{\frac{\log (1/\eta)}{2}}"


def union(p: Proof) -> str:
    """A union bound whose price is a logarithm."""
    j = sympy.Symbol("j", integer=True, nonnegative=True)
    p.check(
        "The shares of η add up to it.",
        r"\sum_{j \ge 0} \frac{1}{(j+1)(j+2)} = 1",
        sympy.summation(1 / ((j + 1) * (j + 2)), (j, 0, sympy.oo)) - 1,
    )
    p.sign(
        "log((k+1)(k+2)) is at most log 2 + 2 log(k+1):",
        r"2 (k+1)^2 - (k+1)(k+2)",
        2 * (k + 1) ** 2 - (k + 1) * (k + 2),
        k * (k + 1),
    )
    p.sign(
        "A root of a sum is at most the sum of the roots:",
        r"(\sqrt{x} + \sqrt{y})^2 - (x + y)",
        (sqrt(x) + sqrt(y)) ** 2 - (x + y),
        2 * sqrt(x) * sqrt(y),
    )
    return r"\sqrt{\log (k+1)} + \sqrt{\frac{1}{2} \log \frac{2}{\eta}}"


DERIVATIONS = {
    "BCMM:Sec2:l1": ("Two laws and a bounded loss", laws),
    "BCMM:Sec4:dca": ("A global maximum on a ball", dca),
    "BCMM:Sec5:loss-bound": ("The logistic loss on a ball", loss_bound),
    "BCMM:Sec5:softmax": ("Excess of the smooth maximum", softmax),
    "BCMM:Sec5:swamped": ("The smooth maximum is far above", swamped),
    "BCMM:Eq20:penalty": ("Distance to an interval", penalty),
    "BCMM:Thm5.2:noise": ("The squared noise", noise_sum),
    "BCMM:Eq23:sign": ("The sign in (23)", descent_sign),
    "BCMM:Sec5:iterations": ("Steps grow with n", iterations),
    "BCMM:Eq9:deviation": ("Deviation with weights", deviation),
    "BCMM:ThmB.1:union": ("A union bound over k", union),
}
