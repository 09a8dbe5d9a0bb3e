"""Saturation and curves, large studies and extreme ones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from rates import plan as planning
from rates.answer import Lens
from rates.numbers.parameters import DomainError
from rates.study.presets import preset
from rates.study.scenario import FederatedStudy, Server, Study, TransferStudy
from tests.rates.plan.plan_cases import INF, fraction_with, random_site, random_study

UNEQUAL = preset("unequal").study
WAYS = [
    pytest.param({}, id="equation"),
    pytest.param({"mechanism": "analytic"}, id="mechanism"),
]


@pytest.mark.parametrize("way", WAYS)
def test_saturation_is_where_the_curve_is_flat(way: dict[str, Any]) -> None:
    rng = np.random.default_rng(8)
    flat = 0
    for _ in range(25):
        study = random_study(rng)
        private = [s.name for s in study.servers if s.private]
        for site in [*private[:1], "all"] if private else []:
            point = planning.saturation(study, "epsilon", site, lens=Lens(**way))
            values = [point.value * x for x in (0.8, 1.0, 1.2)] + [INF]
            if not 1e-6 < point.value < 1e6:
                continue
            curve = planning.lever_curve(study, "epsilon", site, values)
            y = curve.mechanism if way else curve.equation
            flat += 1
            if way and point.past:
                assert curve.mechanism[-1] * 1.05 > 1 - 1e-9
            elif way:
                assert y[1] == pytest.approx(1.05 * y[3], rel=1e-9)
                assert y[3] == pytest.approx(point.best)
            else:
                np.testing.assert_allclose(y[1:], y[3], rtol=1e-12)
                assert y[0] >= y[3]
                assert point.past == (y[3] > 1 - 1e-12)
    assert flat > 12
    for lever in ("n", "count"):
        assert planning.saturation(UNEQUAL, lever, "Day clinic", lens=Lens(**way)).value == INF


def test_curves_agree_with_the_solvers() -> None:
    rng = np.random.default_rng(11)
    for _ in range(8):
        study = random_study(rng)
        last = study.servers[-1].name
        j = len(study.servers) - 1
        kind = random_site(rng, "new", transfer=isinstance(study, TransferStudy))
        for lever, values in (("n", [0, 10, 1e5]), ("epsilon", [0.1, 3]), ("count", [1, 2.5])):
            curve = planning.lever_curve(study, lever, last, values)
            for k, value in enumerate(values):
                if len(study.servers) == 1 and value == 0:
                    assert math.isinf(curve.equation[k])
                    continue
                change = {(j, lever): float(value)}
                assert curve.equation[k] == pytest.approx(fraction_with(study, changes=change))
                assert curve.mechanism[k] == pytest.approx(
                    fraction_with(study, changes=change, mechanism=True)
                )
        curve = planning.lever_curve(study, "sites", "", [0, 4], kind=kind)
        assert curve.equation[0] == pytest.approx(1)
        assert curve.mechanism[1] == pytest.approx(
            fraction_with(study, extra=(kind, 4.0), mechanism=True)
        )
        if isinstance(study, TransferStudy) and j:
            curve = planning.lever_curve(study, "signal_exponent", last, [0.4, 2])
            change = {(j, "signal_exponent"): 0.4}
            assert curve.equation[0] == pytest.approx(fraction_with(study, changes=change))


def test_large_studies_keep_their_heaviest_rows() -> None:
    target = Server(name="T", n=100, epsilon=1, delta=1e-6)
    sources = [Server(name=f"s{k}", n=k + 1, epsilon=1, delta=1e-6) for k in range(9_999)]
    study = TransferStudy(target=target, sources=sources, smoothness=0.5, dimension=2, margin=1)
    table = planning.levers(study, 0.9, most=10)
    assert table.left_out == 9_990
    assert {x.site for x in table.levers} == {f"s{k}" for k in range(9_989, 9_999)}


def extreme(rng: np.random.Generator, name: str, *, transfer: bool, first: bool) -> Server:
    """A site of the kind that breaks programs."""
    n, epsilon, delta, gamma, count = (
        [0, 1, 10**15, 1000],
        [0, INF, 1e-300, 1e-8, 700.0, 1e12, 1.0],
        [None, 1e-300, 0.5, 1e-6],
        [1e-6, 1.0, 50.0, 1e6],
        [1, 3, 10**9],
    )

    def one(values: list[Any]) -> Any:
        return values[int(rng.integers(0, len(values)))]

    return Server(
        name=name,
        n=one(n),
        epsilon=one(epsilon),
        delta=one(delta),
        signal_exponent=one(gamma) if transfer and not first else 1.0,
        count=1 if first else one(count),
    )


@pytest.mark.deep
def test_extreme_studies_give_answers_or_sentences() -> None:
    rng = np.random.default_rng(99)
    answered = 0
    for k in range(20):
        transfer = bool(k % 2)
        rows = [extreme(rng, f"s{i}", transfer=transfer, first=i == 0) for i in range(3)]
        kind = extreme(rng, "kind", transfer=transfer, first=False)
        study: Study
        if not transfer:
            study = FederatedStudy(servers=rows, smoothness=[0.6, 2.0, 50.0][k % 3])
        else:
            study = TransferStudy(
                target=rows[0],
                sources=rows[1:],
                smoothness=[1e-3, 0.5, 1.0][k % 3],
                dimension=[1, 5, 1000][k // 3 % 3],
                margin=0,
            )
        fraction = [1e-200, 1e-9, 0.5, 0.999, 1 - 1e-12][k % 5]
        offers = [planning.Offer(what="sites", kind=kind, price=1, most=10**9)]
        offers += [
            planning.Offer(
                what="records" if i % 2 else "epsilon", site=s.name, price=10.0**i, most=1000
            )
            for i, s in enumerate(rows)
        ]
        questions = [
            lambda: planning.levers(study, fraction, kind=kind),  # noqa: B023
            lambda: planning.levers(study, fraction, lens=Lens(mechanism="printed")),  # noqa: B023
            lambda: planning.worth(study, lens=Lens(mechanism="analytic")),  # noqa: B023
            lambda: planning.site_values(study),  # noqa: B023
            lambda: planning.best_next(study, [kind]),  # noqa: B023
            lambda: planning.saturation(study, "epsilon"),  # noqa: B023
            lambda: planning.saturation(study, "epsilon", lens=Lens(mechanism="analytic")),  # noqa: B023
            lambda: planning.lever_curve(study, "n", "all", [0, 1, 1e9]),  # noqa: B023
            lambda: planning.cheapest(study, offers, fraction=fraction),  # noqa: B023
        ]
        for question in questions:
            try:
                question()
                answered += 1
            except (DomainError, planning.Unreachable) as error:
                assert 20 < len(str(error)) < 600  # noqa: PT017
    assert answered > 70


def test_a_rate_beyond_all_numbers_asks_for_infinitely_many_records() -> None:
    alike = FederatedStudy(servers=(Server(name="a", n=1, epsilon=1, delta=1e-9),), smoothness=1)
    aim = planning.Aim.of_rate(alike, 1e-300)
    assert aim.records(alike, Lens()) == math.inf


STRICT = TransferStudy(  # at Strict privacy binds, at Large the sample; Empty has a budget alone
    target=Server(name="Strict", n=1000, epsilon=0.01, delta=1e-6),
    sources=[
        Server(name="Large", n=2000, epsilon=5, delta=1e-6),
        Server(name="Empty", n=0, epsilon=1, delta=1e-6),
    ],
    smoothness=1,
    dimension=1,
    margin=0,
)


def test_what_binds_is_that_of_the_row_once_it_has_enough() -> None:
    with pytest.raises(planning.Unreachable, match="sampling binds Large"):
        planning.needed(STRICT, "epsilon", "Large", fraction=0.5)
    assert planning.saturation(STRICT, "count", "Large").binds == "sample"
    assert planning.saturation(STRICT, "n", "Strict").binds == "sample"  # with more, no longer


def test_a_row_without_records_can_have_some() -> None:
    found = planning.needed(STRICT, "n", "Empty", fraction=0.9, lens=Lens(mechanism="analytic"))
    assert found.best == 0.0  # nothing stops it
    curve = planning.lever_curve(STRICT, "n", "Empty", [0, found.value])
    assert curve.mechanism.tolist() == pytest.approx([1.0, 0.9], rel=1e-9)


def test_of_two_offers_at_a_row_what_does_more_counts() -> None:
    own = planning.base.basis(STRICT)
    offers = [
        planning.Offer(what=what, site="Strict", price=1.0, most=most)
        for what, most in (("records", 10.0), ("epsilon", 3.0))
    ]
    less, more = (planning.reach(own, [offer]) for offer in offers)
    assert more < less < own.u
    assert planning.reach(own, offers) == planning.reach(own, offers[::-1]) == more
