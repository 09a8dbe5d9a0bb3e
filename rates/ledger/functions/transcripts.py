"""What private transcripts can tell: Lemma 1 of [ACC], and one cell of its lower bound."""

from __future__ import annotations

import math

import numpy as np

from rates.ledger.functions import best_test, noisy_sums
from rates.ledger.functions.base import Draws, Tests, by_row
from rates.ledger.functions.laws import (
    Law,
    at_corner,
    choice,
    drawn,
    even,
    integers,
    logs,
    spread,
    whole,
)
from rates.ledger.texts import Form
from rates.numbers import gaussian

TESTS = Tests()
BEST = 8.0  # the set S that makes the bound least; any other is the code of its servers, in bits


def _moved(j: int) -> Law:
    """Return the law of q_j, not far from p_j."""
    return lambda generator, number, before: np.clip(
        before[f"p{j}"] + spread(generator, 1e-3, 0.3, number) * generator.choice([-1, 1], number),
        0.02,
        0.98,
    )


_LAWS: dict[str, Law] = {"S": choice(0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, BEST, BEST, BEST, BEST)}
for _j in range(3):
    _LAWS |= {f"n{_j}": whole(30, 300), f"p{_j}": even(0.1, 0.9), f"q{_j}": _moved(_j)}
    _LAWS |= {f"epsilon{_j}": logs(0.01, 3), f"delta{_j}": logs(1e-6, 0.1)}


@TESTS.add(drawn(**_LAWS), "in the log of a distance over its bound", number=100)
@by_row(" ".join(_LAWS))
def _coupling(form: Form, S: float, *sites: float) -> float:
    """Lemma 1 for counts behind Gaussian noise, exactly calibrated; in bins, distance exactly.

    Three servers with 0-1 records; bit j of the code says whether server j is in S. Servers outside
    S release their count as it is, which is the worst they can do. Where the bound is below 1 it is
    to be at most 100 times the distance at the best S, and 3 times without S; and the distance is
    to be within a tenth of that of normal transcripts.
    """
    shift = 0.0
    pairs, first, second, third = [], 0.0, 0.0, 0.0
    for j in range(3):
        n, p, q, epsilon, delta = sites[5 * j : 5 * j + 5]
        rho = abs(p - q)
        group = 6 * n * epsilon * rho
        private = group * math.expm1(min(group, 300.0))
        plain = n * (p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q)))
        inside = private < plain if S == BEST else (int(S) >> j) % 2 == 1
        laws = [np.exp(best_test.log_binomial(int(n), x)) for x in (p, q)]
        noise = float(gaussian.analytic_multiplier(epsilon, delta)) if inside else 0.0
        pairs.append(noisy_sums.released(laws, np.arange(n + 1), noise))
        shift += (n * rho) ** 2 / (n * (p * (1 - p) + q * (1 - q)) / 2 + noise**2)
        first += private if inside else 0.0
        second += 0.0 if inside else plain
        third += math.exp(min(group, 300.0)) * n * delta * rho if inside else 0.0
    right = math.sqrt(2) * math.sqrt(first + second) + 4 * third
    distance = noisy_sums.apart(pairs)
    used = math.log(distance / right)
    normal = abs(math.log(distance / math.erf(math.sqrt(shift / 8)))) - 0.03
    most = {0.0: 3.0, BEST: 100.0}.get(S, math.inf)
    return max(used + math.log(1.95), -math.log(most) - used, normal) if right < 1 else used


def _cell_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw one server whose cell holds at most 300 records on average; the first has one record."""
    out = drawn(n=whole(1, 1e6), epsilon=logs(1e-3, 10), beta=even(0.2, 1), d=integers(1, 4))(
        generator, number
    )
    out["n"] = np.minimum(out["n"], np.round(300 ** (1 + 0.5 * out["d"] / out["beta"])))
    out["delta"] = 0.01 / out["n"]
    return at_corner(out, n=1.0, epsilon=10.0, delta=0.0)


@TESTS.add(_cell_draws, "of the error", number=60)
@by_row("n epsilon beta d delta")
def _one_cell(form: Form, n: float, epsilon: float, beta: float, d: float, delta: float) -> float:
    """The least error of a private test between 1/2 + r^beta/4 and 1/2 - r^beta/4, below 0.23."""
    r = max(n ** (-1 / (2 * beta + d)), (n * epsilon) ** (-1 / (beta + d)))
    r = min(r, 1.0)
    return 0.23 - best_test.error(n, r**d, r**beta / 4, epsilon, delta)
