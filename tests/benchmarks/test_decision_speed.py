"""Speed of a decision with its turning points; processor time of one thread, best of some runs.

Limits are stated for an ordinary machine. How fast this one is, is told by a sum of exponentials,
so that what is asserted is a ratio of times taken in one run.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from rates.decision import decide
from rates.study import FederatedStudy, Server, Study, TransferStudy

pytestmark = pytest.mark.benchmark

ORDINARY = 0.012  # seconds that a million exponentials and logs take on the machine of the limits
LIMITS = {7: (0.030, 7), 200: (0.150, 3), 10_000: (2.0, 1)}  # seconds, and how many runs


def seconds(run: Callable[[], object], repeats: int) -> float:
    """Best processor time."""
    best = math.inf
    for _ in range(repeats):
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return best


def yardstick() -> float:
    """Seconds of a million exponentials and logs, over those of an ordinary machine; at least 1."""
    x = np.linspace(0.0, 1.0, 10**6)
    return max(1.0, seconds(lambda: np.log1p(np.exp(x)), 5) / ORDINARY)


def made(many: int, kind: str) -> Study:
    """So many different sites: a classifier, one of sites alike, or a curve."""
    rng = np.random.default_rng(0)
    rows = [
        Server(
            name=f"s{k}",
            n=int(10 ** rng.uniform(1, 5)),
            epsilon=10 ** rng.uniform(-2, 1),
            delta=1e-6,
            signal_exponent=float(rng.uniform(0.3, 2)) if k and kind == "classifier" else 1.0,
        )
        for k in range(many)
    ]
    if kind == "curve":
        return FederatedStudy(servers=rows, smoothness=1.5)
    return TransferStudy(target=rows[0], sources=rows[1:], smoothness=0.5, dimension=2, margin=1)


CASES = [
    ("classifier", "target"),
    ("classifier", "others"),
    ("alike", "target"),
    ("alike", "each"),
    ("alike", "others"),
    ("curve", "each"),
    ("curve", "others"),
]


@pytest.mark.parametrize(("kind", "use"), CASES)
@pytest.mark.parametrize("many", LIMITS)
def test_a_decision_with_its_turning_points_is_soon_there(many: int, kind: str, use: str) -> None:
    """Needs near what it is worth, with turning points to be found, and without a need."""
    study, (limit, repeats) = made(many, kind), LIMITS[many]
    worth = decide(study, use=use).worth[0]
    slow = yardstick()
    turned = 0
    for needed in (None, worth, 2 * worth):
        turned += len(decide(study, use=use, needed=needed).tips)
        took = seconds(lambda needed=needed: decide(study, use=use, needed=needed), repeats)
        print(f"\n{many} sites, {kind}, {use}, need {needed}: {1e3 * took:.0f} ms")
        assert took < limit * slow
    assert turned


def test_sites_that_differ_by_name_alone_cost_little_more_than_one() -> None:
    row = Server(name="s", n=500, epsilon=1, delta=1e-6)
    one = FederatedStudy(servers=[replace(row, count=5_000)], smoothness=1.5)
    rows = one.with_servers([replace(row, name=f"s{k}") for k in range(5_000)])
    few, many = (seconds(lambda study=study: decide(study), 3) for study in (one, rows))
    print(f"\n5,000 alike: {1e3 * few:.0f} ms in one row, {1e3 * many:.0f} ms in as many")
    assert many < 40 * few
