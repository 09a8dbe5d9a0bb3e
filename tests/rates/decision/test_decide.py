"""Every number of a decision is that of a separate solver, and the verdicts are those stated."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from rates.decision import decide, sentences
from rates.plan import LEVERS, scales
from rates.presets import PRESETS, preset
from rates.study import Study
from tests.depth import deep_after
from tests.rates.decision.decided import SMALL, agrees, best, biobank, moved, uses
from tests.rates.made import INF, changed, curve, site, transfer
from tests.rates.plan.plan_cases import random_site
from tests.rates.solved import plain

NAMED: dict[str, Study] = {
    "nearly alike": transfer(
        site("A", 500, INF),
        site("B", 500, INF),
        site("C", 900, 1),
        site("D", 900, 1, 1e-3),
        site("E", 900, 1, signal_exponent=1.5),
        site("F", 900, 1),
    ),
    **{p.key: p.study for p in PRESETS},
    **SMALL,
    **{f"biobank {gamma:g}": biobank(gamma) for gamma in (1, 4)},
}
FIRST = ("nearly alike", "hospitals", "unequal", "dominating", "180 and 220", "biobank 4")


@pytest.mark.parametrize("name", deep_after(6, sorted(NAMED, key=lambda x: x not in FIRST)))
def test_every_number_is_the_separate_solvers(name):
    for use in uses(NAMED[name]):
        for needed in (None, 250.0):
            agrees(decide(NAMED[name], use=use, needed=needed), levers=use != "each")


# Stated references ------------------------------------------------------------------------------


def test_fewer_than_thirty_records_are_no_yes_unless_a_need_says_so():
    few = SMALL["180 and 220"]
    assert decide(few, use="others").worth[1] < 30
    assert decide(few, use="others").verdict == "worth"
    assert decide(few, use="others", needed=2).verdict == "yes"
    two = transfer(site("A", 8, INF), site("B", 12, INF))
    assert decide(two).worth == pytest.approx((20, 20))
    assert decide(two).verdict == "no"
    assert decide(two, needed=15).verdict == "yes"


# What is easily mixed up ------------------------------------------------------------------------


def test_own_records_need_no_budget_and_no_delta_in_house():
    study = preset("hospitals").study
    bare = changed(study, 0, epsilon=0.01, delta=None)
    assert decide(bare).worth == pytest.approx(decide(study).worth)
    assert decide(bare).missing == ""
    assert decide(bare, use="others").missing == "Hungary"


def test_a_missing_delta_is_named_and_decides_nothing():
    bare = changed(preset("unequal").study, 2, delta=None)
    for use in uses(bare):
        for needed in (None, 50.0):
            found = decide(bare, use=use, needed=needed)
            assert (found.verdict, found.missing) == ("undecided", "County hospital")
            assert all(math.isnan(x) for x in (*found.worth, *found.free, found.stay_out_loss))
            assert found.equation > 0
            assert (found.tips, found.stay_out, found.doubling) == ((), (), None)
            (said,) = sentences(found)
            assert ("name", "County hospital") in said.pieces
    assert decide(bare, risk="pointwise").missing == ""


def test_of_many_alike_none_alone_is_needed_and_none_alone_is_doubled():
    rows = [site(f"S{k}", 500, 1) for k in range(24)]
    found = decide(curve(*rows))
    assert found.essential == found.stay_out == ()
    assert len(found.doubling.names) == 24
    together = decide(curve(replace(rows[0], count=24)))
    assert together.essential == ("S0",)
    assert together.doubling.gain == pytest.approx(found.doubling.gain)
    agrees(found)
    agrees(decide(curve(*rows[:19])))  # 5.3% of the sum each


@pytest.mark.parametrize("seed", deep_after(1, (121, *range(20))))
def test_turning_points_of_many_users_are_those_of_all(seed):
    rng = np.random.default_rng(seed)
    rows = [random_site(rng, f"s{k}", transfer=False) for k in range(int(rng.integers(13, 30)))]
    study = curve(*rows, alpha=float(rng.uniform(0.8, 2)))
    pool = decide(study, use="others").worth[0]
    crowd = [
        replace(s, n=max(1, int(pool * 10 ** rng.uniform(-1, 0.3)))) if rng.uniform() < 0.4 else s
        for s in rows
    ]
    study = study.with_servers(crowd)
    found = decide(study, use="each", needed=pool * float(rng.uniform(0.7, 2.5)))
    agrees(found, levers=False)
    p, asked = plain(study), ("each", found.needed, found.factor)
    for name, low, high in found.ranges:
        if not any(tip.parameter == name for tip in found.tips):
            for value in (low, high):
                assert best(moved(p, study, name, value), *asked) == found.verdict


@pytest.mark.parametrize("seed", deep_after(2, range(20)))
def test_many_users_of_every_kind_are_the_separate_solvers(seed):
    """Of many users one table solves: with empty, silent and open rows, and rows of many."""
    rng = np.random.default_rng(seed)
    rows = [random_site(rng, f"s{k}", transfer=False, most=20) for k in range(25)]
    odd = [
        replace(rows[0], name="empty", n=0),
        replace(rows[1], name="silent", epsilon=0.0),
        replace(rows[2], name="open", epsilon=INF, count=3),
        replace(rows[3], name="empty and open", n=0, epsilon=INF),
        replace(rows[4], name="phones", n=1, count=10**6),
    ]
    agrees(decide(curve(*rows, *odd, alpha=float(rng.uniform(0.8, 3)))), levers=False)


def test_levers_aim_at_a_need_else_at_half_of_what_privacy_costs():
    study = preset("hospitals").study
    assert decide(study, use="others").levers == scales(study)
    below = decide(study, needed=150)  # what pays is more: 1.25 times its own 142
    assert below.aim == 177.5
    assert below.levers == decide(study, needed=177.5).levers


def test_a_factor_at_the_end_of_the_search_is_none_that_is_told():
    found = decide(preset("hospitals").study, use="others")
    for part, told in ((0.999, True), (1, False)):
        lever = replace(found.levers[0], high=part * LEVERS["epsilon"].most)
        (said,) = (x for x in sentences(replace(found, levers=(lever,))) if x.key == "take")
        assert (LEVERS["epsilon"].grown in said.text) == told


def test_a_signal_as_weak_as_numbers_go_is_as_good_as_none():
    """Times another smoothness it was beyond all numbers."""
    faint, none = (
        decide(transfer(site("A", 500, 1), site("B", 5000, 1, signal_exponent=gamma)))
        for gamma in (1.7e308, 1e9)
    )
    assert faint.verdict == none.verdict
    assert [tip.parameter for tip in faint.tips] == [tip.parameter for tip in none.tips] != []
