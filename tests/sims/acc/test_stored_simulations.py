"""The runs that the ledger's claims on figures and worlds rest on: one rule, and repeatable."""

from __future__ import annotations

import pytest

from rates.ledger import check, entries
from rates.ledger.functions import simulations as stored
from tests.golden import make_simulations as script

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


def test_the_settings_stored_are_those_of_the_script():
    assert list(script.RUNS) == list(stored.runs())
    parts = ("experiment", "values", "replicates", "seed")
    found = [tuple(entry[part] for part in parts) for entry in stored.runs().values()]
    assert found == [(*row, 0) for row in script.RUNS.values()]


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
