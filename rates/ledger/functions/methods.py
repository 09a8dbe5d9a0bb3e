"""What methods do, exactly: risks, chances, errors and sensitivities, and the tables of papers."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from scipy.special import ndtr
from scipy.stats import binom

from rates import columns
from rates.answer import solve_r
from rates.hybrid import binomial, needs, project
from rates.ledger.functions.base import Array, Draws, Tests, at_corner, drawn, pick
from rates.ledger.texts import Form
from rates.logistic import LAWS, TABLE_1, best_accuracy, signal_variance

TESTS = Tests()
_NODES, _MASS = np.polynomial.legendre.leggauss(40)
_STEPS = (np.arange(160) + 0.5) / 16  # of a transform, in units of one over the spread


# [ACC]: the risk of the kernel classifier, and the hospitals --------------------------------------


def _world_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw two servers and their budgets; the first is near the largest ratio that we know."""
    ranges = "n0 in [1e2, 1e12] log; n1 in [0.1, 100] log; gamma in [1, 2]; beta in [0.5, 1]"
    draws = drawn(f"{ranges}; fall0, fall1 in [0, 0.3]")(generator, number)
    draws["n1"] *= draws["n0"]
    worst = {"n0": 5.81e6, "n1": 4.6e6, "gamma": 1.0, "beta": 0.5, "fall0": 0.3, "fall1": 0.3}
    return at_corner(draws, **worst)


@TESTS.add(_world_draws, 60, rows="n0 n1 gamma beta fall0 fall1")
def _one_world(
    form: Form, n0: float, n1: float, gamma: float, beta: float, fall0: float, fall1: float
) -> float:
    """Log of the classifier's excess risk at the bandwidth of (11), over 6 r^(beta + 1) L.

    X is even on [0, 1], the target's eta is 1/2 + sign(u) |2u|^beta/2 with u = x - 1/2, so the
    margin is 1/beta; the source's signal is its power gamma; triangular kernel; budgets n^-fall.
    The chance of the wrong label is an inverse transform of n-th powers, nothing is drawn.
    """
    size, slope = np.array([n0, n1]), np.array([1.0, gamma])
    epsilon = size ** -np.array([fall0, fall1])
    log_delta = math.log(2) + 2 * math.log(n0 + n1)  # of 2/delta, delta = N^-2
    h, r = (
        min(float(solve_r(size, epsilon, slope, beta=beta, d=1, rhs=right)), 1.0)
        for right in (log_delta, 1.0)
    )
    v = np.minimum(size, (size * epsilon) ** 2 * h) * h ** (beta * slope)
    u = v / v.sum()
    noise = math.sqrt(2 * log_delta) / (size * epsilon * h)
    spread = math.sqrt((u**2 * (1 / (6 * size * h) + noise**2)).sum())
    # By Gil-Pelaez: the chance of a sign from the characteristic function alone.
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


# Usable records and those with disease, of the four files by `sims.acc.heart`; sizes and
# shares as printed. Of Hungary 150 records are set aside for the test.
HOSPITALS = {
    "Cleveland": (303, 139, 303, 47),
    "Hungary": (293, 106, 142 + 150, 36),
    "Switzerland": (117, 109, 116, 93),
    "Long Beach": (141, 111, 141, 79),
}


@TESTS.add(lambda generator, number: {"hospital": np.arange(4.0)}, 1, rows="hospital")
def _records(form: Form, hospital: float) -> float:
    """Printed sizes and shares against those of the files: within one record and 1.2 points."""
    records, sick, size, share = list(HOSPITALS.values())[int(hospital)]
    return max(abs(records - size) - 1, abs(100 * sick / records - share) - 1.2)


# [CCV]: the Haar basis, where sensitivities are exact ---------------------------------------------
#
# In the indexing of Section 3.1 level l0 holds the 2^(l0+1) father functions of scale l0 + 1, the
# levels above it the mother functions; all are constant on the 2^(L+1) dyadic cells of level L + 1.
# For this basis at most c_A = 1 function of a level is not zero at a point, and sup |psi| = 1.


@cache
def kernel(first: int, last: int) -> Array:
    """Return the projection kernel K(x, y), the sum of psi(x) psi(y), on pairs of cells."""
    cells = 2 ** (last + 1)
    fathers = 2 ** (first + 1)
    rows = [math.sqrt(fathers) * np.kron(np.eye(fathers), np.ones(cells // fathers))]
    for level in range(first + 1, last + 1):
        half = np.ones(cells // 2 ** (level + 1))
        rows.append(2.0 ** (level / 2) * np.kron(np.eye(2**level), np.concatenate([half, -half])))
    basis = np.concatenate(rows)
    return np.asarray(basis.T @ basis)


def _levels(generator: np.random.Generator, number: int) -> Draws:
    """Draw levels l0 < L <= 6."""
    draws = drawn("first_level in {0..2}; last_level in {1..4}")(generator, number)
    draws["last_level"] += draws["first_level"]
    return draws


@TESTS.add(_levels, 100, rows="first_level last_level")
def _kernel(form: Form, first: float, last: float) -> float:
    """Compare the kernel with 2^(L+1) on pairs from one cell and 0 on others."""
    found = kernel(int(first), int(last))
    return float(np.abs(found - len(found) * np.eye(len(found))).max())


# [KS]: chances of many answers, tails of cut weights, and regret over whole games -----------------


_ANSWERS = drawn(
    "accuracy in [0.05, 0.124]; failure in [1e-4, 0.5] log; epsilon in [2, 100] log;"
    "delta in [1e-10, 1e-3] log; mean in [0, 1]"
)


@TESTS.add(_ANSWERS, 60, "in probability", rows="accuracy failure epsilon delta mean")
def _users(form: Form, a: float, b: float, e: float, delta: float, mean: float) -> float:
    """The exact failure of the mean of noisy answers of 0 or 1, minus β."""
    size = needs.users_for if form == "printed" else needs.users_enough
    n = max(1, math.ceil(size(a, b, e, delta)))
    sigma = math.sqrt(2 * math.log(2 / delta) / n) / e
    k = np.arange(n + 1.0)
    off = k / n - mean
    outside = ndtr((-a - off) / sigma) + ndtr((off - a) / sigma)
    return float(binomial(k, n, mean) @ outside) - b


_CUT = drawn(
    "accuracy in [0.01, 0.124] log; failure in [1e-6, 0.124] log; share in [0.01, 0.9] log"
)


@TESTS.add(_CUT, 2000)
def _cut_weights(draws: Draws, form: Form) -> Array:
    """Weights 1/ρ with probability ρ, else 0: the sum is binomial, its tails are exact."""
    a, b, share = pick(draws, "accuracy failure share")
    n = np.ceil(150 / share * np.log(4 / b) / a**2)
    above = binom.sf(np.floor((1 + a / 8) * n * share), n, share)
    below = binom.cdf(np.ceil((1 - 3 * a / 8) * n * share) - 1, n, share)
    return np.asarray(np.log(np.maximum(np.maximum(above, below), 1e-300) / (b / 4)))


_GAMES = drawn(
    "accuracy in [0.01, 0.124] log; rounds in {20..400} log; seed in {0..1e9};density in [0.1, 0.9]"
)


@TESTS.add(_GAMES, 20, rows="accuracy rounds seed density")
def _dense_regret(form: Form, a: float, rounds: float, seed: float, kappa: float) -> float:
    """Play costs that favour the records of least weight; compare with a fixed distribution."""
    generator, n = np.random.default_rng(int(seed)), 12
    # Costs lean to light or to heavy records: an adversary that sees the weights.
    lean = generator.uniform(-3, 3)
    log_w, paid, totals = np.zeros(n), 0.0, np.zeros(n)
    for _ in range(int(rounds)):
        mu = project(log_w, kappa)
        mu = mu / mu.sum()
        cost = (generator.random(n) < 1 / (1 + np.exp(lean * (mu * n - 1)))).astype(float)
        paid += float(mu @ cost)
        totals += cost
        log_w = log_w - a / 8 * cost
    weights = project(-3 * generator.exponential(size=n), kappa)  # sum κ n, none above 1
    nu = weights / weights.sum()
    penalty = float((weights * np.log(weights / kappa) - weights + kappa).sum()) / (kappa * n)
    return paid - float(nu @ totals) - a * rounds / 8 - penalty / (a / 8)


# [BCMM]: the smoothness of the general objective, by its Hessian ----------------------------------

_HESSIAN = drawn(
    "alpha in [0.05, 0.95]; radius, bound in [0.2, 3] log; one, two, top in [0.01, 3] log;"
    "softmax in [0.1, 2] log; gap in [0, 1]; w, x0, x1, x2, x3 in [-1, 1]; u0, u1, u2, u3 in [1, 3]"
)


@TESTS.add(_HESSIAN, 500)
def _smooth(draws: Draws, form: Form) -> Array:
    """Log of the Hessian's norm over the bound of Lemma 5.1, m = n = 2, one feature, logistic."""
    a, r, lam, gap, w = pick(draws, "alpha radius bound gap w")
    x, u = (np.stack(pick(draws, f"{k}0 {k}1 {k}2 {k}3"), axis=-1) for k in "xu")
    u = u / np.stack([a / 2, a / 2, (1 - a) / 2, (1 - a) / 2], axis=-1)
    z, x = (w * lam * r)[:, None] * x, r[:, None] * x
    largest = np.logaddexp(0, lam * r)
    lift = np.stack([gap * largest] * 2 + [np.zeros_like(a)] * 2, axis=-1)
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
    return np.asarray(np.log(norm / _smoothness(draws, largest)))


def _smoothness(draws: Draws, largest: Array) -> Array:
    """The constant of Lemma 5.1, with (20) read as under BCMM:Eq20:penalty."""
    a, r, one, two, top, mu = pick(draws, "alpha radius one two top softmax")
    c, n, m = 1 - a, 2.0, 2.0
    beta = two * a**3 / m**2 + two * c**3 / n**2
    beta += 2 * a**3 * (np.maximum(one, np.abs(2 * largest - one)) + two * n**0.5 + top) / m**2.5
    beta += 2 * c**3 * (np.maximum(one, np.abs(largest - one)) + two * m**0.5 + top) / n**2.5
    beta += top * mu * (a**4 * (m**-3 + m**-3.5) + c**4 * (n**-3 + n**-3.5))
    beta += 2 * top * mu * (a * c) ** 2 / (m * n) ** 1.5
    return np.asarray(r**2 / 4 + beta + r * (a**2 / m**1.5 + c**2 / n**1.5))


# [DPLR]: the accuracies that Table 1 prints -------------------------------------------------------

POINTS = 300
LEVEL = 0.05 / 12  # Bonferroni over the twelve entries


def _table(generator: np.random.Generator, number: int) -> Draws:
    """Return the twelve entries; nothing is random about them."""
    return {
        "law": np.repeat(np.arange(3.0), 4),
        "percent": np.array([value for law in LAWS for value in TABLE_1[law]]),
    }


@TESTS.add(_table, 12)
def _hits(draws: Draws, form: Form) -> Array:
    """Distance of an entry from the nearest multiple of 1/300, in per cent beyond the rounding."""
    percent = draws["percent"]
    hits = np.round(percent * POINTS / 100)
    return np.asarray(np.abs(percent - 100 * hits / POINTS) - 0.005 - 1e-9)


@TESTS.add(_table, 12, "above the best accuracy, or in the log of a chance below the level")
def _best(draws: Draws, form: Form) -> Array:
    """By how much an entry exceeds the best accuracy; as a test of a sample in our reading."""
    signal = signal_variance(np.ones(10))
    best = np.array([best_accuracy(signal, LAWS[int(k)]) for k in draws["law"].tolist()])
    share = draws["percent"] / 100
    if form == "printed":
        return np.asarray(share - best)
    hits = np.round(share * POINTS)
    return np.asarray(math.log(LEVEL) - binom.logsf(hits - 1, POINTS, best))


# [CAC]: the error of the server that listens, against a sum over all counts -----------------------

_COLUMNS = drawn(
    "n in {2..400} log; first in [0.1, 10] log; second in [0.01, 10] log; rho in [-0.95, 0.95]"
)


@TESTS.add(_COLUMNS, 200, rows="n first second rho")
def _listening(form: Form, n: float, first: float, second: float, rho: float) -> float:
    """Sum over the counts of equal signs; the mean of a sine over Laplace noise is elementary."""
    people, speaker, listener = int(n), max(first, second), min(first, second)
    c = columns.lift(speaker)
    counts = np.arange(people + 1.0)
    chances = binomial(counts, people, 0.5 + math.asin(rho) / math.pi / c)
    means = c * (2.0 * counts / people - 1.0)
    scale = math.pi * c / people / listener  # of the noise, times pi/2
    sine = np.sin(math.pi / 2.0 * means) / (1.0 + scale**2)
    square = 0.5 - np.cos(math.pi * means) / (1.0 + 4.0 * scale**2) / 2.0
    error = float(chances @ (square - 2.0 * rho * sine + rho**2))
    return abs(error - columns.listening_error(people, first, second, rho))
