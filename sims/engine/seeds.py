"""Random numbers that depend on a seed and on names, never on order, process or machine."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import numpy as np


def generator(seed: int, *keys: int | str) -> np.random.Generator:
    """Return the generator that belongs to a seed and to these keys.

    Different keys give streams that are independent for all practical purposes: seed and
    keys are hashed to 128 bits, which seed NumPy's `SeedSequence`. It costs about 13
    microseconds.

    >>> a, b = generator(0, "cusp", 3), generator(0, "cusp", 3)
    >>> bool(a.standard_normal() == b.standard_normal())
    True
    """
    words = [k if isinstance(k, str) else int(k) for k in keys]
    digest = hashlib.sha256(repr((int(seed), *words)).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


def generators(
    seed: int, *keys: int | str, indices: Iterable[int]
) -> Iterator[np.random.Generator]:
    """Yield ``generator(seed, *keys, k)`` for each replicate index k.

    >>> first, second = generators(0, "x", indices=range(2))
    >>> bool(first.random() == generator(0, "x", 0).random() != second.random())
    True
    """
    for k in indices:
        yield generator(seed, *keys, int(k))
