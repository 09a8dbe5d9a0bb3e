"""What a script sends is checked as any other input: junk changes nothing, what is right does."""

from __future__ import annotations

import math

import pytest

from pages import overview
from pages.core import UrlState
from pages.pictures import attacker, machine
from pages.pictures import map as maps
from pages.pictures import sites as tap
from pages.regression import estimate
from tests.pages.pictures.test_map import PLANE
from tests.pages.plan.test_plan import STUDY

TAKES = {  # what takes a record, one that is right, and more that is none
    "attacker": (attacker.take, {"epsilon": 2.0, "seed": 3}, {"seed": 1.5}, {"study": "x"}),
    "sites": (overview.take, {"epsilon": 0.5}, {}),
    "tap": (
        lambda sent: tap.chosen(STUDY, "classification", sent),
        {"choice": 1},
        *({"choice": 1.5}, {"choice": 0}, {"epsilon": 2}),
    ),
    "machine": (
        lambda sent: machine.released(sent, estimate.STOPS),
        {"epsilon": estimate.STOPS[3]},
        {"epsilon": 0.33},
    ),
    "map": (
        lambda sent: maps.moved(PLANE, sent),
        {"x": 0.1, "y": 1.0},
        *({"m": 3}, {"y": 99.0}),
    ),
    "nine": (lambda sent: maps.chosen(sent, 9), {"nine": 8}, {"nine": 9}, {"nine": 0.5}),
}
WRONG = ("1", math.inf, math.nan, True, None, [1], 1e17, -1)


@pytest.mark.parametrize("name", TAKES)
def test_junk_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    changed: list[object] = []
    for method in ("change", "set"):
        monkeypatch.setattr(UrlState, method, lambda *_, **given: changed.append(given))
    take, right, *more = TAKES[name]
    wrong = [{key: value} for key in right for value in WRONG] + [one for one in more if one]
    junk = [{}, {"n": 3}, *({k: v for k, v in right.items() if k != key} for key in right)]
    for sent in (*junk, *({**right, **one} for one in wrong)):
        assert not take(sent), sent
        assert not changed, sent
    assert take(right) or changed
