"""Speed of the planning questions; processor time of one thread, best of some runs."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import rates
from rates import plan as planning
from rates.answer import Lens
from rates.split import splits, today
from rates.study.scenario import Server, TransferStudy

pytestmark = pytest.mark.benchmark


def seconds(run: Callable[[], object], repeats: int = 7) -> float:
    """Best processor time."""
    best = math.inf
    for _ in range(repeats):
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return best


def hundred() -> TransferStudy:
    rng = np.random.default_rng(0)
    rows = [
        Server(
            name=f"s{i}",
            n=int(10 ** rng.uniform(1, 5)),
            epsilon=10 ** rng.uniform(-2, 1),
            delta=1e-6,
            signal_exponent=float(rng.uniform(0.3, 2)) if i else 1.0,
        )
        for i in range(100)
    ]
    return TransferStudy(target=rows[0], sources=rows[1:], smoothness=0.5, dimension=2, margin=1)


@pytest.mark.parametrize("quantity", ["n", "epsilon"])
@pytest.mark.parametrize("servers", ["s7", "all"])
def test_smallest_under_five_milliseconds(quantity: str, servers: str) -> None:
    study = hundred()
    rate = 0.999 * rates.solve(study).rate

    def run() -> None:
        with contextlib.suppress(rates.Unreachable):
            rates.smallest(study, quantity, servers, rate=rate)

    took = seconds(run)
    print(f"\nsmallest {quantity} at {servers}, 100 sites: {1e3 * took:.2f} ms")
    assert took < 5e-3


def test_lever_table_under_a_hundred_milliseconds() -> None:
    study = hundred()
    took = seconds(lambda: planning.levers(study, 0.5, kind=study.servers[3]))
    print(f"\nlever table, 100 sites, both answers: {1e3 * took:.1f} ms")
    assert took < 0.1


@pytest.mark.parametrize("mechanism", [None, "analytic"])
@pytest.mark.parametrize("what", ["sites", "rows"])
def test_mix_of_twenty_under_a_second(mechanism: Any, what: str) -> None:
    study, rng = hundred(), np.random.default_rng(1)
    worst = 0.0
    for k in range(10):
        if what == "sites":
            offers = [
                planning.Offer(what="sites", kind=site, price=float(rng.uniform(1, 10)), most=3)
                for site in study.servers[1:21]
            ]
            base = study.with_servers([study.target, *study.servers[60:80]])
        else:
            offers = [
                planning.Offer(
                    what="epsilon" if i % 2 else "records",
                    site=f"s{i}",
                    price=float(rng.uniform(1, 10)) * (1 if i % 2 else 1e-3),
                    most=10 if i % 2 else 10_000,
                )
                for i in range(1, 21)
            ]
            base = study
        start = time.process_time()
        try:
            planning.cheapest(
                base, offers, fraction=0.999 - 0.002 * k, lens=Lens(mechanism=mechanism)
            )
        except planning.Unreachable:
            continue
        worst = max(worst, time.process_time() - start)
    print(f"\nmix of 20 offers ({what}, {mechanism}): at most {1e3 * worst:.0f} ms")
    assert 0 < worst < 1


def test_many_rows_and_candidates() -> None:
    study = hundred()
    candidates = [replace(study.servers[1 + k % 99], name=f"c{k}", n=10 + k) for k in range(10_000)]
    took = seconds(lambda: planning.best_next(study, candidates), 1)
    values = seconds(lambda: planning.site_values(study), 3)
    prices = seconds(lambda: planning.worth(study), 3)
    print(
        f"\nnext of 10,000: {took:.2f} s; value of 100 sites {1e3 * values:.1f} ms; "
        f"exchange rates {1e3 * prices:.1f} ms"
    )
    assert took < 5
    assert values < 0.1
    assert prices < 0.01


@pytest.mark.parametrize("what", ["records", "epsilon"])
def test_a_total_over_fifty_sites_under_two_hundred_milliseconds(what: Any) -> None:
    study = hundred()
    study = study.with_servers(study.servers[:50])
    now = [float(s.n if what == "records" else s.epsilon) for s in study.servers]
    total = 2 * today(study, what)
    for low, high in ((1.0, 8.0), (0.5, 4.0), (0.0, math.inf)):
        least, most = [low * x for x in now], [high * x for x in now]

        def run(least: Any = least, most: Any = most) -> Any:
            return splits(study, what, total, Lens(), least=least, most=most)

        found = run()
        gap = max(found.equation.gap, found.mechanism.gap)
        took = seconds(run, 3)
        print(f"\nsplit of {what} over 50 sites, both answers: {1e3 * took:.0f} ms, gap {gap:.1e}")
        assert took < 0.2
        assert gap < 0.005
