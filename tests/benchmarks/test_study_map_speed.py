"""Speed of a study's own map, one thread."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import pytest

from rates import Server, TransferStudy
from rates.answer import Lens
from rates.maps import around, study_map, usual

pytestmark = pytest.mark.benchmark

SEVEN = TransferStudy(
    target=Server(name="T", n=8_000, epsilon=0.3, delta=1e-7),
    sources=[
        Server(
            name=f"S{k}", n=2_000 * k * k, epsilon=2 / k, delta=1e-7, signal_exponent=0.7 + k / 7
        )
        for k in range(1, 7)
    ],
    smoothness=0.75,
    dimension=2,
    margin=1,
)


def best(run: Callable[[], object], repeats: int = 5) -> float:
    """Return the least processor time of a run, in milliseconds."""
    least = math.inf
    for _ in range(repeats):
        start = time.process_time()
        run()
        least = min(least, time.process_time() - start)
    return 1e3 * least


@pytest.mark.parametrize(("lens", "most"), [(Lens(), 150), (Lens(mechanism="analytic"), 1500)])
def test_a_map_of_seven_sites(lens: Lens, most: float) -> None:
    x, y = (around(SEVEN, moved) for moved in usual(SEVEN))
    took = best(lambda: study_map(SEVEN, x, y, lens))
    print(f"\nstudy_map, 7 sites, {lens.mechanism or 'equation'}: {took:.0f} ms")
    assert took < most
