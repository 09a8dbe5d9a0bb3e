"""Ratios of paired replicates against known cases, and moves that both curves must tell."""

from __future__ import annotations

import numpy as np
import pytest

from sims.bcmm.curves import PLAIN, RATE
from sims.bcmm.picture import (
    SAME,
    TO_SOURCE,
    TO_TARGET,
    UNCLEAR,
    move,
    ratio,
    ratio_at,
)
from sims.engine.experiment import Estimate, Request
from sims.engine.runs import run, start

LOW, HIGH, VAGUE = Estimate(1.0, 0.01, 9), Estimate(2.0, 0.01, 9), Estimate(1.0, 1.0, 9)


def test_a_ratio_covers_the_truth_about_as_often_as_it_says():
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(1000):
        common = rng.normal(0.0, 0.3, 20)
        above = 6.0 + 3.0 * common + rng.normal(0.0, 0.3, 20)
        low, high = ratio(above, 2.0 + common + rng.normal(0.0, 0.1, 20)).interval()
        hits += low <= 3.0 <= high
    assert 0.92 < hits / 1000 < 0.98


def test_the_ratio_of_a_run_is_that_of_its_means():
    request = Request(
        experiment=RATE,
        values={"private": [50], "epsilon": [1], "public": 60, "steps": 20},
        replicates=3,
    )
    *_, last = run(request)
    at = dict(zip([p.series for p in request.points], last.estimates, strict=True))
    found = ratio_at(last, ("ε = 1", 50.0), (PLAIN, 50.0))
    assert found is not None
    assert found.mean == pytest.approx(at["ε = 1"].mean / at[PLAIN].mean)
    assert found.replicates == 3
    assert ratio_at(last, ("ε = 2", 50.0), (PLAIN, 50.0)) is None
    assert ratio_at(start(request), ("ε = 1", 50.0), (PLAIN, 50.0)) is None


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ({0.0: LOW, 1.0: HIGH}, {0.0: HIGH, 1.0: LOW}, TO_SOURCE),
        ({0.0: HIGH, 1.0: LOW}, {0.0: LOW, 1.0: HIGH}, TO_TARGET),
        ({0.0: LOW, 1.0: HIGH}, {0.0: LOW, 1.0: HIGH}, SAME),
        ({0.0: VAGUE, 1.0: HIGH}, {0.0: HIGH, 1.0: LOW}, UNCLEAR),
        ({0.0: LOW, 1.0: HIGH}, {0.0: HIGH, 1.0: VAGUE}, UNCLEAR),
        ({0.0: LOW}, {0.0: HIGH, 1.0: LOW}, UNCLEAR),
    ],
)
def test_a_move_counts_where_both_curves_tell_the_shares_apart(first, second, told):
    assert move(first, second) == told
