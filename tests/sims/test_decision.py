"""The decision on seven hospitals is right in its named world: by exact risks and by simulation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rates.decision import decide
from rates.study.codec import from_json
from sims.acc import Trial, excess_risks, lattice_risk, make_lattice
from sims.calibration import worlds_for
from sims.calibration.rivals import best
from sims.calibration.worlds import yardstick_of
from sims.engine import Estimate, generators

SEVEN = Path(__file__).parents[3] / "shared" / "audits" / "seven-hospitals.json"


@pytest.mark.deep
@pytest.mark.skipif(not SEVEN.exists(), reason="the study of seven hospitals is not beside")
def test_in_house_a_target_that_is_told_yes_errs_less_than_by_its_own_records():
    """Own records need no noise for oneself; who can stay out is missed by no one."""
    study = from_json(SEVEN.read_text(encoding="utf-8"))
    found = decide(study)
    assert found.verdict == "yes"
    world = worlds_for(study)["cusp 0.5"]
    stated = yardstick_of(world).study(study.servers)
    target, *others = stated.servers
    target = replace(target, epsilon=float("inf"))
    house = stated.with_servers([target, *others])
    own = stated.with_servers([target, *(replace(s, n=0) for s in others)])
    less = house.with_servers(
        [replace(s, n=0) if s.name in found.stay_out else s for s in house.servers]
    )
    exact, drawn = [], []
    for design in (house, own, less):
        pools = Trial(world=world, study=design).pools
        lattice = make_lattice(world, pools, best(world, pools).bandwidth)
        exact.append(lattice_risk(lattice))
        draws = generators(0, "decision", design.servers[0].name, indices=range(3000))
        drawn.append(excess_risks(lattice, draws))
    for risk, values in zip(exact, drawn, strict=True):
        low, high = Estimate.of(values).interval()
        assert low <= risk <= high
    assert found.stay_out
    assert exact[2] < 1.02 * exact[0]
    saved = Estimate.of(drawn[1]).mean - Estimate.of(drawn[0]).mean
    stderr = float(np.hypot(*(Estimate.of(v).stderr for v in drawn[:2])))
    assert abs(saved - (exact[1] - exact[0])) < 3 * stderr
    assert saved > 2 * stderr
