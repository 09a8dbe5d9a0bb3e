"""Invented sites with a known truth: alike in law, unequal in size, and part of no package."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from sims.engine import Array, generator
from sims.real.sites import Kind, Sites, made

# Sizes spread as those of Chem97's authorities are: log-normal, 10 to 970 records.
INVENTED: dict[str, Kind] = {"invented": "curve", "invented labels": "classification"}
_SITES, _MIDDLE, _SPREAD = 130, 170.0, 0.85
_WORDS = {"sites": "sites", "records": "records", "x": "x", "y": "y"}


def curve_at(u: Array) -> Array:
    """Return the known truth: a mean outcome on [-1, 1], or twice the chance of label 1 less 1."""
    return np.asarray(0.7 * np.tanh(2.5 * (u - 0.45)) + 0.1 * np.sin(9.0 * u))


@lru_cache(maxsize=2)
def invented(key: str) -> Sites:
    """Return invented sites of one of the names in `INVENTED`."""
    rng = generator(0, "invented sites")
    levels = np.linspace(-2.3, 2.1, _SITES)
    sizes = np.maximum(np.rint(_MIDDLE * np.exp(_SPREAD * levels)), 10).astype(int)
    names = np.repeat([f"site {j + 1:03d}" for j in range(_SITES)], sizes)
    u = rng.random(len(names))
    mean = curve_at(u)
    kind = INVENTED[key]
    chance = 0.5 + 0.5 * mean
    label = (rng.random(len(u)) < chance).astype(float)
    return made(
        key=key,
        title="Invented sites, all alike",
        kind=kind,
        names=names.tolist(),
        x=u,
        # Ten draws of a chance, over ten: bounded, with a mean that is known.
        y=rng.binomial(10, chance) / 10.0 if kind == "curve" else label,
        bounds=(0.0, 1.0),
        words=_WORDS,
    )


def pair(records: int, kind: Kind) -> Sites:
    """Return two invented sites of so many records to draw from, for an audit."""
    rng = generator(0, "a pair of sites")
    u = rng.random(2 * records)
    label = (rng.random(len(u)) < 0.5 + 0.5 * curve_at(u)).astype(float)
    return made(
        key="pair",
        title="Two invented sites",
        kind=kind,
        names=["a"] * records + ["b"] * records,
        x=u,
        y=label,
        bounds=(0.0, 1.0),
        words=_WORDS,
    )
