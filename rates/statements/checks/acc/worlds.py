"""Checks of whole bounds of [ACC]: the risk in one world, one cell of the lower bound, and more."""

from __future__ import annotations

import math

import numpy as np

from rates.answer import transfer
from rates.ledger.functions import best_test
from rates.ledger.functions.laws import at_corner, drawn, even, integers, logs, of, whole
from rates.statements.checks.acc.draws import Checks
from rates.statements.checks.base import Array, Draws, Form, by_row, pick

CHECKS = Checks()

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


@CHECKS.add(_world_draws, "in the log of the risk over its bound", number=60)
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


def _cell_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw one server whose cell holds at most 300 records on average; the first has one record."""
    out = drawn(n=whole(1, 1e6), epsilon=logs(1e-3, 10), beta=even(0.2, 1), d=integers(1, 4))(
        generator, number
    )
    out["n"] = np.minimum(out["n"], np.round(300 ** (1 + 0.5 * out["d"] / out["beta"])))
    out["delta"] = 0.01 / out["n"]
    return at_corner(out, n=1.0, epsilon=10.0, delta=0.0)


@CHECKS.add(_cell_draws, "of the error", number=60)
@by_row("n epsilon beta d delta")
def _one_cell(form: Form, n: float, epsilon: float, beta: float, d: float, delta: float) -> float:
    """The least error of a private test between 1/2 + r^beta/4 and 1/2 - r^beta/4, below 0.23."""
    r = max(n ** (-1 / (2 * beta + d)), (n * epsilon) ** (-1 / (beta + d)))
    r = min(r, 1.0)
    return 0.23 - best_test.error(n, r**d, r**beta / 4, epsilon, delta)


_polylog_draws = drawn(degree=even(1, 30), beta=even(0.05, 1), d=integers(1, 6), margin=even(0, 1))


@CHECKS.add(_polylog_draws, "in the log of the polynomial over the factor")
def _polylog(draws: Draws, form: Form) -> Array:
    """A power of log N over log(1/delta)^k at delta = e^-N, at the N of the statement."""
    degree, beta, d, margin = pick(draws, "degree beta d margin")
    k = beta * (1 + margin * d / beta) / (2 * beta + d)
    x = np.maximum((degree / k) ** 2, math.e)  # log N, which is log log(1/delta)
    return np.asarray(degree * np.log(x) - k * x)


_many_draws = drawn(
    n=logs(1, 1e6), m=whole(1, 1e6), gamma=even(0.2, 4), beta=even(0.05, 1), d=integers(1, 6)
)


@CHECKS.add(_many_draws, "in the log of a ratio")
def _many_sources(draws: Draws, form: Form) -> Array:
    """Records of the target that m sources are worth by (5), over those of the remark's sum."""
    n, m, g, b, d = pick(draws, "n m gamma beta d")
    column = [x[:, None] for x in (n, np.full_like(n, np.inf), g)]
    r = transfer.solve_r(*column, beta=b[:, None], d=d[:, None], count=m[:, None])
    worth = -(2 * b + d) * np.log(r)
    share = (2 * b + d) / (2 * b * g + d)
    printed = np.log(m) + share * np.log(n)
    return np.asarray(np.abs(worth - printed - (share - 1) * np.log(m)))


# Usable records and those with disease, of the four files by `sims.paper_acc.heart`; sizes and
# shares as printed. Of Hungary 150 records are set aside for the test.
HEART = {
    "Cleveland": (303, 139, 303, 47),
    "Hungary": (293, 106, 142 + 150, 36),
    "Switzerland": (117, 109, 116, 93),
    "Long Beach": (141, 111, 141, 79),
}


@CHECKS.add(drawn(hospital=integers(0, 4)), "records or points too many", number=100)
@by_row("hospital")
def _heart(form: Form, hospital: float) -> float:
    """Printed sizes and shares against those of the files: within one record and 1.2 points."""
    records, sick, size, share = list(HEART.values())[int(hospital)]
    return max(abs(records - size) - 1, abs(100 * sick / records - share) - 1.2)
