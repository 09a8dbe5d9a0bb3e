"""Checks of [BCMM] on the discrepancy, Section 5, its proof, and Theorem B.1."""

from __future__ import annotations

import numpy as np

from rates.ledger.functions.laws import drawn, even, exponential, logs, of, spread, whole
from rates.statements.checks.base import Array, Checks, Draws, Form

# The discrepancy -----------------------------------------------------------------------------


CHECKS = Checks()


# F = up - down with both convex, on [-1, 1]: up = A w² - 2b w, down = C w² - 2e w.
_draw_quadratic = drawn(
    A=logs(0.05, 2), b=even(-1, 1), C=logs(0.05, 2), e=even(-1, 1), start=even(-1, 1)
)


def _value(draws: Draws, w: Array) -> Array:
    return np.asarray((draws["A"] - draws["C"]) * w**2 - 2 * (draws["b"] - draws["e"]) * w)


@CHECKS.add(_draw_quadratic, "of the maximum missed", number=500, tolerance=1e-6)
def _dca(draws: Draws, form: Form) -> Array:
    """What DCA misses of the maximum from its start; or what a grid finds above the exact one."""
    curve, slope = draws["A"] - draws["C"], draws["b"] - draws["e"]
    inner = np.clip(np.where(curve < 0, slope / np.where(curve < 0, curve, 1), 1.0), -1, 1)
    one = np.ones_like(inner)
    exact = np.max([_value(draws, w) for w in (inner, one, -one)], axis=0)
    if form == "reading":
        grid = np.linspace(-1, 1, 401)
        return np.asarray(np.max([_value(draws, w * one) for w in grid], axis=0) - exact)
    w = draws["start"]
    for _ in range(500):
        w = np.clip((draws["e"] + draws["A"] * w - draws["b"]) / draws["C"], -1, 1)
    return np.asarray(exact - _value(draws, w))


_draw_laws = drawn(
    bound=logs(0.1, 10), **{f"{k}{i}": even(0, 1) for k in ("p", "q", "loss") for i in range(4)}
)


@CHECKS.add(_draw_laws, "above the bound", number=4_000)
def _laws(draws: Draws, form: Form) -> Array:
    """A difference of mean losses over B times the sum of absolute differences of two laws."""
    p, q, loss = (
        np.stack([draws[f"{k}{i}"] for i in range(4)], axis=-1) for k in ("p", "q", "loss")
    )
    p, q = p / p.sum(axis=-1, keepdims=True), q / q.sum(axis=-1, keepdims=True)
    moved = np.abs(((p - q) * loss).sum(axis=-1)) * draws["bound"]
    return np.asarray(moved - draws["bound"] * np.abs(p - q).sum(axis=-1))


# Section 5 -----------------------------------------------------------------------------------


_draw_softmax = drawn(
    m=whole(10, 1e5),
    alpha=even(0.01, 0.99),
    public=exponential(0.5, 1),
    private=exponential(0.5, 1),
)


def _softmax(draws: Draws) -> tuple[Array, Array]:
    """The smooth maximum of 1/u for m = n and μ = √(2m), and the maximum."""
    m, a = draws["m"], draws["alpha"]
    one, two = a / m / draws["public"], (1 - a) / m / draws["private"]
    mu = np.sqrt(2 * m)
    smooth = np.log(m * np.exp(mu * one) + m * np.exp(mu * two)) / mu
    return np.asarray(smooth), np.maximum(one, two)


@CHECKS.add(_draw_softmax, "above the bound", name="softmax")
def _gap_softmax(draws: Draws, form: Form) -> Array:
    """The excess of the smooth maximum over log(m + n)/μ."""
    smooth, top = _softmax(draws)
    return np.asarray(smooth - top - np.log(2 * draws["m"]) / np.sqrt(2 * draws["m"]))


@CHECKS.add(_draw_softmax, "log of five times the term over the excess")
def _swamped(draws: Draws, form: Form) -> Array:
    """Log of five times the maximum over the excess."""
    smooth, top = _softmax(draws)
    return np.asarray(np.log(5 * top / (smooth - top)))


_draw_hessian = drawn(
    alpha=even(0.05, 0.95),
    radius=logs(0.2, 3),
    bound=logs(0.2, 3),
    one=exponential(0.5),
    two=exponential(0.5),
    top=exponential(0.5),
    softmax=logs(0.1, 2),
    gap=even(0, 1),
    w=even(-1, 1),
    **{
        f"{k}{i}": law
        for i in range(4)
        for k, law in (("x", even(-1, 1)), ("u", exponential(0.3, 1)))
    },
)


@CHECKS.add(_draw_hessian, "log of the norm over its bound", number=1_000)
def _smooth(draws: Draws, form: Form) -> Array:
    """Log of the Hessian's norm over the bound of Lemma 5.1, m = n = 2, one feature, logistic."""
    a, r, Lam = draws["alpha"], draws["radius"], draws["bound"]
    base = np.stack([a / 2, a / 2, (1 - a) / 2, (1 - a) / 2], axis=-1)
    u = np.stack([draws[f"u{i}"] for i in range(4)], axis=-1) / base
    z = (draws["w"] * Lam * r)[:, None] * np.stack([draws[f"x{i}"] for i in range(4)], axis=-1)
    x = r[:, None] * np.stack([draws[f"x{i}"] for i in range(4)], axis=-1)
    B = np.logaddexp(0, Lam * r)
    lift = np.stack([draws["gap"] * B] * 2 + [np.zeros_like(B)] * 2, axis=-1)
    share = 1 / (1 + np.exp(-z))
    one, two, top, mu = (draws[k][:, None] for k in ("one", "two", "top", "softmax"))
    H = np.zeros((len(a), 5, 5))
    H[:, 0, 0] = (share * (1 - share) * x**2 / u).sum(axis=-1)
    H[:, 0, 1:] = H[:, 1:, 0] = -share * x / u**2
    size = np.sqrt((u**-2.0).sum(axis=-1))[:, None]
    soft = np.exp(mu / u)
    soft /= soft.sum(axis=-1, keepdims=True)
    diagonal = 2 * (np.logaddexp(0, z) + lift - one) / u**3 + 3 * two / u**4 / size
    diagonal += top * soft * (2 / u**3 + mu / u**4)
    outer = -two[..., None] * (u**-3.0)[:, :, None] * (u**-3.0)[:, None, :] / size[..., None] ** 3
    first = soft / u**2
    outer -= (top * mu)[..., None] * first[:, :, None] * first[:, None, :]
    H[:, 1:, 1:] = outer
    place = np.arange(1, 5)
    H[:, place, place] += diagonal
    norm = np.abs(np.linalg.eigvalsh(H)).max(axis=-1)
    return np.asarray(np.log(norm / _smooth_bound(draws, B)))


def _smooth_bound(draws: Draws, B: Array) -> Array:
    a, c, r = draws["alpha"], 1 - draws["alpha"], draws["radius"]
    one, two, top, mu = (draws[k] for k in ("one", "two", "top", "softmax"))
    n = m = 2.0
    beta = two * a**3 / m**2 + two * c**3 / n**2
    beta += 2 * a**3 * (np.maximum(one, np.abs(2 * B - one)) + two * n**0.5 + top) / m**2.5
    beta += 2 * c**3 * (np.maximum(one, np.abs(B - one)) + two * m**0.5 + top) / n**2.5
    beta += top * mu * (a**4 * (m**-3 + m**-3.5) + c**4 * (n**-3 + n**-3.5))
    beta += 2 * top * mu * (a * c) ** 2 / (m * n) ** 1.5
    return np.asarray(r**2 / 4 + beta + r * (a**2 / m**1.5 + c**2 / n**1.5))


_draw_curvature = drawn(
    bound=logs(0.1, 10), loss=of("bound", even(0, 2)), penalty=of("bound", exponential(1))
)


@CHECKS.add(_draw_curvature, "above the bound")
def _curvature(draws: Draws, form: Form) -> Array:
    """|loss + discrepancy - λ₁| over what (20) puts for it."""
    limit = np.abs(2 * draws["bound"] - draws["penalty"])
    if form == "reading":
        limit = np.maximum(limit, draws["penalty"])
    return np.asarray(np.abs(draws["loss"] - draws["penalty"]) - limit)


def _draw_mapping(generator: np.random.Generator, number: int) -> Draws:
    return {
        "n": np.round(spread(generator, 1, 1e5, number)),
        "d": np.round(spread(generator, 1, 100, number)),
        "G": spread(generator, 0.01, 10, number),
        "B": spread(generator, 0.01, 1000, number),
        "alpha": generator.uniform(0.01, 0.9, number),
        "epsilon": spread(generator, 0.05, 10, number),
        "delta": generator.choice((1e-8, 1e-5, 0.01), number),
    }


@CHECKS.add(_draw_mapping, "log of the noise over the bound's terms")
def _mapping(draws: Draws, form: Form) -> Array:
    """Log of 10 times the noise's squared norm per step and unit of T, over the bound's terms."""
    a, n, eps = 1 - draws["alpha"], draws["n"], draws["epsilon"]
    w = a**2 * draws["G"] ** 2 * draws["d"] / (eps * n) ** 2
    u = a**4 * draws["B"] ** 2 / (eps**2 * n**3)
    log = np.log(3 / draws["delta"])
    noise = 10 * (16 * w + 4 * u) * log
    terms = 8 * (40 * w + u) * np.log(2 / draws["delta"])
    if form == "reading":
        terms = 8 * (20 * w + 5 * u) * log
    return np.asarray(np.log(noise / terms))


_draw_step = drawn(beta=logs(0.1, 10), curve=even(0.05, 1), start=even(-1, 1))


@CHECKS.add(_draw_step, "above the bound")
def _sign(draws: Draws, form: Form) -> Array:
    """One step without noise on J = c β v²/2: β² times its square over 4β times the change of J."""
    beta, v = draws["beta"], draws["start"]
    after = v - draws["curve"] * v
    change = draws["curve"] * beta * (after**2 - v**2) / 2
    sign = 1 if form == "printed" else -1
    return np.asarray(beta**2 * (after - v) ** 2 - sign * 4 * beta * change)


@CHECKS.add(_draw_mapping, "log of the steps over the bound")
def _iterations(draws: Draws, form: Form) -> Array:
    """Log of T of Appendix D.3 over ε/√(d log(1/δ)) times a constant, without or with n."""
    a, n, d = 1 - draws["alpha"], draws["n"], draws["d"]
    log2, log1 = np.log(2 / draws["delta"]), np.log(1 / draws["delta"])
    top = np.sqrt(40 * draws["G"] ** 2 * d * n + a**2 * draws["B"] ** 2)
    T = draws["epsilon"] * n**1.5 / (a * np.sqrt(log2) * top)
    unit = draws["epsilon"] / np.sqrt(d * log1) / (a * np.sqrt(40) * draws["G"])
    return np.asarray(np.log(T / unit) - (np.log(n) if form == "reading" else 0))


# Theorem B.1 ---------------------------------------------------------------------------------


_draw_point = drawn(m=whole(1, 1e4), p=even(0.01, 0.99), risk=logs(0.01, 0.5))


@CHECKS.add(_draw_point, "of probability above the risk")
def _deviation(draws: Draws, form: Form) -> Array:
    """Probability that (9) fails over its risk: one hypothesis, one record with all the weight.

    Its loss is B with probability p, else 0, so the deviation is pB with probability 1 - p.
    """
    width = np.sqrt(np.log(1 / draws["risk"]) / 2)
    if form == "printed":
        width = width / np.sqrt(draws["m"])
    fails = np.where(draws["p"] > width, 1 - draws["p"], 0.0)
    return np.asarray(fails - draws["risk"])


def _draw_union(generator: np.random.Generator, number: int) -> Draws:
    return {
        "k": np.round(spread(generator, 1, 1e4, number)) - 1,
        "risk": spread(generator, 1e-6, 0.5, number),
    }


@CHECKS.add(_draw_union, "above what the bound allows")
def _union(draws: Draws, form: Form) -> Array:
    """√(log(1/η_k)/2) over √(log(k + 1)) + √(log(2/η)/2), the k of the bound's double logarithm."""
    k = draws["k"]
    if form == "printed":
        log = np.log(1 / draws["risk"]) + (k + 1) * np.log(2)
    else:
        log = np.log(1 / draws["risk"]) + np.log((k + 1) * (k + 2))
    allowed = np.sqrt(np.log(k + 1)) + np.sqrt(np.log(2 / draws["risk"]) / 2)
    return np.asarray(np.sqrt(log / 2) - allowed)
