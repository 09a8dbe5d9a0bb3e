"""A study's own map: labels are those of `rates.solve`, ends along rows are exact, areas add up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import rates
from rates import DomainError, Server, TransferStudy
from rates.answer import Lens
from rates.maps import TRIVIAL, Axis, Label, Moved, around, choices, standing, study_map, usual
from rates.maps.moved import Ground
from rates.maps.row_cells import codes_at, exact, located
from rates.plan import LEVERS
from rates.presets import preset
from rates.study import Study
from tests.depth import deep_after
from tests.house.toy_lever import TOY
from tests.rates.made import INF, changed, curve, part, site, transfer
from tests.rates.pieces.forms import inside
from tests.rates.plan.plan_cases import random_study

MECHANISM = Lens(mechanism="analytic")
MIXED = transfer(
    site("T", 30_000, 0.05, 1e-7),
    site("A", 400_000, 0.02, 1e-8, signal_exponent=1.7),
    site("B", 90_000, 0.4, 1e-8, signal_exponent=2.2, count=4),
    site("C", 5_000, INF, signal_exponent=0.8),
    site("D", 0),
    beta=0.7,
)
CURVE = curve(
    site("A", 200_000, 0.02, 1e-8),
    site("B", 80_000, 0.1, 1e-8, count=3),
    site("C", 30_000, INF),
    p=4,
)


def moved_to(study: Study, *places: tuple[Moved, float]) -> Study:
    """The study with its numbers changed by hand: factors first, whole where they must be."""
    rows = [{} for _ in study.servers]
    held = {(moved.quantity, moved.row) for moved, _ in places if moved.row is not None}
    for moved, at in sorted(places, key=lambda place: place[0].row is not None):
        q = moved.quantity
        for k, server in enumerate(study.servers):
            if moved.row == k:
                rows[k][q] = at
            elif moved.row is None and (q, k) not in held:
                target = k == 0 and isinstance(study, TransferStudy)
                if q == "n" or (q == "epsilon" and server.private) or (q == "count" and not target):
                    rows[k][q] = getattr(server, q) * at
    whole = [{q: round(v) if q in ("n", "count") else v for q, v in row.items()} for row in rows]
    return study.with_servers(
        [replace(s, **row) for s, row in zip(study.servers, whole, strict=True)]
    )


def told(study: Study, lens: Lens) -> Label:
    """Who carries, by the public functions."""
    found = rates.calibrated(study) if lens.mechanism else rates.solve(study)
    found = part(found, lens.risk or study.risks[0])
    if found.rate == 1.0:
        return TRIVIAL
    row = found.shares.index(max(found.shares))
    return Label(row, found.limited_by[row])


def labels_at(found, x: float, y: float) -> set[Label]:
    """The labels of the polygons around a point."""
    logs = found.x.moved.log, found.y.moved.log
    return {
        label
        for label, polygons in found.regions.items()
        if any(inside(p, x, y, *logs) for p in polygons)
    }


def many(study: Study) -> Study:
    """The study with thousands of sites in each row but the target's."""
    lone = isinstance(study, TransferStudy)
    rows = [s if lone and not k else crowd(s) for k, s in enumerate(study.servers) if s.n]
    return study.with_servers(rows)


def crowd(s: Server) -> Server:
    return replace(s, n=max(1, s.n // 50), count=5000)


CASES = [
    *((MIXED, x, y, Lens()) for x, y in [("epsilon_all", "n_1"), ("n_all", "signal_exponent_3")]),
    (MIXED, "count_3", "n_all", Lens()),
    (MIXED, "epsilon_all", "epsilon_3", Lens()),
    (many(MIXED), "epsilon_1", "count_all", Lens()),
    (CURVE, "epsilon_all", "n_3", Lens()),
    (many(CURVE), "n_1", "count_all", Lens(risk="pointwise")),
]
DEEP = [
    (CURVE, "n_all", "epsilon_1", replace(MECHANISM, risk="pointwise")),
    (MIXED, "signal_exponent_2", "epsilon_all", MECHANISM),
]


@pytest.mark.parametrize(("study", "x", "y", "lens"), deep_after(4, CASES + DEEP))
def test_labels_inside_are_those_of_solve(study, x, y, lens):
    axes = [around(study, Moved.of(text)) for text in (x, y)]
    found = study_map(study, *axes, lens)
    assert sum(found.areas.values()) == pytest.approx(1.0, abs=1e-9)
    rng, seen = np.random.default_rng(1), 0
    for _ in range(25):
        coordinates = [rng.uniform(*axis.scale.span) for axis in axes]
        around_it = {told_at(study, axes, coordinates, move, lens) for move in MOVES}
        if len(around_it) == 1:  # near a boundary straight edges between rows are not exact
            x_there, y_there = values(axes, coordinates)
            assert labels_at(found, x_there, y_there) == around_it
            seen += 1
    assert seen >= 15


MOVES = [(0.0, 0.0), (0.01, 0.0), (-0.01, 0.0), (0.0, 0.01), (0.0, -0.01)]


def values(axes: list[Axis], coordinates: list[float]) -> list[float]:
    """Numbers at places of the axes; records and sites of one row are whole."""
    out = [float(a.scale.numbers(np.asarray(c))) for a, c in zip(axes, coordinates, strict=True)]
    return [
        max(1.0, round(v)) if a.moved.row is not None and a.moved.quantity in ("n", "count") else v
        for a, v in zip(axes, out, strict=True)
    ]


def told_at(study: Study, axes: list[Axis], at: list[float], move, lens: Lens) -> Label:
    """The label of the public functions near a point, a part of the axes away."""
    wide = [axis.scale.span[1] - axis.scale.span[0] for axis in axes]
    places = [c + part * w for c, part, w in zip(at, move, wide, strict=True)]
    there = values(axes, places)
    return told(moved_to(study, *zip((a.moved for a in axes), there, strict=True)), lens)


def test_every_number_of_random_studies_against_a_dense_scan(monkeypatch):
    monkeypatch.setitem(LEVERS, TOY.name, TOY)  # what it moves falls behind the noise
    rng, lens = np.random.default_rng(5), Lens()
    for _ in range(40):
        study = random_study(rng, most=100)
        offered = choices(study)
        x, y = (offered[k] for k in rng.choice(len(offered), 2, replace=False))
        axis, up = around(study, x, 1e3), around(study, y, 1e3)
        ground = Ground(study=study, lens=lens, x=x, y=y)
        heights = up.scale.numbers(np.linspace(*up.scale.span, 9))
        edges, codes = exact(ground, axis, heights)
        places = np.linspace(*axis.scale.span, 203)[1:-1]
        asked = codes_at(ground, axis.scale.numbers(places), heights[:, None])
        cell = (places[None, :, None] > edges[:, None, :]).sum(axis=-1)
        assert np.array_equal(np.take_along_axis(codes, cell, axis=1), asked)


ENDS = [
    (exact, Ground(study=MIXED, lens=Lens(), x=Moved("n", None), y=Moved("n", 1)), 1e-11),
    (located, Ground(study=CURVE, lens=MECHANISM, x=Moved("n", 0), y=Moved("epsilon", 1)), 1e-5),
]


@pytest.mark.parametrize(("ends", "ground", "near"), ENDS, ids=["equation", "mechanism"])
def test_on_either_side_of_an_end_the_label_is_that_of_the_cell_there(ends, ground, near):
    axis, up = around(ground.study, ground.x), around(ground.study, ground.y)
    heights = up.scale.numbers(np.linspace(*up.scale.span, 7))
    edges, codes = ends(ground, axis, heights)
    real = codes[:, 1:] != codes[:, :-1]
    assert np.count_nonzero(real) >= 7
    for step in (-near, near):
        there = codes_at(ground, np.exp(edges + step), heights[:, None])
        side = codes[:, 1:] if step > 0 else codes[:, :-1]
        assert np.array_equal(there[real], side[real])


def test_a_site_that_leads_between_two_ends_of_another_is_found():
    """Forty weak sites bend the row so much that J overtakes T and falls back, without a kink."""
    weak = (site(f"K{k}", 25 * 10**10, INF, signal_exponent=10) for k in range(40))
    leading = site("J", 10**9, 3.3e-5, signal_exponent=6)
    study = transfer(site("T", 54, INF), leading, *weak, beta=0.25, d=1)
    ground = Ground(study=study, lens=Lens(), x=Moved("n", None), y=Moved("epsilon", 1))
    axis, height = Axis(moved=ground.x, low=1.0, high=100.0), np.array([3.3e-5])
    edges, codes = exact(ground, axis, height)
    assert codes[0].tolist() == [1, 2, 1]
    assert codes_at(ground, np.exp(edges[0].mean()), height).tolist() == [2]


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: Moved.of("n_0"), "such as n_all, n_1 or epsilon_2"),
        (lambda: Moved("signal_exponent", None), "exponent of one row"),
        (lambda: Axis(moved=Moved("n", 0), low=5, high=5), "low must be below high. Axis n_1"),
        (lambda: drawn(MIXED, "n_5", "n_1"), "no such number. x: got n_5"),
        (lambda: drawn(MIXED, "n_1", "n_1"), "two numbers"),
    ],
)
def test_bad_axes_are_refused_in_words(act, message):
    with pytest.raises(DomainError, match=message):
        act()


def drawn(study: Study, *moved: str):
    return study_map(study, *(Axis(moved=Moved.of(text), low=1, high=10) for text in moved))


def test_a_missing_delta_and_too_many_rows_are_refused():
    bare = changed(MIXED, 0, delta=None)
    x, y = (around(bare, moved) for moved in usual(bare))
    with pytest.raises(DomainError, match=r"needs delta for every private row\. Server 'T'"):
        study_map(bare, x, y, MECHANISM)
    with pytest.raises(DomainError, match="at most 60 rows"):
        study_map(curve(*(site(str(k), 9) for k in range(61))), x, y)


@pytest.mark.parametrize(
    ("x", "change"),
    [
        ("epsilon_2", {"epsilon": 1e-323}),
        ("epsilon_all", {"epsilon": 1.7e308}),
        ("signal_exponent_2", {"signal_exponent": 1e300}),
    ],
)
def test_extreme_numbers_have_a_map(x, change):
    study = transfer(site("T", epsilon=0.5), site(**{"name": "A", "n": 5000} | change))
    axes = [around(study, Moved.of(text)) for text in (x, "n_1")]
    found = study_map(study, *axes)
    assert sum(found.areas.values()) == pytest.approx(1.0, abs=1e-9)
    assert axes[0].low <= standing(study, *axes).at[0] <= axes[0].high


def test_what_a_study_offers():
    assert [str(m) for m in choices(CURVE)] == [
        *("n_all", "epsilon_all", "count_all", "n_1", "epsilon_1", "count_1"),
        *("n_2", "epsilon_2", "count_2", "n_3", "count_3"),
    ]
    lone = preset("phones").study
    assert [str(m) for m in usual(lone)] == ["epsilon_1", "n_1"]
    assert usual(changed(lone, 0, n=0)) == ()
