"""The named mechanisms: a worked table, their constants, and what they refuse."""

from __future__ import annotations

import math

import pytest

import rates
from rates.answer import Lens, SeriesConstants, solve_risk
from rates.numbers import DomainError
from rates.study import preset
from tests.rates.made import INF, changed, curve, site, transfer

HOSPITALS = preset("hospitals").study
CURVE = curve(site("A", 500, 2), site("B", 40, INF, None), p=4)
BOTH = pytest.mark.parametrize("mechanism", ["printed", "analytic"])


def test_series_variances_by_hand():
    # v K/n = C K^(-2 g) with g = 1: K^3 = C n/v; the noise of the integrated risk is
    # 4 tau^2 q (sigma K/n)^2, that of the risk at a point 8 tau^2 s^2 (K/(n epsilon))^2.
    series = SeriesConstants(overlap=3, spike=5, clip=7, variance=11, bias=13)
    free = curve(site("A", 10**6, INF), alpha=1)
    answer = rates.calibrated(free, series=series).integrated
    assert pytest.approx((13e6 / 11) ** (1 / 3), rel=1e-13) == answer.D
    study = curve(site("A", 10**12, 1e-8, 2 * math.exp(-2)), alpha=1)
    answer = rates.calibrated(study, mechanism="printed", series=series)
    sigma = math.sqrt(4 * 2) / 1e-8
    gaussian = (13 / (4 * 49 * 3) * (1e12 / sigma) ** 2) ** 0.25
    laplace = (13 / (8 * 49 * 25) * 1e8) ** 0.25
    roots = [answer.integrated.D, answer.pointwise.D]
    assert roots == pytest.approx([gaussian, laplace], rel=1e-3)


@BOTH
def test_a_private_row_without_delta_is_refused(mechanism):
    for study, row, name in ((HOSPITALS, 2, HOSPITALS.servers[2].name), (CURVE, 0, "A")):
        with pytest.raises(DomainError, match="needs delta for every private row") as refused:
            rates.calibrated(changed(study, row, delta=None), mechanism=mechanism)
        assert f"Server '{name}', field delta: got nothing" in str(refused.value)


def test_rows_that_release_nothing_or_are_public_need_no_delta():
    for fields in ({"n": 0}, {"epsilon": 0.0}, {"epsilon": INF}):
        answer = rates.calibrated(changed(CURVE, 0, delta=None, **fields), mechanism="printed")
        assert all(note.key != "printed_noise" for note in answer.notes)
    pointwise = solve_risk(changed(CURVE, 0, delta=None), Lens(risk="pointwise").named)
    assert pointwise == rates.calibrated(CURVE).pointwise


@BOTH
@pytest.mark.parametrize("fields", [{"n": 0}, {"epsilon": 0.0}])
def test_rows_without_information_change_nothing(mechanism, fields):
    rows, idle = HOSPITALS.servers, site(**{"name": "idle"} | fields)
    wider = HOSPITALS.with_servers([*rows, idle])
    answer, base = (rates.calibrated(study, mechanism=mechanism) for study in (wider, HOSPITALS))
    assert answer.r == pytest.approx(base.r, rel=1e-13)
    assert (answer.shares[-1], answer.limited_by[-1]) == (0, "none")
    assert abs(answer.residual) < 1e-12
    alone = rates.calibrated(transfer(site(**fields)))
    assert (alone.r, alone.rate, alone.bandwidth, alone.effective_n) == (INF, 1, 1, 0)


@pytest.mark.parametrize("value", [0, -2.0, INF, math.nan, True, None, "2"])
def test_constants_must_be_positive_and_finite(value):
    with pytest.raises(DomainError, match="kappa must be positive and finite"):
        rates.calibrated(HOSPITALS, kappa=value)
    for name in ("overlap", "spike", "clip", "variance", "bias"):
        rule = f"The constant {name} must be positive and finite. Series constants, field {name}"
        with pytest.raises(DomainError, match=rule):
            SeriesConstants(**{name: value})


@pytest.mark.parametrize(("study", "low", "high"), [(HOSPITALS, 9.0, 10.0), (CURVE, 20.0, 50.0)])
def test_note_on_printed_noise(study, low, high):
    for epsilon, holds in ((low, True), (high, False)):
        loud = changed(study, 0, epsilon=epsilon)
        (note,) = (
            note
            for note in rates.calibrated(loud, mechanism="printed").notes
            if note.key == "printed_noise"
        )
        words = f"not (epsilon, delta)-private at {loud.servers[0].name}"
        assert (note.holds, words in note.text) == (holds, not holds)
        assert all(note.key != "printed_noise" for note in rates.calibrated(loud).notes)
