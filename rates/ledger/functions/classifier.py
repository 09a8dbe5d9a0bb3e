"""The risk of [ACC]'s kernel classifier in one world, against the bound of its Theorem 4.2."""

from __future__ import annotations

import math

import numpy as np

from rates.answer import transfer
from rates.ledger.functions.base import Draws, Tests, by_row
from rates.ledger.functions.laws import at_corner, drawn, even, logs, of
from rates.ledger.texts import Form

TESTS = Tests()

_NODES, _MASS = np.polynomial.legendre.leggauss(40)
_STEPS = (np.arange(160) + 0.5) / 16  # of the transform, in units of one over the spread
_some_worlds = drawn(
    n0=logs(1e2, 1e12),
    n1=of("n0", logs(0.1, 100)),
    gamma=even(1, 2),
    beta=even(0.5, 1),
    fall0=even(0, 0.3),
    fall1=even(0, 0.3),
)


def _world_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw two servers and their budgets; the first is near the largest ratio that we know."""
    worst = {"n0": 5.81e6, "n1": 4.6e6, "gamma": 1.0, "beta": 0.5, "fall0": 0.3, "fall1": 0.3}
    return at_corner(_some_worlds(generator, number), **worst)


@TESTS.add(_world_draws, "in the log of the risk over its bound", number=60)
@by_row("n0 n1 gamma beta fall0 fall1")
def _one_world(
    form: Form, n0: float, n1: float, gamma: float, beta: float, fall0: float, fall1: float
) -> float:
    """Excess risk of the classifier at the bandwidth of (11), over 6 r^(beta + 1) L.

    X is even on [0, 1], the target's eta is 1/2 + sign(u) |2u|^beta/2 with u = x - 1/2, so the
    margin is 1/beta; the source's signal is its power gamma; triangular kernel; budgets n^-fall.
    The chance of the wrong label is an inverse transform of n-th powers, nothing is drawn.
    """
    size, slope = np.array([n0, n1]), np.array([1.0, gamma])
    epsilon = size ** -np.array([fall0, fall1])
    log_delta = math.log(2) + 2 * math.log(n0 + n1)  # of 2/delta, delta = N^-2
    h, r = (
        min(float(transfer.solve_r(size, epsilon, slope, beta=beta, d=1, rhs=right)), 1.0)
        for right in (log_delta, 1.0)
    )
    v = np.minimum(size, (size * epsilon) ** 2 * h) * h ** (beta * slope)
    u = v / v.sum()
    noise = math.sqrt(2 * log_delta) / (size * epsilon * h)
    spread = math.sqrt((u**2 * (1 / (6 * size * h) + noise**2)).sum())
    t = _STEPS / spread
    place = np.geomspace(1e-3 * min(h, 0.5), 0.5, 40)
    power = -(((u * noise) ** 2).sum()) * t**2 / 2 + np.zeros((40, 1), complex)
    mean = np.zeros(40)
    kernel = 1 - np.abs(_NODES)
    seen = place[:, None] + h * _NODES
    inside = np.where(np.abs(seen) <= 0.5, _MASS, 0.0)
    signal = np.sign(seen) * np.minimum(np.abs(2 * seen), 1.0) ** beta / 2
    for j in range(2):
        angle = kernel[:, None] * t * u[j] / (2 * size[j] * h)
        strength = np.sign(signal) * np.abs(signal) ** slope[j]
        mean += u[j] * (inside * strength) @ kernel
        even_part = -2 * inside @ np.sin(angle / 2) ** 2
        odd_part = 2 * (inside * strength) @ np.sin(angle)
        power += size[j] * np.log1p(h * (even_part + 1j * odd_part))
    wrong = 0.5 - (np.exp(power).imag / _STEPS).sum(axis=1) / 16 / math.pi
    wrong = np.where(mean < 12 * spread, wrong, 0.0)  # beyond that the transform's own end is seen
    lost = wrong * (2 * place) ** beta * place  # over log places, both sides
    risk = 2 * float(np.trapezoid(lost, np.log(place)))
    factor = (1 + beta) / (2 * beta + 1) * math.log(log_delta)
    return math.log(risk) - math.log(6) - (1 + beta) * math.log(r) - factor
