"""Checks of whole bounds of [CCV]: risks in one world, and the best private mechanism of a case."""

from __future__ import annotations

import numpy as np

from rates.answer import federated
from rates.ledger.functions import haar
from rates.ledger.functions.curves import TESTS
from rates.ledger.functions.laws import drawn, even, logs, of
from rates.numbers import gaussian
from rates.statements.checks.base import Array, Checks, Draws, Form
from rates.statements.checks.ccv import tools

CHECKS = Checks()


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


CHECKS.update(TESTS)  # type: ignore[arg-type]
