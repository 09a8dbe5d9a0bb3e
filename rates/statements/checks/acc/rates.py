"""Checks of [ACC] Theorem 3.1, equations (3), (4), Remarks 3.1-3.3 and the conditions on delta."""

from __future__ import annotations

import numpy as np

from rates.answer import transfer
from rates.ledger.functions.laws import at_corner, drawn, logs, spread
from rates.phases import homogeneous
from rates.resolution import homogeneous_D
from rates.statements.checks.acc.draws import NEVER, Checks, corollary, four_terms, log_left, shape
from rates.statements.checks.base import Array, Draws, Form, pick

RATIO = "is the log of the ratio of two r over its proved bound (times β(1+α) for the rates)"
TWO = np.log(2.0)
STEP = 0.05


POWER = "is 0.05 over the power of N in the sum of n_j δ_j, which has to be negative"
CHECKS = Checks()


def sizes(generator: np.random.Generator, number: int) -> dict[str, Array]:
    """Draw Theorem 3.1's quantities; equal servers, privately alone, stand first."""
    draws = {
        "n": spread(generator, 1, 1e8, number),
        "m": spread(generator, 1, 1e5, number),
        "n0": spread(generator, 1, 1e8, number),
        "epsilon": spread(generator, 1e-4, 10, number),
        "epsilon0": spread(generator, 1e-4, 10, number),
    } | shape(generator, number)
    equal = {"n": 1e4, "m": 1.0, "n0": 1e4, "epsilon": 1e-2, "epsilon0": 1e-2}
    return at_corner(draws, gamma=1.0, beta=0.5, d=1.0, **equal)


def sides(draws: Draws) -> tuple[Array, Array]:
    """Return log A_t and log A_s of Theorem 3.1 by hand."""
    n, m, n0, e, e0, g, b, d = pick(draws, "n m n0 epsilon epsilon0 gamma beta d")
    with np.errstate(over="ignore"):
        target = np.minimum(n0 ** (1 / (2 * b + d)), (n0**2 * e0**2) ** (1 / (2 * b + 2 * d)))
        sources = np.minimum(
            (m * n) ** (1 / (2 * b * g + d)), (m * n**2 * e**2) ** (1 / (2 * b * g + 2 * d))
        )
    return np.log(target), np.log(sources)


def solved(draws: Draws, epsilon0: Array | None = None) -> Array:
    """Return log r by the engine for one target and m equal sources."""
    n, m, n0, e, g, b, d = pick(draws, "n m n0 epsilon gamma beta d")
    own = draws["epsilon0"] if epsilon0 is None else epsilon0
    one = np.ones_like(n)
    r = transfer.solve_r(
        np.stack([n0, n], -1),
        np.stack([own, e], -1),
        np.stack([one, g], -1),
        beta=b[:, None],
        d=d[:, None],
        count=np.stack([one, m], -1),
    )
    return np.log(r)


@CHECKS.bounded(sizes, RATIO, name="theorem_3_1")
def _theorem(draws: Draws, form: Form) -> tuple[Array, Array, Array]:
    """A sum x + y with x^e + y^f = 1 lies between 1 and 2^(1 - 1/E), E the largest exponent."""
    target, sources = sides(draws)
    b, g, d = pick(draws, "beta gamma d")
    largest = 2 * b * np.maximum(g, 1) + 2 * d
    ratio = solved(draws) + np.logaddexp(target, sources)
    return ratio, np.zeros_like(ratio), TWO * (1 - 1 / largest)


@CHECKS.bounded(sizes, RATIO, name="four_terms")
def _four(draws: Draws, form: Form) -> tuple[Array, Array, Array]:
    """The engine's minimum over maxima of (4) against the sum of Theorem 3.1 by hand."""
    common = {**draws, "epsilon0": draws["epsilon"]}
    target, sources = sides(common)
    n, m, n0, e, g, b, d = pick(draws, "n m n0 epsilon gamma beta d")
    terms = homogeneous.log_rates(n, m, n0, e, gamma=g, beta=b, d=d)
    least = np.minimum(np.maximum(terms.NPt, terms.Pt), np.maximum(terms.NPs, terms.Ps))
    ratio = least + np.logaddexp(target, sources)
    return ratio, np.zeros_like(ratio), np.full_like(ratio, TWO)


@CHECKS.add(sizes, "in log r")
def _alone(draws: Draws, form: Form) -> Array:
    target, _ = sides(draws)
    n0, e0, b, d = pick(draws, "n0 epsilon0 beta d")
    r = transfer.solve_r(
        n0[:, None], e0[:, None], np.ones((len(n0), 1)), beta=b[:, None], d=d[:, None]
    )
    return np.abs(np.log(r) + target)


def _no_privacy_draws(generator: np.random.Generator, number: int) -> Draws:
    """Half of the budgets lie above both thresholds, where our reading speaks."""
    draws = sizes(generator, number)
    n, m, n0, g, b, d = pick(draws, "n m n0 gamma beta d")
    third = np.exp((d / 2 * np.log(m) - b * g * np.log(n)) / (2 * b * g + d))
    draws["epsilon"] = third * spread(generator, 1, 100, number)
    second = n0 ** (-b / (2 * b + d))
    free = second * spread(generator, 1, 100, number)
    draws["epsilon0"] = np.where(generator.uniform(0, 1, number) < 0.5, free, draws["epsilon0"])
    equal = {"n": 1e4, "m": 1.0, "n0": 1e4, "epsilon": 10.0, "epsilon0": 10.0}
    return at_corner(draws, gamma=1.0, beta=0.5, d=1.0, **equal)


@CHECKS.bounded(_no_privacy_draws, RATIO, common=False)
@CHECKS.bounded(_no_privacy_draws, RATIO, name="no_privacy_common", common=True)
def _no_privacy(draws: Draws, form: Form, common: bool) -> tuple[Array, Array, Array]:
    """Compare r with (n0 + (mn)^((2b+d)/(2bg+d)))^(-1/(2b+d)) above the thresholds."""
    n, m, n0, e, g, b, d = pick(draws, "n m n0 epsilon gamma beta d")
    own = e if common else draws["epsilon0"]
    power = 2 * b + d
    claimed = np.logaddexp(np.log(n0), power / (2 * b * g + d) * np.log(m * n)) / power
    ratio = solved(draws, own) + claimed
    most = TWO * (1 - 1 / (2 * b * np.maximum(g, 1) + 2 * d))
    slack = 1e-9
    speaks = np.log(e) > (d / 2 * np.log(m) - b * g * np.log(n)) / (2 * b * g + d) - slack
    if form == "reading":
        speaks &= np.log(own) > -b / power * np.log(n0) - slack
    return np.where(speaks, ratio, 0.0), -TWO * (1 - 1 / power), most


@CHECKS.add(sizes, "in the log of mn r^(2βγ+d)")
def _source_rate(draws: Draws, form: Form) -> Array:
    """The non-private rate of the sources solves mn r^(2bg+d) = 1; compare the claimed r."""
    n, m, n0, g, b, d = pick(draws, "n m n0 gamma beta d")
    claimed = -np.log(m * n) / (2 * b * g + 2 * d)
    if form == "reading":
        claimed = homogeneous.log_rates(n, m, n0, np.inf, gamma=g, beta=b, d=d).NPs
    alone = np.stack([n], -1)
    value = log_left(claimed, alone, np.full_like(alone, np.inf), g[:, None], b, d, m[:, None])
    return np.abs(value)


@CHECKS.add(sizes, "in log r")
def _private_rate(draws: Draws, form: Form) -> Array:
    n, m, n0, e, g, b, d = pick(draws, "n m n0 epsilon gamma beta d")
    claimed = np.log(m) / (2 * b * g + 2 * d) - np.log(m * n * e) / (b * g + d)
    return np.abs(claimed - homogeneous.log_rates(n, m, n0, e, gamma=g, beta=b, d=d).Ps)


@CHECKS.add(sizes, "in log r")
def _spreading(draws: Draws, form: Form) -> Array:
    """Split every source in two: the engine's r with the sources alone must not fall."""
    n, m, e, g, b, d = pick(draws, "n m epsilon gamma beta d")

    def alone(size: Array, count: Array) -> Array:
        r = transfer.solve_r(
            size[:, None], e[:, None], g[:, None], beta=b[:, None], d=d[:, None],
            count=count[:, None],
        )  # fmt: skip
        return np.asarray(np.log(r))

    private = 2 * np.log(n) + 2 * np.log(e) + d * alone(n, m) < np.log(n)
    worse = alone(n / 2, 2 * m) - alone(n, m)
    exact = np.where(private, TWO / (2 * b * g + 2 * d), 0.0)
    return np.where(private, np.abs(worse - exact), -worse)


@CHECKS.add(sizes, "in log D")
def _federated(draws: Draws, form: Form) -> Array:
    """Split every server of [CCV] in two, without privacy (printed) or with a tiny budget."""
    n, m, b = pick(draws, "n m beta")
    budget = np.full_like(n, np.inf) if form == "printed" else 1e-3 / n
    whole = np.log(homogeneous_D(n, m, budget, smoothness=b))
    halves = np.log(homogeneous_D(n / 2, 2 * m, budget, smoothness=b))
    return np.asarray(np.abs(whole - halves - TWO / (2 * b + 2)))


def _delta_draws(generator: np.random.Generator, number: int) -> dict[str, Array]:
    """Exponents in steps of 0.1: n = N^power_n, m = N^power_m and so on."""
    return {
        "power_n": generator.integers(1, 20, number) / 10,
        "power_m": generator.integers(0, 20, number) / 10,
        "power_n0": generator.integers(1, 40, number) / 10,
        "power_delta": -generator.integers(1, 80, number) / 10,
        "power_delta0": -generator.integers(0, 80, number) / 10,
    } | shape(generator, number)


@CHECKS.add(_delta_draws, POWER)
def _delta(draws: Draws, form: Form) -> Array:
    """Return the power of N in sum n_j delta_j; powers are tenths, and 0 is too much."""
    n, m, n0, delta, delta0 = pick(draws, "power_n power_m power_n0 power_delta power_delta0")
    speaks = n + m + delta < -0.05
    if form == "reading":
        speaks &= n0 + delta0 < -0.05
    return np.where(speaks, np.maximum(n + m + delta, n0 + delta0) + STEP, NEVER)


@CHECKS.add(_delta_draws, POWER)
def _delta_common(draws: Draws, form: Form) -> Array:
    n, m, n0, delta = pick(draws, "power_n power_m power_n0 power_delta")
    speaks = (n + m + delta < -0.05) & (n <= n0) & (n0 <= n + m)
    return np.where(speaks, np.maximum(n + m, n0) + delta + STEP, NEVER)


def _delta_public_draws(generator: np.random.Generator, number: int) -> Draws:
    n0 = _delta_draws(generator, number)["power_n0"]
    indices = {
        "gamma": generator.uniform(0.2, 1.5, number),
        "beta": generator.uniform(0.5, 1, number),
        "d": generator.integers(1, 3, number).astype(float),
    }
    n2 = np.round(n0 * generator.uniform(0.4, 1.2, number), 1)
    delta0 = -n2 - generator.integers(1, 6, number) / 10
    return {"power_n2": n2, "power_n0": n0, "power_delta0": delta0} | indices


@CHECKS.add(_delta_public_draws, POWER)
def _delta_public(draws: Draws, form: Form) -> Array:
    """Corollary 3.3, where delta_0 is the larger of delta_0 and delta_2."""
    n2, n0, delta, g, b, d = pick(draws, "power_n2 power_n0 power_delta0 gamma beta d")
    speaks = (n2 + delta < -0.05) & (n2 > n0 * (2 * b * g + d) / (2 * b + d))
    if form == "reading":
        speaks &= n0 + delta < -0.05
    return np.where(speaks, np.maximum(n2, n0) + delta + STEP, NEVER)


_with_budget = drawn(corollary, epsilon=logs(1e-4, 1))


@CHECKS.add(_with_budget, "in the log of one of the four terms")
def _labels(draws: Draws, form: Form) -> Array:
    """Compare the engine's four terms with those of (4) by hand."""
    n, m, n0, e, g, b, d = pick(draws, "n m n0 epsilon gamma beta d")
    engine = homogeneous.log_rates(n, m, n0, e, gamma=g, beta=b, d=d)
    by_hand = four_terms(draws, np.log(e))
    apart = [np.abs(x - y) for x, y in zip(engine, by_hand, strict=True)]
    return np.asarray(np.max(apart, axis=0))
