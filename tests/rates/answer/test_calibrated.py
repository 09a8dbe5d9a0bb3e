"""The named mechanisms: a worked table, their constants, and what they refuse."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import rates
from rates.answer import Lens, SeriesConstants, solve_risk
from rates.study.scenario import DomainError, FederatedStudy, Server, Study, TransferStudy


def hospitals(epsilon: float, delta: float | None = 1e-6) -> TransferStudy:
    """Four hospitals under one budget; the sources are a little sharper than the target."""
    target, *sources = (
        Server(name=name, n=n, epsilon=epsilon, delta=delta, signal_exponent=1.0 if first else 0.8)
        for name, n, first in [
            ("Hungary", 142, True),
            ("Cleveland", 303, False),
            ("Long Beach", 141, False),
            ("Switzerland", 116, False),
        ]
    )
    return TransferStudy(target=target, sources=sources, smoothness=0.5, dimension=2, margin=1)


def curve(**fields: object) -> FederatedStudy:
    """Two sites, one of them unprotected."""
    private = {"name": "A", "n": 500, "epsilon": 2.0, "delta": 1e-6} | fields
    servers = [Server(**private), Server(name="B", n=40, epsilon=math.inf)]  # type: ignore[arg-type]
    return FederatedStudy(servers=servers, smoothness=1.5, integrability=4)


def test_series_variances_by_hand() -> None:
    # v K/n = C K^(-2 g) with g = 1: K^3 = C n/v; the noise of the integrated risk is
    # 4 tau^2 q (sigma K/n)^2, that of the risk at a point 8 tau^2 s^2 (K/(n epsilon))^2.
    series = SeriesConstants(overlap=3, spike=5, clip=7, variance=11, bias=13)
    free = FederatedStudy(servers=[Server(name="A", n=10**6, epsilon=math.inf)], smoothness=1)
    answer = rates.calibrated(free, series=series).integrated
    assert pytest.approx((13e6 / 11) ** (1 / 3), rel=1e-13) == answer.D
    noisy = Server(name="A", n=10**12, epsilon=1e-8, delta=2 * math.exp(-2))
    study = FederatedStudy(servers=[noisy], smoothness=1)
    answer = rates.calibrated(study, mechanism="printed", series=series)
    sigma = math.sqrt(4 * 2) / 1e-8
    gaussian = (13 / (4 * 49 * 3) * (1e12 / sigma) ** 2) ** 0.25
    laplace = (13 / (8 * 49 * 25) * 1e8) ** 0.25
    roots = [answer.integrated.D, answer.pointwise.D]
    assert roots == pytest.approx([gaussian, laplace], rel=1e-3)


@pytest.mark.parametrize("mechanism", ["printed", "analytic"])
def test_a_private_row_without_delta_is_refused(mechanism: str) -> None:
    rows = list(hospitals(1).servers)
    rows[2] = replace(rows[2], delta=None)
    with pytest.raises(DomainError) as refused:
        rates.calibrated(hospitals(1).with_servers(rows), mechanism=mechanism)  # type: ignore[call-overload]
    assert "needs delta for every private row" in str(refused.value)
    assert "Server 'Long Beach', field delta: got nothing" in str(refused.value)
    with pytest.raises(DomainError, match="Server 'A', field delta"):
        rates.calibrated(curve(delta=None), mechanism=mechanism)  # type: ignore[call-overload]


def test_rows_that_release_nothing_or_are_public_need_no_delta() -> None:
    assert rates.calibrated(hospitals(math.inf, None)).rate < 1
    for fields in ({"n": 0}, {"epsilon": 0.0}, {"epsilon": math.inf}):
        answer = rates.calibrated(curve(delta=None, **fields), mechanism="printed")
        assert all(note.key != "printed_noise" for note in answer.notes)
    pointwise = solve_risk(curve(delta=None), Lens(risk="pointwise").named)
    assert pointwise == rates.calibrated(curve()).pointwise


@pytest.mark.parametrize("mechanism", ["printed", "analytic"])
@pytest.mark.parametrize("fields", [{"n": 0}, {"epsilon": 0.0}])
def test_rows_without_information_change_nothing(mechanism: str, fields: dict[str, float]) -> None:
    study = hospitals(1)
    idle = replace(study.target, name="idle", signal_exponent=0.8, **fields)  # type: ignore[arg-type]
    base = rates.calibrated(study, mechanism=mechanism)  # type: ignore[call-overload]
    wider = rates.calibrated(study.with_servers([*study.servers, idle]), mechanism=mechanism)  # type: ignore[call-overload]
    assert wider.r == pytest.approx(base.r, rel=1e-13)
    assert wider.shares[-1] == 0
    assert wider.limited_by[-1] == "none"
    assert abs(wider.residual) < 1e-12
    alone = rates.calibrated(study.with_servers([replace(study.target, **fields)]))  # type: ignore[arg-type]
    assert alone.r == math.inf
    assert alone.rate == 1
    assert alone.bandwidth == 1
    assert alone.effective_n == 0


@pytest.mark.parametrize("kappa", [0, -1, math.inf, math.nan, True, "2"])
def test_kappa_must_be_positive_and_finite(kappa: object) -> None:
    with pytest.raises(DomainError, match="kappa must be positive and finite"):
        rates.calibrated(hospitals(1), kappa=kappa)  # type: ignore[call-overload]


@pytest.mark.parametrize("name", ["overlap", "spike", "clip", "variance", "bias"])
@pytest.mark.parametrize("value", [0, -2.0, math.inf, math.nan, False, None])
def test_series_constants_must_be_positive_and_finite(name: str, value: object) -> None:
    rule = f"The constant {name} must be positive and finite. Series constants, field {name}: got"
    with pytest.raises(DomainError, match=rule):
        SeriesConstants(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("study", "epsilon", "holds"),
    [
        (hospitals(1.0), 9.0, True),
        (hospitals(1.0), 10.0, False),
        (curve(), 20.0, True),
        (curve(), 50.0, False),
    ],
)
def test_note_on_printed_noise(study: Study, epsilon: float, holds: bool) -> None:
    loud = [replace(study.servers[0], epsilon=epsilon), *study.servers[1:]]
    study = study.with_servers(loud)
    notes = rates.calibrated(study, mechanism="printed").notes
    (note,) = (note for note in notes if note.key == "printed_noise")
    assert note.holds is holds
    assert (f"not (epsilon, delta)-private at {loud[0].name}" in note.text) != holds
    assert all(note.key != "printed_noise" for note in rates.calibrated(study).notes)
