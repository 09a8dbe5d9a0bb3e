"""A constant from a pilot's records: near the truth, repeatable, and refused where it must be."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from rates import Server, TransferStudy
from rates.numbers.parameters import DomainError
from rates.study.presets import preset
from rates.study.scope import Scope
from sims.acc.worlds import Cusp
from sims.calibration.calibration import risk_of
from sims.calibration.pilot import calibrate_pilot
from tests.rates.fit.test_elicit import pilot_text
from tests.same import same

TRUTH = 2.2  # of the asymmetric cusp without noise, by exact formula
ROW = Server(name="target", n=900, epsilon=math.inf)
STUDY = TransferStudy(target=ROW, smoothness=1.0, dimension=1, margin=1.0)


def cusp_pilot(records: int, seed: int = 0, dimension: int = 1) -> str:
    """Records of the asymmetric cusp."""
    world, rng = Cusp(dimension=dimension), np.random.default_rng(seed)
    x = rng.random((records, dimension))
    y = rng.random(records) < 0.5 + world.signal(x)
    head = ",".join(f"x{k}" for k in range(dimension)) + ",ill\n"
    rows = [",".join(f"{v:.6f}" for v in row) for row in x]
    return head + "\n".join(f"{row},{int(b)}" for row, b in zip(rows, y, strict=True))


def test_the_constant_of_a_known_world_is_found_and_repeats():
    data = cusp_pilot(4000)
    found = calibrate_pilot(STUDY, data)
    assert found.accepted, found.refusal
    assert same(found, calibrate_pilot(STUDY, data.encode()))
    assert found.constant.low <= TRUTH <= found.constant.high
    assert found.constant.high < 3 * found.constant.low
    assert "Not private" in found.note
    assert found.seed == 0
    told = risk_of(found, STUDY)
    assert told.refusal == ""
    assert told.low < told.value < told.high


def test_a_pilot_of_noise_settles_nothing():
    rng = np.random.default_rng(3)
    rows = [
        f"{x:.4f},{int(y)}" for x, y in zip(rng.random(4000), rng.random(4000) < 0.5, strict=True)
    ]
    found = calibrate_pilot(STUDY, "x,ill\n" + "\n".join(rows))
    assert "does not settle the constant" in found.refusal
    assert math.isnan(risk_of(found, STUDY).value)


def test_small_pilots_other_covariates_and_studies_outside_are_refused():
    assert "Too few points" in calibrate_pilot(STUDY, cusp_pilot(200)).refusal
    plane = replace(STUDY, dimension=2)
    assert "1 covariates, the study 2" in calibrate_pilot(plane, cusp_pilot(200)).refusal
    hospitals = preset("hospitals")
    found = calibrate_pilot(hospitals.study, pilot_text(200), scope=hospitals.scope)
    assert "outside the theory" in found.refusal
    volunteers = Scope(answers=(("outcome", "binary"), ("target", "one"), ("protection", "hybrid")))
    found = calibrate_pilot(STUDY, pilot_text(200), scope=volunteers)
    assert "its rate is that of [ACC]" in found.refusal


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (pilot_text(20), "50 to 10,000 rows"),
        ("x,ill\n" + "\n".join(f"{k},1" for k in range(80)), "both labels"),
    ],
)
def test_a_pilot_that_is_none_is_refused_by_name(data, message):
    with pytest.raises(DomainError, match=message):
        calibrate_pilot(STUDY, data)
