"""Checks of [KS] Sections 2, 4 and Appendix A: what an answer, a step and a run cost."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import gammaln

from rates.hybrid import needs as hybrid
from rates.hybrid import privacy as hybrid_privacy
from rates.hybrid import project
from rates.hybrid import sgd as hybrid_sgd
from rates.ledger.functions.laws import drawn, even, logs, spread, whole
from rates.numbers import analytic_multiplier, delta_of
from rates.statements.checks.base import Array, Checks, Draws, Form, by_row
from rates.statements.checks.ks.sizes import RELATIVE

CHECKS = Checks()


_answer_draws = drawn(epsilon=logs(0.01, 40), delta=logs(1e-12, 1e-2))


@CHECKS.add(_answer_draws, RELATIVE, number=2000, tolerance=1e-6)
def _answer(draws: Draws, form: Form) -> Array:
    e, delta = draws["epsilon"], draws["delta"]
    printed = np.sqrt(2 * np.log(2 / delta)) / e
    sigma = printed if form == "printed" else analytic_multiplier(e, delta)
    return np.log(delta_of(sigma, e) / delta)


def _projection_draws(generator: np.random.Generator, number: int) -> Draws:
    return {
        "density": generator.uniform(0.05, 1, number),
        "records": np.round(generator.uniform(20, 80, number)),
        "spread": spread(generator, 0.01, 30, number),
        "seed": generator.integers(0, 2**31, number).astype(float),
    }


@CHECKS.add(_projection_draws, "of weight", number=500, tolerance=1e-12)
@by_row("density records spread seed")
def _projection(form: Form, kappa: float, records: float, wide: float, seed: float) -> float:
    """Sum κ n, none above 1, dense, and the change when one record's weight is replaced."""
    n = int(records)
    generator = np.random.default_rng(int(seed))
    logs = -wide * generator.random(n)
    other = logs.copy()
    other[0] = -wide * generator.random()
    value, changed = project(logs, kappa), project(other, kappa)
    mu, nu = value / (kappa * n), changed / (kappa * n)
    moved = 1 - np.minimum(mu[1:], nu[1:]).sum()  # also the replaced record's own mass
    changes = max(moved, 0.5 * np.abs(mu - nu).sum()) - 1 / (kappa * n)
    return float(max(abs(value.sum() / (kappa * n) - 1), value.max() - 1, changes))


def _step_draws(generator: np.random.Generator, number: int) -> Draws:
    draws = np.round(spread(generator, 1, 60, number))
    return {
        "epsilon": spread(generator, 0.05, 6, number),
        "draws": draws,
        "mass": draws * spread(generator, 1, 300, number),  # κ n
    }


@CHECKS.add(_step_draws, RELATIVE, number=1000)
@by_row("epsilon draws mass")
def _step(form: Form, e: float, m: float, mass: float) -> float:
    """The learner whose odds grow by e^ε₀ with each draw of one person, summed exactly."""
    k, p = np.arange(m + 1), 1 / mass
    odds = gammaln(m + 1) - gammaln(k + 1) - gammaln(m - k + 1) + k * (math.log(p) + e)
    total = np.log(np.exp(odds + (m - k) * math.log1p(-p)).sum()) if p < 1 else m * e
    claim = (
        hybrid_privacy.printed_step_epsilon(e, m, 0.5, 2 * mass)
        if form == "printed"
        else hybrid_privacy.step_epsilon(e, m, 0.5, 2 * mass)
    )
    return math.log(float(total) / claim)


_run_draws = drawn(
    accuracy=logs(0.02, 0.124),
    divergence=logs(1, 1e3),
    epsilon=logs(0.01, 10),
    delta=logs(1e-10, 0.25),
    sample=whole(10, 1e5),
)


@CHECKS.add(_run_draws, RELATIVE, number=80)
@by_row("accuracy divergence epsilon delta sample")
def _run(form: Form, a: float, x: float, e: float, delta: float, m: float) -> float:
    """The exact total δ at ε of T steps with the printed n and the step of our reading."""
    rounds = math.ceil(float(hybrid.iterations(a, x)))
    kappa = float(hybrid.density(a, x))
    n = float(hybrid.records_for(m, rounds, e, delta, kappa))
    inner = delta / (e * math.sqrt(2 * rounds))
    step = hybrid_privacy.step_epsilon(1.0, m, kappa, n)
    step_delta = hybrid_privacy.step_delta(1.0, min(inner, 0.5), m, kappa, n)
    total = hybrid_privacy.composed_delta(step, step_delta, rounds, e)
    return math.log(max(total, 1e-300) / delta)


@CHECKS.add(_run_draws, RELATIVE, number=2000)
def _slips(draws: Draws, form: Form) -> Array:
    """The printed δ* of a step against δ/(2T)."""
    a, x, e = draws["accuracy"], draws["divergence"], draws["epsilon"]
    rounds, delta = hybrid.iterations(a, x), draws["delta"]
    ratio = e / np.sqrt(288 * rounds * np.log(2 / delta))  # m / (κ n)
    star = 4 * ratio * np.exp(6 * ratio) * delta / (e * np.sqrt(2 * rounds))
    return np.log(star / (delta / (2 * rounds)))


_noise_draws = drawn(sensitivity=logs(0.01, 10), sigma=logs(0.1, 10), order=even(1.05, 20))


@CHECKS.add(_noise_draws, RELATIVE, number=300)
@by_row("sensitivity sigma order")
def _noise(form: Form, sensitivity: float, sigma: float, a: float) -> float:
    """The Rényi divergence of two Gaussians by the midpoint rule, over a · 2L²/σ²."""
    shift = sensitivity / sigma
    # The integrand p^a q^(1-a) has its mode at a times the shift.
    x = a * shift + np.linspace(-12, 12, 4001)
    logs = -0.5 * (a * (x - shift) ** 2 + (1 - a) * x**2) - 0.5 * math.log(2 * math.pi)
    top = float(logs.max())
    area = math.log(float(np.exp(logs - top).sum()) * (x[1] - x[0])) + top
    return math.log(area / (a - 1) / (2 * a * shift**2))


def _conversion_draws(generator: np.random.Generator, number: int) -> Draws:
    return {
        "multiplier": spread(generator, 0.3, 100, number),
        "order": 1 + spread(generator, 0.05, 100, number),
        "delta": spread(generator, 1e-10, 0.36, number),
    }


@CHECKS.add(_conversion_draws, RELATIVE, number=2000)
def _conversion(draws: Draws, form: Form) -> Array:
    sigma, order, delta = draws["multiplier"], draws["order"], draws["delta"]
    epsilon = order / (2 * sigma**2) + np.log(1 / delta) / (order - 1)
    return np.log(np.maximum(delta_of(sigma, epsilon), 1e-300) / delta)


_account_draws = drawn(
    epsilon=even(0.01, 0.99),
    delta=logs(1e-10, 0.24),
    steps=logs(1e2, 1e14),
    density=logs(1e-6, 0.015),
    lipschitz=logs(0.01, 100),
)


@CHECKS.add(_account_draws, RELATIVE, number=300)
@by_row("epsilon delta steps density lipschitz")
def _account(
    form: Form, e: float, delta: float, steps: float, kappa: float, lipschitz: float
) -> float:
    """The account at the stated n and σ, over ε."""
    design = hybrid_sgd.SgdDesign(
        accuracy=0.1, divergence=1.0, epsilon=e, delta=delta, lipschitz=lipschitz
    )
    n = hybrid_sgd.records_for_steps(steps, kappa, e)
    square = hybrid_sgd.noise_square(design, math.log(kappa * n))
    found = hybrid_sgd.account(design, square=square, total_steps=steps, kappa=kappa, records=n)
    return math.log(found / e)


_range_draws = drawn(epsilon=even(0.01, 0.99), delta=logs(1e-10, 0.24), range=logs(0.1, 1e3))


@CHECKS.add(_range_draws, RELATIVE, number=2000, tolerance=1e-6)
def _range(draws: Draws, form: Form) -> Array:
    """The exact δ of one user's noisy loss in [0, LD] at the stated ε."""
    scale = 1.0 if form == "printed" else draws["range"]
    sigma = scale * np.sqrt(2 * np.log(2 / draws["delta"])) / draws["epsilon"]
    found = delta_of(sigma / draws["range"], draws["epsilon"])
    return np.log(np.maximum(found, 1e-300) / draws["delta"])
