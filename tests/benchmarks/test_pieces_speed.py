"""Speed of minima and maxima of lines: polygons and rows, one thread."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable

import numpy as np
import pytest

from rates.pieces import intervals, leaves_along, regions
from tests.rates.pieces.forms import random_form

pytestmark = pytest.mark.benchmark
BOX = ((1e-4, 1e4), (1.0, 1e6))


def worst(run: Callable[[int], object], repeats: int = 10) -> float:
    """Return the largest processor time over different forms, in milliseconds."""
    run(0)
    took = []
    for seed in range(repeats):
        start = time.process_time()
        run(seed)
        took.append(time.process_time() - start)
    return 1e3 * max(took)


@pytest.mark.parametrize(("leaves", "limit"), [(5, 10.0), (64, 300.0)])
def test_polygons(leaves: int, limit: float) -> None:
    forms = [random_form(random.Random(seed), leaves) for seed in range(10)]
    took = worst(lambda k: regions(forms[k], "x", "y", {"z": 7.0}, box=BOX))
    along = worst(lambda k: intervals(forms[k], "x", {"y": 3.0, "z": 7.0}, lo=0.0, hi=math.inf))
    print(f"\n{leaves} leaves: polygons {took:.1f} ms, intervals {along:.1f} ms")
    assert took < limit
    assert along < limit


def test_many_rows_of_64_leaves() -> None:
    form = random_form(random.Random(0), 64)
    draws = np.random.default_rng(0)
    slopes, levels = draws.normal(size=(2, 660, 64))
    took = worst(lambda _: leaves_along(form.tree, slopes, levels, -10.0, 10.0), repeats=3)
    print(f"\n660 rows of 64 leaves: {took:.0f} ms")
    assert took < 500
