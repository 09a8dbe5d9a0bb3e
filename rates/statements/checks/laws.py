"""Laws of single parameters, and draws of sets of independent ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rates.statements.checks.base import Array, Draw

Law = Callable[[np.random.Generator, int], Array]
Made = Callable[[np.random.Generator, int], dict[str, Array]]


def spread(generator: np.random.Generator, low: float, high: float, number: int) -> Array:
    """Draw numbers between two positive ends, evenly in their logs."""
    return np.exp(generator.uniform(np.log(low), np.log(high), number))


def logs(low: float, high: float) -> Law:
    """Return the law of `spread` between two ends."""
    return lambda generator, number: spread(generator, low, high, number)


def whole(low: float, high: float) -> Law:
    """Return the law of whole numbers, evenly in their logs."""
    return lambda generator, number: np.round(spread(generator, low, high, number))


def even(low: float, high: float) -> Law:
    """Return the uniform law between two ends."""
    return lambda generator, number: generator.uniform(low, high, number)


def integers(low: int, end: int) -> Law:
    """Return the uniform law on low, ..., end - 1."""
    return lambda generator, number: generator.integers(low, end, number).astype(float)


def drawn(first: Draw | None = None, /, **laws: Law) -> Made:
    """Return draws of independent parameters by name, behind those of another function."""

    def draw(generator: np.random.Generator, number: int) -> dict[str, Array]:
        before = first(generator, number) if first else {}
        return {**before, **{name: law(generator, number) for name, law in laws.items()}}

    return draw


def at_corner(draws: dict[str, Array], **values: float) -> dict[str, Array]:
    """Put the parameter set at which a bound is reached in the place of the first draw."""
    for name, value in values.items():
        draws[name][0] = value
    return draws
