"""Laws of single parameters, and draws of sets of independent ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rates.ledger.functions.base import Array, Draw, Draws

Law = Callable[[np.random.Generator, int, Draws], Array]  # also of what is drawn before
Made = Callable[[np.random.Generator, int], dict[str, Array]]


def spread(generator: np.random.Generator, low: float, high: float, number: int) -> Array:
    """Draw numbers between two positive ends, evenly in their logs."""
    return np.exp(generator.uniform(np.log(low), np.log(high), number))


def logs(low: float, high: float) -> Law:
    """Return the law of `spread` between two ends."""
    return lambda generator, number, _: spread(generator, low, high, number)


def whole(low: float, high: float) -> Law:
    """Return the law of whole numbers, evenly in their logs."""
    return lambda generator, number, _: np.round(spread(generator, low, high, number))


def even(low: float, high: float) -> Law:
    """Return the uniform law between two ends."""
    return lambda generator, number, _: generator.uniform(low, high, number)


def integers(low: int, end: int) -> Law:
    """Return the uniform law on low, ..., end - 1."""
    return lambda generator, number, _: generator.integers(low, end, number).astype(float)


def exponential(scale: float, start: float = 0.0) -> Law:
    """Return the exponential law of a mean, from a start on."""
    return lambda generator, number, _: start + generator.exponential(scale, number)


def choice(*values: float) -> Law:
    """Return the uniform law on some values."""
    return lambda generator, number, _: generator.choice(values, number)


def of(name: str, law: Law) -> Law:
    """Return a law times a parameter that is drawn before."""
    return lambda generator, number, before: before[name] * law(generator, number, before)


def drawn(first: Draw | None = None, /, **laws: Law) -> Made:
    """Return draws of parameters by name and law, behind those of another function."""

    def draw(generator: np.random.Generator, number: int) -> dict[str, Array]:
        draws = {**first(generator, number)} if first else {}
        for name, law in laws.items():
            draws[name] = law(generator, number, draws)
        return draws

    return draw


def at_corner(draws: dict[str, Array], **values: float) -> dict[str, Array]:
    """Put the parameter set at which a bound is reached in the place of the first draw."""
    for name, value in values.items():
        draws[name][0] = value
    return draws
