"""What a page waits for: processor time of one thread, the best of some runs, with its limit.

Limits are those of an ordinary machine; how much slower this one is, is told by a sum of
exponentials.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

from rates import maps, plan, split
from rates.answer import Lens
from rates.decision import decide
from rates.fit import envelope, rivals
from rates.study import Scope, Server, TransferStudy

pytestmark = pytest.mark.benchmark
ORDINARY = 0.012  # seconds that a million exponentials and logs take on the machine of the limits


def seconds(run: Callable[[], object], repeats: int = 5) -> float:
    """Best processor time."""
    spent = []
    for _ in range(repeats):
        start = time.process_time()
        run()
        spent.append(time.process_time() - start)
    return min(spent)


def sites(many: int) -> TransferStudy:
    """So many different sites."""
    rng = np.random.default_rng(0)
    rows = [
        Server(
            name=f"s{k}",
            n=int(10 ** rng.uniform(1, 5)),
            epsilon=10 ** rng.uniform(-2, 1),
            delta=1e-6,
            signal_exponent=float(rng.uniform(0.3, 2)) if k else 1.0,
        )
        for k in range(many)
    ]
    return TransferStudy(target=rows[0], sources=rows[1:], smoothness=0.5, dimension=2, margin=1)


def own_map(study: TransferStudy) -> object:
    x, y = (maps.around(study, moved) for moved in maps.usual(study))
    return maps.study_map(study, x, y, Lens())


def divided(study: TransferStudy) -> object:
    return split.splits(study, "epsilon", 2 * split.today(study, "epsilon"), Lens())


@pytest.mark.parametrize(
    ("ask", "many", "most"),
    [
        (lambda study: decide(study, use="target", needed=1e4), 7, 0.03),
        (lambda study: decide(study, use="others"), 200, 0.15),
        (lambda study: plan.levers(study, 0.5, kind=study.servers[3]), 100, 0.1),
        (divided, 50, 0.2),
        (own_map, 7, 0.15),
        (lambda study: envelope(study, Scope(), "classification"), 20, 0.2),
        (lambda study: rivals(study, lens=Lens(risk="classification")), 20, 0.1),
    ],
)
def test_an_answer_is_soon_there(
    ask: Callable[[TransferStudy], object], many: int, most: float
) -> None:
    study, x = sites(many), np.linspace(0.0, 1.0, 10**6)
    slow = max(1.0, seconds(lambda: np.log1p(np.exp(x))) / ORDINARY)
    took = seconds(lambda: ask(study))
    print(f"\n{many} sites: {1e3 * took:.0f} ms, machine {slow:.1f} times as slow")
    assert took < most * slow
