"""The runs that the ledger's claims on figures and worlds rest on: one rule, and repeatable."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from rates.ledger import check, entries
from rates.ledger.functions import simulations as stored
from tests.golden import make_simulations as script

ROOT = Path(__file__).resolve().parents[3]
CLAIMS = [(run, claim) for run, entry in stored.runs().items() for claim in entry["claims"]]
OURS = [one for one in entries() if one.paper == "ACC" and one.simulated]


def test_a_claim_is_refuted_where_a_row_of_its_own_stands_outside_the_noise():
    words = {one.id.rpartition(":")[2]: check(one)[0].words for one in OURS}
    refuted = {name for name, verdict in words.items() if verdict == "not reproduced in our runs"}
    assert refuted == {
        *("histogram", "histogram-adaptive", "gap", "cost", "triangular"),
        *("servers-cost", "servers-kernels", "homogeneous"),
    }
    assert set(words) - refuted == {
        *("transfer", "gain", "budget", "servers", "servers-exponent", "one-world"),
        *("rises", "target-worst", "samples-best", "large-budgets", "level"),
    }
    assert all(one.forms == ("printed",) for one in OURS)


def means(run: str, claim: str) -> dict[str, float]:
    """Return the stored means of a claim by where they stand."""
    return {where: mean for where, mean, _ in stored.runs()[run]["claims"][claim]}


def test_the_words_on_the_hospitals_and_on_growing_servers_are_computed():
    why = {item.id.partition(":")[2]: item.why for item in OURS}
    for run in stored.CHOICES:
        level = means(run, "level")
        accuracy, f1 = (level[f"{name} above {x}%"] for name, x in (("accuracy", 80), ("F1", 72)))
        assert f"{80 + 100 * accuracy:.1f}% and {72 + 100 * f1:.1f}%" in why["Sec6.2:level"]
    worst = [-min(means(run, "homogeneous-worse").values()) for run in stored.CHOICES]
    words = f"by {100 * min(worst):.1f} to {100 * max(worst):.1f} points at ε = 0.5 or 1"
    assert words in why["Sec6.2:homogeneous"]
    for theorem, loose in (("5.1", "ε = 4"), ("5.3", "ε = 2")):
        bound = means(f"growth-{theorem}", "bound")
        for series in (loose, "ε = 8 n^(-1/3)"):
            ratios = [1 - x for where, x in bound.items() if where.endswith(f", {series}")]
            said = f"{min(ratios):.2f} to {max(ratios):.2f}"
            assert said in why[f"Thm{theorem}:one-world"], said


def test_the_settings_stored_are_those_of_the_script():
    made = script.RUNS
    assert list(made) == list(stored.runs())
    for name, (experiment, values, replicates) in made.items():
        entry = stored.runs()[name]
        assert (entry["experiment"], entry["values"]) == (experiment, values)
        assert (entry["replicates"], entry["seed"]) == (replicates, 0)


def test_a_choice_that_speaks_for_a_claim_is_enough(monkeypatch):
    """What the paper leaves open is not held against it: all choices have to speak against."""
    test = stored.TESTS["heart_homogeneous"]
    honest = stored.rows

    def gaps(good: set[str]):
        def rows(run, claim):
            mean, stderr, width = honest(run, claim)
            return (mean + 0.1 * (run in good), stderr, width)

        monkeypatch.setattr(stored, "rows", rows)
        return test.gap(test.draw(None, 1), "printed")

    one, *_ = stored.CHOICES
    assert [x > 0 for x in gaps(set())] == [True] * 4
    assert [x > 0 for x in gaps({one})] == [False]
    assert [x > 0 for x in gaps(set(stored.CHOICES))] == [False] * 4


@pytest.mark.deep
def test_the_hospitals_made_again_are_the_stored_ones():
    if not script.HEART.is_dir():
        pytest.skip(f"no {script.HEART} beside the repository")
    made, _ = script.made("hospitals-triangular-e")
    assert made == stored.runs()["hospitals-triangular-e"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "run", ["figure-3", "figure-4", "figure-4-unsplit", "figure-5", "growth-5.1", "growth-5.3"]
)
def test_a_run_made_again_with_fewer_replicates(run):
    """Same seed and pilot: means within 4 standard errors of the difference of nested samples."""
    entry, _ = script.made(run, 20)
    for claim, rows in entry["claims"].items():
        before = {
            where: (mean, stderr) for where, mean, stderr in stored.runs()[run]["claims"][claim]
        }
        for where, mean, stderr in rows:
            old, error = before[where]
            assert abs(mean - old) <= 5 * math.hypot(stderr, error) + 1e-4, (claim, where)
