"""Levers over ranges: the ends are attained at points inside, and no range gives one point."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rates.answer import Lens
from rates.numbers.parameters import DomainError
from rates.plan import levers_table as planning
from rates.study.presets import preset
from rates.study.scenario import Server, TransferStudy
from rates.study.scope import Scope

HOSPITALS = preset("hospitals").study
UNEQUAL = preset("unequal").study


def known(study: Any) -> Scope:
    """A scope that leaves nothing open."""
    if isinstance(study, TransferStudy):
        return Scope(
            smoothness=(study.smoothness,) * 2,
            margin=(study.margin,) * 2,
            signal=tuple((s.name, (s.signal_exponent,) * 2) for s in study.sources),
        )
    return Scope(smoothness=(study.smoothness,) * 2, integrability=(study.integrability,) * 2)


@pytest.mark.parametrize(
    ("study", "risk"),
    [(HOSPITALS, None), (UNEQUAL, "integrated"), (UNEQUAL, "pointwise")],
)
@pytest.mark.parametrize("mechanism", [None, "analytic"])
def test_without_open_parameters_the_range_is_the_answer(
    study: Any, risk: Any, mechanism: Any
) -> None:
    how = {"fraction": 0.9, "lens": Lens(risk=risk, mechanism=mechanism)}
    name = study.servers[0].name
    found = planning.needed_range(study, known(study), "n", name, kappas=(2.0,), draws=5, **how)
    alone = planning.needed(study, "n", name, **how).value
    assert (found.low, found.high) == (pytest.approx(alone), pytest.approx(alone))
    band = planning.curve_range(
        study, known(study), "n", name, [50, 5000], kappas=(2.0,), draws=5, lens=Lens(risk=risk)
    )
    curve = planning.lever_curve(study, "n", name, [50, 5000], lens=Lens(risk=risk))
    for got in (band.equation_low, band.equation_high):
        np.testing.assert_allclose(got, curve.equation, rtol=1e-9)
    for got in (band.mechanism_low, band.mechanism_high):
        np.testing.assert_allclose(got, curve.mechanism, rtol=1e-9)


def test_ranges_hold_every_point_inside_that_was_tried() -> None:
    scope = Scope(smoothness=(0.4, 0.9), margin=(0.5, 1.5))
    found = planning.needed_range(HOSPITALS, scope, "n", "Cleveland", multiple=2)
    assert found.reached == 1
    for beta, alpha in ((0.4, 0.5), (0.9, 0.5), (0.4, 1.5), (0.9, 1.5)):
        for gamma in (0.5, 2.0):
            servers = [replace(s, signal_exponent=gamma) for s in HOSPITALS.sources]
            point = TransferStudy(
                target=HOSPITALS.target,
                sources=servers,
                smoothness=beta,
                margin=alpha,
                dimension=HOSPITALS.dimension,
            )
            fraction = planning.fraction_of_sample(point, 2)
            value = planning.needed(point, "n", "Cleveland", fraction=fraction).value
            # Corners that were not tried may lie beyond, but not far.
            assert found.low / 1.5 <= value <= found.high * 1.5
    more = planning.needed_range(HOSPITALS, scope, "n", "Cleveland", multiple=2, draws=80)
    assert more.low <= found.high
    assert more.points == 87


def test_what_is_out_of_reach_somewhere_has_no_upper_end() -> None:
    found = planning.needed_range(HOSPITALS, Scope(), "epsilon", "all", fraction=0.5, draws=6)
    assert found.reached < 1
    assert found.high == np.inf
    named = planning.needed_range(
        HOSPITALS, Scope(), "epsilon", "all", fraction=0.5, draws=6, lens=Lens(mechanism="analytic")
    )
    assert named.reached > found.reached
    assert named.points == 3 * found.points
    kind = Server(name="more", n=500, epsilon=1, delta=1e-6)
    sites = planning.needed_range(UNEQUAL, Scope(), "sites", fraction=0.5, kind=kind)
    assert sites.site == "more"
    assert 0 < sites.low < sites.high < np.inf


def test_arguments_are_checked() -> None:
    with pytest.raises(DomainError, match="either a fraction"):
        planning.needed_range(HOSPITALS, Scope(), "n")
    with pytest.raises(DomainError, match="either a fraction"):
        planning.needed_range(HOSPITALS, Scope(), "n", fraction=0.5, multiple=2)
    with pytest.raises(DomainError, match="draws"):
        planning.needed_range(HOSPITALS, Scope(), "n", fraction=0.5, draws=-1)
    with pytest.raises(DomainError, match="need a kind"):
        planning.needed_range(HOSPITALS, Scope(), "sites", fraction=0.5)
