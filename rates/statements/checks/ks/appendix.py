"""Checks of [KS] Section 5 and the appendices: gradient descent, PARITY, and the experiments."""

from __future__ import annotations

import math

import numpy as np

from rates.hybrid import HybridDesign, open_records
from rates.hybrid import divergence as hybrid_divergence
from rates.hybrid import parity as hybrid_parity
from rates.hybrid import sgd as hybrid_sgd
from rates.ledger.functions.laws import drawn, even, integers, logs, spread, whole
from rates.statements.checks.base import Array, Checks, Draws, Form, by_row
from rates.statements.checks.ks.sizes import PROBABILITY, RELATIVE, at_most

CHECKS = Checks()


def _gaussian_draws(generator: np.random.Generator, number: int) -> Draws:
    source = spread(generator, 0.1, 10, number)
    return {
        "coordinates": np.round(spread(generator, 1, 12, number)),
        "source": source,
        "target": source * generator.uniform(0.05, 1.38, number),
    }


@CHECKS.add(_gaussian_draws, RELATIVE, number=300)
@by_row("coordinates source target")
def _gaussian(form: Form, coordinates: float, s: float, t: float) -> float:
    """One coordinate's integral of T²/S by the midpoint rule, to the power k."""
    k = int(coordinates)
    x = np.linspace(-12, 12, 4001) / math.sqrt(2 / t**2 - 1 / s**2)
    log_t = -0.5 * (x / t) ** 2 - math.log(t)
    log_s = -0.5 * (x / s) ** 2 - math.log(s)
    area = float(np.exp(2 * log_t - log_s).sum()) * (x[1] - x[0]) / math.sqrt(2 * math.pi)
    found = hybrid_divergence.of_gaussians(k, s, t)
    return abs(found.log_mean_square - k * math.log(area))


def _values_draws(generator: np.random.Generator, number: int) -> Draws:
    return {"which": np.arange(number, dtype=float) % 2}


@CHECKS.add(_values_draws, RELATIVE, number=2)
def _values(draws: Draws, form: Form) -> Array:
    """How far 39.1 and 1.35 lie from just below X."""
    found = [
        math.log(hybrid_divergence.of_gaussians(6, 1.0, 0.4).mean_square / 39.1),
        math.log(hybrid_divergence.of_gaussians(2, 0.1, 0.07).mean_square / 1.35),
    ]
    off = np.array([found[int(w)] for w in draws["which"]])
    return np.where(off < 0, 1.0, off - 0.01)


def _spread_draws(generator: np.random.Generator, number: int) -> Draws:
    return {"coordinates": np.full(number, 10.0)}


@CHECKS.add(_spread_draws, RELATIVE, number=1, tolerance=0.02)
@by_row("coordinates")
def _spread(form: Form, coordinates: float) -> float:
    """How far X lies from 3e15."""
    target = 0.01 if form == "printed" else 0.02
    found = hybrid_divergence.of_gaussians(int(coordinates), 1.0, target)
    return abs(math.log(found.mean_square / 3e15))


_worst_draws = drawn(failure=logs(1e-6, 0.12))


@CHECKS.add(_worst_draws, RELATIVE, number=100, tolerance=0.02)
@by_row("failure")
def _worst(form: Form, b: float) -> float:
    """How far the records of Algorithm 1 lie from 15e12."""
    x = hybrid_divergence.of_gaussians(6, 1.0, 0.4).mean_square
    worst = HybridDesign(accuracy=0.01, failure=b, divergence=x, dimension=200)
    return abs(math.log(open_records(worst, binary=True) / 15e12))


def _used_draws(generator: np.random.Generator, number: int) -> Draws:
    return {"steps": np.full(number, 5e7)}


@CHECKS.add(_used_draws, RELATIVE, number=1, tolerance=1e-3)
def _used(draws: Draws, form: Form) -> Array:
    """How far n lies from 324.7 million: T by its formula, or the 997 rounds that were seen."""
    a, x, scale = 0.08, hybrid_divergence.of_gaussians(2, 0.1, 0.07).mean_square, 0.1 * 0.006
    rounds = 128 * scale**2 * math.log2(8 * x / a) / a**2 if form == "printed" else 997.0
    kappa = a / (4 * x)
    found = [hybrid_sgd.records_for_steps(float(r) * rounds, kappa, 0.5) for r in draws["steps"]]
    return np.abs(np.log(np.array(found) / 324.7e6))


_sample_draws = drawn(dimension=whole(1, 1e3), rounds=whole(1, 1e7), accuracy=logs(1e-3, 0.124))


@CHECKS.add(_sample_draws, RELATIVE, number=2000, tolerance=1e-8)
def _sample(draws: Draws, form: Form) -> Array:
    """The union bound T exp(d - α m) over 0.05 at the stated m."""
    d, t, a = draws["dimension"], draws["rounds"], draws["accuracy"]
    tail = np.log(0.05 / t) if form == "printed" else np.log(t / 0.05)
    return np.log(t / 0.05) + d - a * ((d + tail) / a)


@CHECKS.add(_sample_draws, PROBABILITY, number=10)
def _constant(draws: Draws, form: Form) -> Array:
    """The error of the rule that says +1 always, minus the goal 2α, with α the share of -1."""
    return draws["accuracy"] - 2 * draws["accuracy"]


_second_draws = drawn(accuracy=logs(1e-3, 0.124), failure=logs(1e-9, 0.3), range=logs(0.1, 1e3))


@CHECKS.add(_second_draws, RELATIVE, number=2000)
def _second(draws: Draws, form: Form) -> Array:
    """The deviation L D sqrt(8 log(2/β)/R) over α/2."""
    a, log_term, wide = draws["accuracy"], np.log(2 / draws["failure"]), draws["range"]
    factor = 8.0 if form == "printed" else 32.0
    steps = factor * wide**2 * log_term / a**2
    return np.log(wide * np.sqrt(8 * log_term / steps) / (a / 2))


_descent_draws = drawn(accuracy=even(0.05, 0.124), noise=logs(1e-4, 1e-2), seed=integers(0, 2**31))


@CHECKS.add(_descent_draws, "of the largest loss", number=40)
@by_row("accuracy noise seed")
def _descent(form: Form, a: float, sigma: float, seed: float) -> float:
    """Minimise the distance to 1/4 on [-1/2, 1/2] from 1/2 by R noisy steps: error minus α."""
    steps = math.ceil(9 * (1 + sigma**2) / a**2)
    noise = sigma * np.random.default_rng(int(seed)).standard_normal(steps)
    scale = sigma if form == "printed" else math.sqrt(1 + sigma**2)
    h, total = 0.5, 0.0
    for r in range(1, steps + 1):
        total += h
        gradient = math.copysign(1.0, h - 0.25) + float(noise[r - 1])
        h = min(0.5, max(-0.5, h - gradient / (scale * math.sqrt(r))))
    return abs(total / steps - 0.25) - a


_scaling_draws = drawn(accuracy=logs(1e-3, 0.124), divergence=logs(1, 1e6), range=logs(1, 1e3))


@CHECKS.add(_scaling_draws, RELATIVE, number=2000)
def _scaling(draws: Draws, form: Form) -> Array:
    """The T that the regret bound proves for a loss in [0, LD], over the T that is stated."""
    a, x, wide = draws["accuracy"], draws["divergence"], draws["range"]
    scaled = a / wide
    rate = a / 8 if form == "printed" else scaled / 8
    inside = a if form == "printed" else scaled
    log_size = np.log2(8 * x / inside)
    claimed = 128 * log_size / scaled**2
    slack = 3 * scaled / 8 - rate
    with np.errstate(divide="ignore"):
        proved = np.where(slack > 0, 4 * log_size / (rate * np.maximum(slack, 1e-300)), np.inf)
        return np.log(proved / claimed)


_bit_draws = drawn(
    bits=whole(2, 60), failure=logs(1e-5, 0.124), rare=logs(1e-3, 0.5), epsilon=even(0.05, 0.5)
)


@CHECKS.add(_bit_draws, PROBABILITY, name="uniform", size="uniform", number=300)
@CHECKS.add(_bit_draws, PROBABILITY, name="enough", size="enough", number=300)
@CHECKS.add(_bit_draws, PROBABILITY, name="source", size="source", number=300)
@CHECKS.add(_bit_draws, PROBABILITY, name="batch", size="batch", number=300)
@by_row("bits failure rare epsilon")
def _bits(form: Form, bits: float, b: float, q: float, e: float, size: str) -> float:
    """The exact chance of missing rank d, minus β; more than d vectors are never independent."""
    d = int(bits)
    x = hybrid_parity.mean_square_of(q)
    if size == "uniform":
        n = math.ceil(hybrid_parity.uniform_records(d, b))
        missed = float(hybrid_parity.failure_chance(d, n))
    elif size == "enough":
        n = math.ceil(hybrid_parity.enough_records(d, b))
        missed = float(hybrid_parity.failure_chance(d, n))
    elif size == "source":
        n = math.ceil(hybrid_parity.source_records(d, b, x))
        missed = float(hybrid_parity.failure_chance(d, n, q))
    else:
        k, many = hybrid_parity.batches(b), hybrid_parity.batch_records(d, b, x, e)
        n = math.floor(e * many / 8)
        few = float(at_most(n, math.ceil(many), e / 4))  # subsamples of at most n records
        missed = k * (few + float(hybrid_parity.failure_chance(d, n + 1, q)))
    return (1.0 if form == "printed" and n > d and size != "enough" else missed) - b


@CHECKS.add(_bit_draws, RELATIVE, number=300)
def _attempts(draws: Draws, form: Form) -> Array:
    """The chance that k runs, each right with probability 1/4 or more, all give up, over β/2."""
    k = np.array([hybrid_parity.batches(float(b)) for b in draws["failure"]])
    return k * math.log(3 / 4) - np.log(draws["failure"] / 2)
