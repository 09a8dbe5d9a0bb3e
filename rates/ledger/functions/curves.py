"""What private transcripts tell of a curve: Lemmas 4.2 and 4.6 of [CCV], and one bump."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtr

from rates.ledger.functions import best_test, noisy_sums
from rates.ledger.functions.base import Array, Draws, Tests, by_row
from rates.ledger.functions.laws import Law, at_corner, choice, drawn, even, logs, spread, whole
from rates.ledger.texts import Form
from rates.numbers import gaussian

TESTS = Tests()


def _budget_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw n, h and a budget, with a delta up to a tenth, or none; the first has one record."""
    laws = {"n": whole(1, 300), "signal": logs(1e-3, 0.45), "epsilon": logs(1e-3, 5)}
    draws = drawn(**laws)(generator, number)
    some = spread(generator, 1e-9, 0.1, number)
    draws["delta"] = np.where(generator.uniform(size=number) < 0.3, 0.0, some)
    return at_corner(draws, n=1.0, signal=0.45, epsilon=5.0, delta=0.0)


@TESTS.add(_budget_draws, "in the log of the distance over its bound", number=200)
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


@TESTS.add(drawn(**_LAWS), "in the log of the distance over its bound", number=60)
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


@TESTS.add(_cell_draws, "of the error", number=12)
@by_row("n epsilon smoothness delta")
def _two_curves(form: Form, n: float, epsilon: float, smoothness: float, delta: float) -> float:
    """The least error between two curves half a D^-g above and below 0 on a D-th, below 0.23."""
    D = min(n ** (1 / (2 * smoothness + 1)), (n * epsilon) ** (1 / (smoothness + 1)))
    D = max(D, 1.0)
    sign = float(ndtr(D**-smoothness / 2)) - 0.5
    return 0.23 - best_test.error(n, 1 / D, sign, epsilon, delta)


def _trace_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw under the condition of Lemma 4.2 at D = 1, with delta of at most 1/e."""
    draws = drawn(n=whole(1, 1e6), epsilon=logs(1e-4, 1), clip=logs(0.1, 5))(generator, number)
    limit = np.minimum(np.sqrt(draws["n"]) * draws["epsilon"] ** 2, 1)
    return draws | {"delta": 0.1 * (limit * spread(generator, 1e-3, 1, number)) ** 1.5}


_NODES, _MASS = np.polynomial.legendre.leggauss(40)


@TESTS.add(_trace_draws, "in the log of the trace over its bound", number=40)
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


@TESTS.add(
    drawn(m=whole(1, 40), epsilon=logs(1e-2, 5), shift=logs(1e-3, 3)),
    "in the log of the distance over (24)",
    number=300,
)
@by_row("m epsilon shift")
def _one_bit(form: Form, m: float, epsilon: float, shift: float) -> float:
    """Exact total variation of m randomised responses, over the right side of (24).

    Server j holds one record N(0, 1) or N(shift, 1) and releases the sign, kept with
    probability e^eps/(1 + e^eps); (24) at S = all servers, at S empty, whichever is smaller.
    """
    rho = 2 * float(ndtr(shift / 2)) - 1
    signal = rho / 2 * math.tanh(epsilon / 2)  # of a released sign above or below one half
    laws = [np.exp(best_test.log_binomial(int(m), 0.5 + x)) for x in (signal, -signal)]
    group = min(6 * epsilon * rho, 300.0)
    right = math.sqrt(2 * m * min(group * math.expm1(group), shift**2 / 2))
    return math.log(float(np.abs(laws[0] - laws[1]).sum()) / 2 / right)
