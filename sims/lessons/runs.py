"""What lessons draw: rounds of a game, one class with coins and a tally, errors over sizes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from rates.numbers import decades
from rates.tally import coin_error, coin_estimate, laplace_error, noise_decay, truth_chance
from sims.engine import Array, Value, Values, check_values, generator, noted, release

ROUNDS = 20  # of a game
# What the texts of `class`, `twice` and `spread` state.
PEOPLE, BUDGET = 60, math.log(3.0)  # a coin that tells the truth 3 times of 4
REGISTRY, TOTAL, STRICT = 10_000, 10**6, 0.2
START = {"class": float(PEOPLE), "twice": float(REGISTRY), "spread": 10.0}  # where the factor is 1
CLASSES = (8.0, 1_500.0)  # people in the smallest and the largest class
_SIZES: dict[str, dict[str, Value]] = {  # of the curves of `twice` and `spread`
    "twice": {"sweep": "n", "n": (1e4, 1.4e4, 2e4, 2.8e4, 4e4), "m": (1.0,)},
    "spread": {
        "sweep": "m",
        "m": (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0),
        "n": (float(TOTAL),),
    },
}


@dataclass(frozen=True, slots=True)
class Rounds:
    """What is guessed, and what is seen.

    Attributes:
        records: The record of each round, 0 or 1, equally likely.
        noise: What the mechanism adds at ε = 1; at another ε the same over ε.
    """

    records: tuple[int, ...]
    noise: tuple[float, ...]


def rounds(seed: int, count: int, name: str) -> Rounds:
    """Return the rounds of a seed, the same wherever they are played; each name has its own.

    >>> rounds(1, 4, "you") == rounds(1, 4, "you") != rounds(2, 4, "you")
    True
    """
    rng = generator(seed, "guesses", name)
    records = rng.integers(0, 2, count)
    noise = release(
        np.zeros(count),
        rng,
        of="count but for what is known",
        sensitivity=1.0,
        multiplier=1.0,
        law="Laplace",
        who=name,
    )
    return Rounds(tuple(records.tolist()), tuple(noise.tolist()))


def by_coins(yes: int, n: int, epsilon: float, rng: np.random.Generator) -> float:
    """Return the share of yes that n people's coins mean, one throw each.

    >>> by_coins(3, 10, 500.0, np.random.default_rng(0))
    0.3
    """
    p = truth_chance(epsilon)
    said = int(rng.binomial(yes, p)) + int(rng.binomial(n - yes, 1.0 - p))
    noted(of="answers by coins", who="coins", epsilon=epsilon)  # one each, of people apart
    return coin_estimate(said / n, epsilon)


def by_tally(yes: int, n: int, epsilon: float, rng: np.random.Generator) -> float:
    """Return the share of yes with discrete Laplace noise on the count; not clipped.

    >>> by_tally(3, 10, 500.0, np.random.default_rng(0))
    0.3
    """

    def whole(source: np.random.Generator) -> Array:
        """Noise in units of 1/epsilon: a difference of two geometric numbers."""
        first, second = source.geometric(1.0 - noise_decay(epsilon), 2)
        return np.asarray(epsilon * (first - second))

    noisy = release(
        yes,
        rng,
        of="count of yes",
        sensitivity=1.0,
        multiplier=1.0 / epsilon,
        law="Laplace",
        who="tally",
        path=whole,
    )
    # The gate adds floats; what is released is a whole number.
    return float(np.rint(noisy)) / n


def classroom(seed: int) -> tuple[int, float, float]:
    """Return who holds a yes in a class with the reader, and what coins and tally say of it."""
    rng = generator(seed, "classmates")
    yes = 1 + int(rng.integers(0, 2, PEOPLE - 1).sum())
    return yes, by_coins(yes, PEOPLE, BUDGET, rng), by_tally(yes, PEOPLE, BUDGET, rng)


def risk_values(**given: Value) -> Values:
    """Return values of the experiment regression-rate with fixed windows, others as it starts."""
    from sims.ccv import RATE

    return check_values(RATE.parameters, {**given, "window": "all"})


@cache
def curves(key: str) -> list[tuple[Array, Array]]:
    """Return sizes and errors over that at `START`: of coins and tally, else the exact ones.

    In `twice` and `spread` those without privacy come first; between their points errors are
    interpolated by logarithms.
    """
    if key == "class":
        sizes = [int(x) for x in decades(1, 3, whole=True) if CLASSES[0] <= x <= CLASSES[1]]
        unit = laplace_error(PEOPLE, BUDGET)
        errors = ([law(n, BUDGET) / unit for n in sizes] for law in (coin_error, laplace_error))
        return [(np.array(sizes, dtype=float), np.array(one)) for one in errors]
    from sims.ccv import exact_curves

    found = exact_curves(risk_values(**_SIZES[key], epsilon=(STRICT, math.inf)), count=24)
    out = []
    for name in sorted(found, key=lambda name: name != "no privacy"):
        curve, at = found[name], np.log(START[key])
        unit = np.exp(np.interp(at, np.log(curve.x), np.log(curve.risk)))
        out.append((curve.x, curve.risk / unit))
    return out
