"""A lever is one record: in the table, the curve, the answer, mixes, splits and factors."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import rates
from rates.__main__ import main
from rates.answer import Lens
from rates.numbers import solve_log
from rates.plan import (
    LEVERS,
    Change,
    Offer,
    cheapest,
    lever_curve,
    levers,
    needed,
    saturation,
    scale_curve,
    scales,
)  # fmt: skip
from rates.plan.base import basis
from rates.presets import preset
from rates.split import frontier, split
from rates.study import codec
from tests.house.toy_lever import TOY

HOSPITALS = preset("hospitals").study


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Change]:
    monkeypatch.setitem(LEVERS, "visits", TOY)
    return TOY


def test_a_toy_lever_is_in_the_table_the_curve_and_the_answer(toy: Change) -> None:
    lone = HOSPITALS.with_servers([HOSPITALS.servers[0]]).unprotected()
    record = needed(lone, "visits", lone.servers[0].name, fraction=0.5)
    n = needed(lone, "n", lone.servers[0].name, fraction=0.5)
    assert record.value == pytest.approx(n.value / lone.servers[0].n, rel=1e-9)  # no privacy: as n
    table = levers(HOSPITALS, 0.9)
    rows = [row for row in table.levers if row.lever == "visits"]
    assert len(rows) == len(HOSPITALS.servers)
    for row in rows:
        assert "visits" in row.sentence
        if row.mechanism and row.mechanism.reached:
            again = lever_curve(HOSPITALS, "visits", row.site, [1.0, row.mechanism.value]).mechanism
            assert again.tolist() == pytest.approx([1.0, 0.9], rel=1e-9)
        else:
            assert row.mechanism
            assert "with any number of visits" in row.mechanism.reason
    point = saturation(HOSPITALS, "visits", "Cleveland")
    assert (math.isinf(point.value), point.rule[:4]) == (False, "From")


def test_a_toy_lever_is_on_the_command_line(toy: Change, tmp_path: Path, capsys) -> None:
    file = tmp_path / "study.json"
    file.write_text(codec.to_json(HOSPITALS.unprotected()))
    asked = ["plan", str(file), "--fraction", "0.9", "--quantity", "visits"]
    assert main([*asked, "--servers", "Cleveland", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["value"] > 1
    assert "Cleveland needs visits = " in found["text"]


BY_MECHANISM = Lens(mechanism="analytic")


def with_visits(site: str, times: float) -> float:
    """The rate with a site's visits multiplied, over today's."""
    return float(lever_curve(HOSPITALS, "visits", site, [times]).mechanism[0])


def test_a_toy_lever_is_bought_split_and_grown_by_a_factor(toy: Change) -> None:
    offers = [
        Offer(what="visits", site="Cleveland", price=5.0, most=9.0),
        Offer(what="epsilon", site="Cleveland", price=1e4, most=9.0),
    ]
    mix = cheapest(HOSPITALS, offers, fraction=0.995, lens=BY_MECHANISM)
    (bought,) = mix.purchases
    assert (bought.what, mix.cost) == ("visits", pytest.approx(5.0 * bought.amount))
    assert with_visits("Cleveland", 1.0 + bought.amount) == pytest.approx(0.995, rel=1e-6)
    line = frontier(HOSPITALS, offers[:1], lens=BY_MECHANISM, points=2)
    assert line.points[0].mix.cost < line.points[1].mix.cost
    with pytest.raises(rates.DomainError, match="must be sites, records, epsilon or visits"):
        Offer(what="luck", site="Cleveland", price=1.0, most=1.0)

    found = split(HOSPITALS, "visits", 8.0, least=[1.0] * 4, most=[3.0] * 4, lens=BY_MECHANISM)
    assert sum(found.amounts) == pytest.approx(8.0)
    assert found.effective_n >= found.even > found.now
    by_hand = [x for x in product(np.linspace(1, 3, 5), repeat=4) if sum(x) == 8.0]
    own = basis(HOSPITALS, BY_MECHANISM)
    roots = solve_log(toy.change(own, np.array(by_hand)))
    best = float(own.equation.effective_n(roots).max())
    assert best <= found.effective_n * (1.0 + found.gap)

    (grown,) = (x for x in scales(HOSPITALS, multiple=1.1) if x.quantity == "visits")
    curve = scale_curve(HOSPITALS, "visits", [1.0, grown.equation])
    assert curve.equation[1] == pytest.approx(1.1 * curve.equation[0])
