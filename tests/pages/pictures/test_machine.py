"""The noise machine: its numbers are the engine's, and junk from its script changes nothing."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from pages.core.live import from_text
from pages.regression import estimate
from tests.pages.driver import open_page, picture_data


def of(run: str = ""):  # type: ignore[no-untyped-def]
    """What the page sends for a link, and the releases behind it."""
    data = picture_data(open_page("regression", tab="estimate", run=run), "machine")
    return data, estimate.TAB.make(from_text(run, estimate.TAB.usual))


@pytest.mark.parametrize(
    "run",
    [
        *("", "held:best;epsilon:0.1", "m:12;sizes:alike;epsilon:0.37"),
        "epsilon:inf;curve:doppler;n:1000000;m:2",
    ],
)
def test_what_the_script_gets_is_the_engine_s(run):
    data, found = of(run)
    stop, look = data["stops"][data["at"]], found.look
    kind, K = data["kinds"][stop["kind"]], look.plan.dimension
    clean, path = np.array(kind["clean"]), np.array(data["path"])[..., :K]
    released = clean + np.array(stop["scale"])[:, None] * path
    size = np.abs(look.released).max()
    np.testing.assert_allclose(released, look.released, atol=1e-4 * (1 + size))
    points = len(data["truth"])
    x = (np.arange(points) + 0.5) / points
    theta = np.array(stop["weight"]) @ released[3]
    drawn = [
        sum(theta[int(k)] * value for k, value in zip(row[::2], row[1::2], strict=True))
        for row in kind["touched"]
    ]
    np.testing.assert_allclose(drawn, look.curves(look.merged[3], x), atol=2e-3 * (1 + size))
    np.testing.assert_allclose(stop["miss"], np.sqrt(look.losses))
    assert sum(stop["weight"]) == pytest.approx(1.0)
    assert len(data["sites"]) == len(look.plan.n) <= 5
    assert stop["cause"] == look.plan.cause
    assert len(json.dumps(data, allow_nan=False)) < 1_000_000


def test_the_seed_stays_while_the_budget_moves():
    looks = of()[1].looks
    one, other = looks[1.0], looks[0.1]
    np.testing.assert_allclose(one.clean, other.clean)
    np.testing.assert_allclose(one.path, other.path)
    assert other.scale == pytest.approx(10 * one.scale)
    changed = estimate.TAB.make(replace(estimate.TAB.usual, seed=1)).looks[1.0]
    assert np.abs(changed.path - one.path).min() > 0


def test_what_is_promised_is_said_at_every_budget():
    notes = [stop["note"] for stop in of()[0]["stops"]]
    assert all("(ε, δ = 1e-5)-differentially private, one record" in note for note in notes[:-1])
    assert notes[-1] == "Simulation, seed 0. Nothing is protected."
    data, _ = of("epsilon:100;noise:tight")
    assert "Less private than asked" in data["stops"][data["at"]]["note"]
