"""The decision on seven hospitals is right in its named world: by exact risks and by simulation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rates.decision import decide, sentences
from rates.study.codec import from_json
from sims.classification import excess_risks, lattice_risk, make_lattice
from sims.engine import Estimate, generators
from sims.fit import worlds_for
from sims.fit.classifier_rivals import best, site_pools
from sims.fit.worlds import yardstick_of

SEVEN = Path(__file__).parents[3] / "shared" / "audits" / "seven-hospitals.json"


@pytest.mark.deep
@pytest.mark.skipif(not SEVEN.exists(), reason="the audit's study is not beside the project")
def test_joining_beats_the_best_site_alone_by_the_stated_errors():
    """The page says 21.8 avoidable errors in 10,000 together and 23.1 with National alone."""
    study = from_json(SEVEN.read_text(encoding="utf-8"))
    found = decide(study)
    assert found.run.yes
    alone = study.servers[found.run.best].name
    assert alone == "National"
    assert f"times {alone} alone" in sentences(found)[0].text
    world = worlds_for(study)["cusp 0.5"]
    own = yardstick_of(world).study(study.servers)
    lone = own.with_servers([s if s.name == alone else replace(s, n=0) for s in own.servers])
    exact, drawn = [], []
    for design in (own, lone):
        pools = site_pools(design)
        at = best(world, pools)
        lattice = make_lattice(world, pools, at.bandwidth)
        exact.append(lattice_risk(lattice))
        draws = generators(0, "decision", design.servers[0].name, indices=range(3000))
        drawn.append(excess_risks(lattice, draws))
    assert [round(1e4 * x, 1) for x in exact] == [21.8, 23.1]
    for risk, values in zip(exact, drawn, strict=True):
        low, high = Estimate.of(values).interval()
        assert low <= risk <= high
    saved = Estimate.of(drawn[1]).mean - Estimate.of(drawn[0]).mean
    stderr = float(np.hypot(*(Estimate.of(v).stderr for v in drawn)))
    assert abs(saved - (exact[1] - exact[0])) < 3 * stderr
    assert saved > 2 * stderr
