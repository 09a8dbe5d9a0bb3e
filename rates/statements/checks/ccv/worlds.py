"""Checks of whole bounds of [CCV]: risks in one world, and the best private mechanism of a case."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtr

from rates.answer import federated
from rates.ledger.functions import best_test, noisy_sums
from rates.ledger.functions.laws import (
    Law,
    at_corner,
    choice,
    drawn,
    even,
    logs,
    of,
    spread,
    whole,
)
from rates.numbers import gaussian
from rates.statements.checks.base import Array, Checks, Draws, Form, by_row
from rates.statements.checks.ccv import haar, tools

CHECKS = Checks()

_pair_draws = drawn(n=whole(1, 300), signal=logs(1e-3, 0.45), epsilon=logs(1e-3, 5))


def _budget_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw n, h and a budget, with a delta up to a tenth, or none; the first has one record."""
    draws = _pair_draws(generator, number)
    some = spread(generator, 1e-9, 0.1, number)
    draws["delta"] = np.where(generator.uniform(size=number) < 0.3, 0.0, some)
    return at_corner(draws, n=1.0, signal=0.45, epsilon=5.0, delta=0.0)


@CHECKS.add(_budget_draws, "in the log of the distance over its bound", number=200)
@by_row("n signal epsilon delta")
def _best_transcript(form: Form, n: float, signal: float, epsilon: float, delta: float) -> float:
    """Largest distance of any private transcript of n binary records, over both of its bounds.

    Where the right side is below 1, it is to be at most 25 times what some transcript reaches.
    """
    apart = best_test.best_distance(int(n), signal, epsilon, delta)
    rho = 2 * signal
    group = min(6 * n * epsilon * rho, 300.0)
    strict = math.sqrt(2 * group * math.expm1(group)) + 4 * math.exp(group) * n * delta * rho
    divergence = rho * math.log((1 + rho) / (1 - rho))
    right = min(strict, math.sqrt(2 * n * divergence))
    used = math.log(apart / right)
    return max(used, -math.log(25) - used) if right < 1 else used


_LAWS: dict[str, Law] = {"S": choice(0, 0, 1, 2, 3, 4, 4), "clip": even(0.5, 3)}  # 4: the best S
for _j in (1, 2):
    _LAWS |= {f"n{_j}": whole(1, 60), f"shift{_j}": logs(1e-3, 1)}
    _LAWS |= {f"epsilon{_j}": logs(0.01, 3), f"delta{_j}": logs(1e-6, 0.1)}


_PARTS = 8  # a clipped response is rounded to so many parts on either side of 0


def _summed(n: float, shift: float, clip: float) -> Array:
    """The law of the sum of n responses N(shift, 1), each clipped, and rounded to parts."""
    ends = clip * (np.arange(-_PARTS, _PARTS) + 0.5) / _PARTS - shift
    one = np.diff(np.concatenate([[0.0], ndtr(ends), [1.0]]))
    length = 2 * _PARTS * int(n) + 1
    law = np.fft.irfft(np.fft.rfft(one, length) ** int(n), length)
    return np.asarray(np.maximum(law, 0) / np.maximum(law, 0).sum())


@CHECKS.add(drawn(**_LAWS), "in the log of the distance over its bound", number=100)
@by_row(" ".join(_LAWS))
def _clipped_sums(form: Form, S: float, clip: float, *sites: float) -> float:
    """The bound for sums of clipped responses behind Gaussian noise, N(0, 1) against N(shift, 1).

    A server outside S releases its sum as it is. Where the bound is below 1 it is to be at most
    250 times the distance at the best S, and 3.5 times without S, where clipping alone loses.
    """
    pairs, first, second, third = [], 0.0, 0.0, 0.0
    for j in range(2):
        n, shift, epsilon, delta = sites[4 * j : 4 * j + 4]
        rho = 2 * float(ndtr(shift / 2)) - 1
        group = min(6 * n * epsilon * rho, 300.0)
        private, plain = group * math.expm1(group), n * shift**2 / 2
        inside = private < plain if S == 4 else (int(S) >> j) % 2 == 1
        values = clip * np.arange(-_PARTS * int(n), _PARTS * int(n) + 1) / _PARTS
        noise = 2 * clip * float(gaussian.analytic_multiplier(epsilon, delta)) if inside else 0.0
        laws = [_summed(n, x, clip) for x in (0.0, shift)]
        pairs.append(noisy_sums.released(laws, values, noise))
        first += private if inside else 0.0
        second += 0.0 if inside else plain
        third += math.exp(group) * n * delta * rho if inside else 0.0
    right = math.sqrt(2) * math.sqrt(first + second) + 4 * third
    used = math.log(noisy_sums.apart(pairs) / right)
    most = {0.0: 3.5, 4.0: 250.0}.get(S, math.inf)
    return max(used + math.log(2), -math.log(most) - used) if right < 1 else used


def _cell_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw one server whose bump holds at most 300 records on average; the first has one record."""
    out = drawn(n=whole(1, 1e6), epsilon=logs(1e-3, 10), smoothness=even(0.51, 2))(
        generator, number
    )
    out["n"] = np.minimum(out["n"], np.round(300 ** (1 + 0.5 / out["smoothness"])))
    out["delta"] = 0.01 / out["n"]
    return at_corner(out, n=1.0, epsilon=10.0, delta=0.0)


@CHECKS.add(_cell_draws, "of the error", number=60)
@by_row("n epsilon smoothness delta")
def _two_curves(form: Form, n: float, epsilon: float, smoothness: float, delta: float) -> float:
    """The least error between two curves half a D^-g above and below 0 on a D-th, below 0.23."""
    D = min(n ** (1 / (2 * smoothness + 1)), (n * epsilon) ** (1 / (smoothness + 1)))
    D = max(D, 1.0)
    sign = float(ndtr(D**-smoothness / 2)) - 0.5
    return 0.23 - best_test.error(n, 1 / D, sign, epsilon, delta)


def _growing_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw two servers with D of at least 1 that grow together, up to 1e15 records.

    For a fifth of them one server decides and D is just above a power of two.
    """
    out = drawn(
        n1=logs(1e3, 1e15),
        n2=of("n1", logs(1e-2, 1)),
        smoothness=even(0.51, 0.99),
        delta=logs(1e-12, 1e-2),
    )(generator, number)
    for j in (1, 2):
        out[f"epsilon{j}"] = out[f"n{j}"] ** -generator.uniform(0, 0.9, number)
    corner = generator.uniform(size=number)
    g, D = out["smoothness"], 2.0 ** generator.integers(3, 9, number) * 1.0001
    free, strict = corner < 0.1, corner > 0.9
    budget = np.where(strict, D ** (g + 1) / 1e15, 1.0)
    size = np.where(strict, 1e15, D ** (2 * g + 1))
    out["corner"] = np.where(free, 1.0, np.where(strict, 2.0, 0.0))
    return tools.put(out, free | strict, n1=size, n2=1.0, epsilon1=budget, epsilon2=1e-9)


_LEVELS = np.arange(1, 200)
_ROOM = np.log([9 / 8, 1, 1])[:, None]  # what the proof leaves to the sampling part


@CHECKS.add(
    _growing_draws,
    "in the log of the risk over its bound",
    name="risk",
    risk="integrated",
    number=2000,
)
@CHECKS.add(
    _growing_draws,
    "in the log of the risk over its bound",
    name="risk_at_point",
    risk="pointwise",
    number=2000,
)
def _risk(draws: Draws, form: Form, risk: str) -> Array:
    """Bias, sampling and noise at the engine's level over the bound, and each over its own part.

    The function has one coefficient of the largest size at every place of every level; Haar basis.
    Its bias and its largest value are summed over levels. Where one server decides and D is just
    above a power of two, every part is to reach its bound, the sampling one up to 9/8.
    """
    n, epsilon, g, D = tools.solved(draws)
    level = np.array([federated.resolution_level(x) for x in np.log(D).tolist()], dtype=float)
    level = np.maximum(level, 1.0)  # l0 = 0
    x = 2.0**level
    v = tools.contributions(n, epsilon, x)
    u = v / v.sum(axis=-1, keepdims=True)
    clip = 1 + np.sqrt((2 * g + 1) * level)
    most = 1 + np.sqrt(2 * g + 1 + np.log2(n.sum(axis=-1)))
    at_point = (2.0 ** -(_LEVELS[:, None] * g)).sum(axis=0)  # of the levels from 1 on, at a point
    private = (u**2 / (n * epsilon) ** 2).sum(axis=-1) * clip**2 * x**2
    if risk == "integrated":
        bias, closed = (4.0 ** -(_LEVELS[:, None] * g)).sum(axis=0), 1 / (4**g - 1)
        noise, power = 64 * np.log(2 / draws["delta"]) * private, np.log(2 / draws["delta"]) * 256
    else:
        bias, closed = at_point**2, 1 / (2**g - 1) ** 2
        noise, power = 32 * private, np.full_like(g, 128)
    highest = 1 / (1 - 2**-g)
    sampling = 2 * x * (1 + (1 + at_point) ** 2) * (u**2 / n).sum(axis=-1)
    bounds = (9 / 2 * 4**g * (1 + highest**2), power * 4**g * most**2)
    total = bias + (sampling + noise) * x ** (2 * g)
    shares = np.log(
        [
            sampling * x ** (2 * g) / bounds[0] * 9 / 8,
            noise * x ** (2 * g) / bounds[1] * (most / clip) ** 2,
            (clip / most) ** 2,
        ]
    )
    over = np.max([np.log(total / (closed + bounds[0] + bounds[1])), *(shares - _ROOM)], axis=0)
    free, strict = (draws["corner"] == k for k in (1, 2))
    missed = np.maximum(
        np.where(free, -shares[[0, 2]].min(axis=0), 0), np.where(strict, -shares[1], 0)
    )
    exact = np.abs(np.log(bias / closed))
    gap = tools.also(np.maximum(over, missed - 0.01), tools.miss(n, epsilon, g, D), exact)
    return np.asarray(np.where(D >= 1, gap, -np.inf))


def _plug_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw levels, a size and a delta between N^-3 and 1/N."""
    draws = dict(haar.haar_draws(generator, number))
    draws["n"] = np.maximum(draws["n"], 10)
    return draws | {"delta": draws["n"] ** -generator.uniform(1, 3, number)}


@CHECKS.add(_plug_draws, "in the log of a ratio outside its bounds", number=300)
def _plug_in(draws: Draws, form: Form) -> Array:
    """Noise of the plug-in estimate at a point over that of the direct one, between its bounds.

    By brute force over records: the L2 sensitivity of the coefficients with the printed Gaussian
    noise, times the squares of the functions at the point; twice the squared L1 sensitivity there.
    """
    one = np.ones_like(draws["n"])
    vector = haar.by_levels(draws, haar.vector_change)
    point = haar.by_levels(draws, haar.value_change)
    multiplier = gaussian.printed_multiplier(one, draws["delta"], gaussian.CCV_PRINTED)
    squares = haar.by_levels(draws, lambda a, b: float(haar.kernel(a, b)[0, 0]))
    ratio = np.log((vector * multiplier) ** 2 * squares / (2 * point**2))
    low, high = np.log(np.log(draws["n"])), np.log(8 * np.log(draws["n"]))
    exact = np.abs(ratio - np.log(2 * np.log(2 / draws["delta"])))
    return np.asarray(np.maximum(exact, tools.outside(ratio, low, high)))


def _trace_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw under the condition of Lemma 4.2 at D = 1, with delta of at most 1/e."""
    draws = drawn(n=whole(1, 1e6), epsilon=logs(1e-4, 1), clip=logs(0.1, 5))(generator, number)
    limit = np.minimum(np.sqrt(draws["n"]) * draws["epsilon"] ** 2, 1)
    return draws | {"delta": 0.1 * (limit * spread(generator, 1e-3, 1, number)) ** 1.5}


_NODES, _MASS = np.polynomial.legendre.leggauss(40)


@CHECKS.add(_trace_draws, "in the log of the trace over its bound", number=100)
@by_row("n epsilon clip delta")
def _gaussian_trace(form: Form, n: float, epsilon: float, clip: float, delta: float) -> float:
    """Information of n clipped records behind Gaussian noise, over what Lemma 4.2 leaves at C = 1.

    The curve is f times a Haar function, f = 0: response times function is standard normal. The
    density of the noisy sum and its slope in f are inverse transforms of n-th powers.
    """
    noise = 2 * clip * float(gaussian.analytic_multiplier(epsilon, delta))
    size = math.sqrt(n * min(clip, 1.0) ** 2 + noise**2)
    t = np.linspace(0, 16, 241) / size
    y = np.linspace(-8, 8, 161) * size
    inside = np.cos(t[:, None] * clip * _NODES) @ (
        clip * _MASS * np.exp(-((clip * _NODES) ** 2) / 2) / math.sqrt(2 * math.pi)
    )
    one = inside + 2 * np.cos(t * clip) * float(ndtr(-clip))
    rest = one ** (n - 1) * np.exp(-((noise * t) ** 2) / 2)
    step = (t[1] - t[0]) / math.pi * np.where(t > 0, 1.0, 0.5)
    angle = y[:, None] * t
    density = np.cos(angle) @ (one * rest * step)
    slope = np.sin(angle) @ (n * t * inside * rest * step)
    seen = density > 1e-9 / size
    trace = float((slope[seen] ** 2 / density[seen]).sum() * (y[1] - y[0]))
    right = n * epsilon * math.sqrt(trace) + delta * (math.sqrt(n) * math.log(1 / delta) + n)
    return math.log(trace / min(right, n))
