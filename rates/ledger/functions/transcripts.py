"""What private transcripts can tell: Lemma 1 of [ACC], Lemmas 4.2 and 4.6 of [CCV], one cell.

A lower bound is tried on the best private test between two laws of one cell: a server holds n
records; K of them fall into the cell, and each of those is 1 with probability 1/2 + h or 1/2 - h. A
private test that sees K as it is, and keeps only the K values private, is a relaxation: what it
cannot tell apart, no private transcript of the server can. Servers that release a sum behind
Gaussian noise are the other example: their sums are sorted into bins, which keeps the budget and
brings laws no further apart, and the distance of what is left is exact.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import reduce

import numpy as np
from scipy.special import ndtr

from rates.hybrid import binomial
from rates.ledger.functions.base import Array, Draws, Tests, at_corner, drawn
from rates.ledger.texts import Form
from rates.numbers import gaussian

TESTS = Tests()
BINS = 40
_LARGEST = 300.0  # a group's budget up to which its bound is not trivial anyway
_PARTS = 8  # a clipped response is rounded to so many parts on either side of 0
_NODES, _MASS = np.polynomial.legendre.leggauss(40)


# The best private test between two laws ----------------------------------------------------------


def rises(odd: bool, steps: int, epsilon: float, delta: float) -> Array:
    """Return with which probabilities the best private test says "more", from the middle upwards.

    Neighbours differ by one: phi(k + 1) <= e^eps phi(k) + delta, and likewise for 1 - phi. The
    problem is symmetric about half the count, so phi can be; from there it rises as fast as it may.
    """
    grow = math.exp(min(epsilon, 700.0))
    phi = np.ones(steps)
    phi[0] = min((grow + delta) / (1 + grow), 1.0) if odd else 0.5
    for k in range(1, steps):
        now = float(phi[k - 1])
        phi[k] = min(grow * now + delta, 1 - (1 - now - delta) / grow, 1.0)
        if phi[k] == 1:
            break
    return phi


def _counts(trials: int, chance: float, most: int | None = None) -> Array:
    """Return the binomial probabilities of 0 to `most`, by default to the number of trials."""
    return binomial(np.arange((trials if most is None else most) + 1.0), trials, chance)


def distance(count: int, signal: float, phi: Array) -> float:
    """Return how far apart a private transcript of `count` records in the cell can be."""
    upper = np.arange((count + 1) // 2, count + 1)
    law = _counts(count, 0.5 + signal)
    return float(((law[upper] - law[count - upper]) * (2 * phi[: upper.size] - 1)).sum())


def best_distance(count: int, signal: float, epsilon: float, delta: float) -> float:
    """Return the same for the best test at a budget."""
    return distance(count, signal, rises(count % 2 == 1, count // 2 + 1, epsilon, delta))


def error(n: float, mass: float, signal: float, epsilon: float, delta: float) -> float:
    """Return a lower bound on the error of every private test of n records, at best 1/2.

    The number in the cell is binomial; where it is too large to be listed, the test is right.
    """
    n = int(n)
    mean = n * min(mass, 1.0)
    most = min(n, int(mean + 8 * mean**0.5 + 8))
    chances = _counts(n, min(mass, 1.0), most)
    phi = [rises(odd, most // 2 + 1, epsilon, delta) for odd in (False, True)]
    apart = sum(
        chance * distance(k, signal, phi[k % 2])
        for k, chance in enumerate(chances.tolist())
        if chance > 1e-12
    )
    missing = max(1 - chances[chances > 1e-12].sum(), 0.0)
    return float((1 - apart - missing) / 2)


def _budget_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw n, h and a budget, with a delta up to a tenth, or none; the first has one record."""
    ranges = "n in {1..300} log; signal in [1e-3, 0.45] log; epsilon in [1e-3, 5] log"
    draws = drawn(f"{ranges}; delta in [1e-9, 0.1] log; none in [0, 1]")(generator, number)
    draws["delta"] *= draws.pop("none") > 0.3
    return at_corner(draws, n=1.0, signal=0.45, epsilon=5.0, delta=0.0)


@TESTS.add(_budget_draws, 200, rows="n signal epsilon delta")
def _best_transcript(form: Form, n: float, signal: float, epsilon: float, delta: float) -> float:
    """Largest distance of any private transcript of n binary records, over both of its bounds.

    Where the right side is below 1, it is to be at most 25 times what some transcript reaches.
    """
    apart = best_distance(int(n), signal, epsilon, delta)
    rho = 2 * signal
    group = min(6 * n * epsilon * rho, _LARGEST)
    strict = math.sqrt(2 * group * math.expm1(group)) + 4 * math.exp(group) * n * delta * rho
    divergence = rho * math.log((1 + rho) / (1 - rho))
    right = min(strict, math.sqrt(2 * n * divergence))
    used = math.log(apart / right)
    return max(used, -math.log(25) - used) if right < 1 else used


def _few_in_the_cell(draws: dict[str, Array], power: Array) -> Draws:
    """Keep at most 300 records in the cell on average; the first draw has one record."""
    draws["n"] = np.minimum(draws["n"], np.round(300 ** (1 + power)))
    draws["delta"] = 0.01 / draws["n"]
    return at_corner(draws, n=1.0, epsilon=10.0, delta=0.0)


def _cell_draws(generator: np.random.Generator, number: int) -> Draws:
    ranges = "n in {1..1e6} log; epsilon in [1e-3, 10] log; beta in [0.2, 1]; d in {1..3}"
    draws = drawn(ranges)(generator, number)
    return _few_in_the_cell(draws, 0.5 * draws["d"] / draws["beta"])


def _bump_draws(generator: np.random.Generator, number: int) -> Draws:
    ranges = "n in {1..1e6} log; epsilon in [1e-3, 10] log; smoothness in [0.51, 2]"
    draws = drawn(ranges)(generator, number)
    return _few_in_the_cell(draws, 0.5 / draws["smoothness"])


@TESTS.add(_cell_draws, 60, rows="n epsilon beta d delta")
def _one_cell(form: Form, n: float, epsilon: float, beta: float, d: float, delta: float) -> float:
    """The least error of a private test between 1/2 + r^beta/4 and 1/2 - r^beta/4, below 0.23."""
    r = max(n ** (-1 / (2 * beta + d)), (n * epsilon) ** (-1 / (beta + d)))
    r = min(r, 1.0)
    return 0.23 - error(n, r**d, r**beta / 4, epsilon, delta)


@TESTS.add(_bump_draws, 12, rows="n epsilon smoothness delta")
def _two_curves(form: Form, n: float, epsilon: float, smoothness: float, delta: float) -> float:
    """The least error between two curves half a D^-g above and below 0 on a D-th, below 0.23."""
    D = min(n ** (1 / (2 * smoothness + 1)), (n * epsilon) ** (1 / (smoothness + 1)))
    D = max(D, 1.0)
    sign = float(ndtr(D**-smoothness / 2)) - 0.5
    return 0.23 - error(n, 1 / D, sign, epsilon, delta)


# Sums behind noise -------------------------------------------------------------------------------


def released(laws: Sequence[Array], values: Array, noise: float) -> list[Array]:
    """Return several laws of a sum, each behind noise and in bins.

    Args:
        laws: Probabilities of the values, one array a law.
        values: The values of the sum, rising.
        noise: Standard deviation of the noise; 0 for none.
    """
    means = [float(law @ values) for law in laws]
    spreads = [float(law @ (values - x) ** 2) for law, x in zip(laws, means, strict=True)]
    # Beyond four standard deviations one bin is enough: merging bins only brings laws closer.
    wide = 4 * math.sqrt(max(spreads) + noise**2)
    ends = np.linspace(min(means) - wide, max(means) + wide, BINS - 1)
    away = ends[:, None] - values
    below = ndtr(away / noise) if noise > 0 else (away >= 0).astype(float)
    whole = np.vstack([np.zeros_like(values), below, np.ones_like(values)])
    return [np.diff(whole @ law) for law in laws]


def total_variation(pairs: Sequence[Sequence[Array]]) -> float:
    """Return how far apart two laws of independent transcripts are, from each server's two laws."""
    one, other = (reduce(np.multiply.outer, [pair[k] for pair in pairs]).ravel() for k in (0, 1))
    return float(np.abs(one - other).sum() / 2)


def _bound(
    servers: Sequence[tuple[float, ...]], chosen: float, best: float
) -> tuple[float, list[bool]]:
    """Return the bound on the distance for a set S of servers, and which of them are in it.

    Args:
        servers: For each n, rho, what it may add without privacy, epsilon and delta.
        chosen: Bit j says whether server j is in S; `best` stands for the least bound.
        best: The code of that S.
    """
    inside, squares, rest = [], 0.0, 0.0
    for j, (n, rho, plain, epsilon, delta) in enumerate(servers):
        group = min(6 * n * epsilon * rho, _LARGEST)
        private = group * math.expm1(group)
        inside.append(private < plain if chosen == best else (int(chosen) >> j) % 2 == 1)
        squares += private if inside[j] else plain
        rest += math.exp(group) * n * delta * rho if inside[j] else 0.0
    return math.sqrt(2) * math.sqrt(squares) + 4 * rest, inside


BEST = 8.0  # the set S that makes the bound least; any other is the code of its servers, in bits


def _count_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw S and three servers, each q not far from its p, on either side."""
    draws = drawn(
        "S in {0..8}; n0, n1, n2 in {30..300} log; p0, p1, p2 in [0.1, 0.9];"
        "q0, q1, q2 in [1e-3, 0.3] log; epsilon0, epsilon1, epsilon2 in [0.01, 3] log;"
        "delta0, delta1, delta2 in [1e-6, 0.1] log"
    )(generator, number)
    for j in range(3):
        moved = draws[f"q{j}"] * generator.choice([-1, 1], number)
        draws[f"q{j}"] = np.clip(draws[f"p{j}"] + moved, 0.02, 0.98)
    return draws


@TESTS.add(
    _count_draws, 100, rows="S " + " ".join(f"n{j} p{j} q{j} epsilon{j} delta{j}" for j in range(3))
)
def _coupling(form: Form, S: float, *sites: float) -> float:
    """Lemma 1 for counts behind Gaussian noise, exactly calibrated; in bins, distance exactly.

    Three servers with 0-1 records; servers outside S release their count as it is, which is the
    worst they can do. Where the bound is below 1 it is to be at most 100 times the distance at the
    best S, and 3 times without S; and the distance is to be within a tenth of that of normal
    transcripts.
    """
    rows = [sites[5 * j : 5 * j + 5] for j in range(3)]
    servers = [
        (n, abs(p - q), n * _divergence(p, q), epsilon, delta) for n, p, q, epsilon, delta in rows
    ]
    right, inside = _bound(servers, S, BEST)
    pairs, shift = [], 0.0
    for (n, p, q, epsilon, delta), private in zip(rows, inside, strict=True):
        laws = [_counts(int(n), x) for x in (p, q)]
        noise = float(gaussian.analytic_multiplier(epsilon, delta)) if private else 0.0
        pairs.append(released(laws, np.arange(n + 1), noise))
        shift += (n * (p - q)) ** 2 / (n * (p * (1 - p) + q * (1 - q)) / 2 + noise**2)
    apart = total_variation(pairs)
    used = math.log(apart / right)
    normal = abs(math.log(apart / math.erf(math.sqrt(shift / 8)))) - 0.03
    most = {0.0: 3.0, BEST: 100.0}.get(S, math.inf)
    return max(used + math.log(1.95), -math.log(most) - used, normal) if right < 1 else used


def _divergence(p: float, q: float) -> float:
    """Kullback and Leibler's, of one 0-1 record."""
    return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))


_SUMS = drawn(  # S = 4 is the best one
    "S in {0..4}; clip in [0.5, 3]; n1, n2 in {1..60} log; shift1, shift2 in [1e-3, 1] log;"
    "epsilon1, epsilon2 in [0.01, 3] log; delta1, delta2 in [1e-6, 0.1] log"
)


def _summed(n: float, shift: float, clip: float) -> Array:
    """The law of the sum of n responses N(shift, 1), each clipped, and rounded to parts."""
    ends = clip * (np.arange(-_PARTS, _PARTS) + 0.5) / _PARTS - shift
    one = np.diff(np.concatenate([[0.0], ndtr(ends), [1.0]]))
    # As long as the sum's range, so that the circular convolution does not wrap.
    length = 2 * _PARTS * int(n) + 1
    law = np.fft.irfft(np.fft.rfft(one, length) ** int(n), length)
    return np.asarray(np.maximum(law, 0) / np.maximum(law, 0).sum())


@TESTS.add(_SUMS, 60, rows="S clip n1 shift1 epsilon1 delta1 n2 shift2 epsilon2 delta2")
def _clipped_sums(form: Form, S: float, clip: float, *sites: float) -> float:
    """The bound for sums of clipped responses behind Gaussian noise, N(0, 1) against N(shift, 1).

    A server outside S releases its sum as it is. Where the bound is below 1 it is to be at most
    250 times the distance at the best S, and 3.5 times without S, where clipping alone loses.
    """
    rows = [sites[4 * j : 4 * j + 4] for j in range(2)]
    servers = [
        (n, 2 * float(ndtr(shift / 2)) - 1, n * shift**2 / 2, epsilon, delta)
        for n, shift, epsilon, delta in rows
    ]
    right, inside = _bound(servers, S, 4.0)
    pairs = []
    for (n, shift, epsilon, delta), private in zip(rows, inside, strict=True):
        values = clip * np.arange(-_PARTS * int(n), _PARTS * int(n) + 1) / _PARTS
        noise = 2 * clip * float(gaussian.analytic_multiplier(epsilon, delta)) if private else 0.0
        pairs.append(released([_summed(n, x, clip) for x in (0.0, shift)], values, noise))
    used = math.log(total_variation(pairs) / right)
    most: Mapping[float, float] = {0.0: 3.5, 4.0: 250.0}
    return max(used + math.log(2), -math.log(most.get(S, math.inf)) - used) if right < 1 else used


def _trace_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw under the condition of Lemma 4.2 at D = 1, with delta of at most 1/e."""
    ranges = "n in {1..1e6} log; epsilon in [1e-4, 1] log; clip in [0.1, 5] log"
    draws = drawn(f"{ranges}; delta in [1e-3, 1] log")(generator, number)
    limit = np.minimum(np.sqrt(draws["n"]) * draws["epsilon"] ** 2, 1)
    return draws | {"delta": 0.1 * (limit * draws["delta"]) ** 1.5}


@TESTS.add(_trace_draws, 40, rows="n epsilon clip delta")
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
    # Where the density is rounding alone, its slope squared over it is no information.
    seen = density > 1e-9 / size
    trace = float((slope[seen] ** 2 / density[seen]).sum() * (y[1] - y[0]))
    right = n * epsilon * math.sqrt(trace) + delta * (math.sqrt(n) * math.log(1 / delta) + n)
    return math.log(trace / min(right, n))


@TESTS.add(
    drawn("m in {1..40} log; epsilon in [1e-2, 5] log; shift in [1e-3, 3] log"),
    300,
    rows="m epsilon shift",
)
def _one_bit(form: Form, m: float, epsilon: float, shift: float) -> float:
    """Exact total variation of m randomised responses, over the right side of (24).

    Server j holds one record N(0, 1) or N(shift, 1) and releases the sign, kept with
    probability e^eps/(1 + e^eps); (24) at S = all servers, at S empty, whichever is smaller.
    """
    rho = 2 * float(ndtr(shift / 2)) - 1
    signal = rho / 2 * math.tanh(epsilon / 2)  # of a released sign above or below one half
    laws = [_counts(int(m), 0.5 + x) for x in (signal, -signal)]
    group = min(6 * epsilon * rho, _LARGEST)
    right = math.sqrt(2 * m * min(group * math.expm1(group), shift**2 / 2))
    return math.log(float(np.abs(laws[0] - laws[1]).sum()) / 2 / right)
