"""Rounds of a game: a record of 0 or 1, and the noise with which a count that holds it leaves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sims.engine import generator, release

ROUNDS = 20  # of a game


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
    """Return the rounds of a seed, the same wherever they are played.

    Args:
        seed: Whole, at least 0.
        count: How many.
        name: Other names have rounds of their own.

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
