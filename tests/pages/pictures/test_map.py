"""The map as a picture: what its script gets is the engine's, and junk that it sends is none."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from pages.charts import maps, planes
from pages.phases import own, page
from pages.phases import page as designs
from pages.pictures import map as picture_map
from pages.pictures import map_picture
from rates import governing
from rates.maps import Moved, around, regimes, standing
from rates.presets import preset
from tests.pages.core.links import asked
from tests.pages.driver import open_page

DESIGN = designs.EXAMPLES["Sources, target, sources again"]
PLANE = maps.build(DESIGN, "none")
STILL = designs.map_of(DESIGN, "none")


def crossings(paths: list[list[float]], y: float) -> list[float]:
    """Where a row crosses the edges of polygons, in order."""
    ends = []
    for path in paths:
        corners = np.array(path).reshape(-1, 2)
        for (a, b), (c, d) in pairwise(corners):
            if (b <= y) != (d <= y):
                ends.append(a + (y - b) / (d - b) * (c - a))
    return sorted(ends)


@pytest.mark.parametrize("name", designs.EXAMPLES)
def test_borders_of_any_row_are_those_of_the_engine_to_half_a_pixel(name: str) -> None:
    design = designs.EXAMPLES[name]
    plane = maps.build(design, "none")
    data = map_picture(plane, STILL).data
    random = Random(name)
    for _ in range(40):
        y = random.random()
        gamma = plane.y.low + y * (plane.y.high - plane.y.low)
        shape = {**design.shape, "gamma": gamma}
        rows = regimes(*design.sizes, **shape, ratio=design.ratio, upper=plane.x.high)
        ends = plane.x.parts(np.array([row.hi for row in rows if row.hi > plane.x.low]))
        shown = {round(x, 5) for part in data["regions"] for x in crossings(part["paths"], y)[1::2]}
        assert sorted(shown) == pytest.approx(ends.tolist(), abs=0.5 / 1000)


def test_a_point_that_moves_leaves_the_rest_of_its_map_as_it_is() -> None:
    for design in designs.EXAMPLES.values():
        for epsilon, gamma in ((0.5, 0.3), (3.0, 7.7), (1e-9, 1.0)):
            at = replace(design, epsilon=epsilon, gamma=gamma)
            kept = designs.whole_ground(maps.ground(at), "none")
            assert kept == picture_map.ground_of(maps.build(at, "none"))
        assert maps.ground(replace(design, epsilon=0.5, gamma=1.3)) == maps.ground(design)


def test_a_region_says_who_decides_and_what_would_help() -> None:
    looks = planes.TERMS
    said = {label: (look.said, look.cause, look.depth) for label, look in looks.items()}
    assert said["Pt"] == ("Here the target decides, privacy binds.", "privacy", 0)
    assert said["NPs"] == ("Here the sources decide, sampling binds.", "sample", 1)
    data = map_picture(PLANE, STILL).data
    assert {part["said"] for part in data["regions"]} == {look.said for look in looks.values()}
    for part in data["regions"]:
        for name in part["names"]:
            ends = crossings(part["paths"], name["y"])
            half = name["room"] / 2 - 1e-3
            room = zip(ends[::2], ends[1::2], strict=True)
            assert any(a <= name["x"] - half and name["x"] + half <= b for a, b in room), name


def test_the_point_and_the_sentence_are_those_of_the_engine() -> None:
    rate = str(governing(*DESIGN.sizes, DESIGN.epsilon, **DESIGN.shape))
    assert STILL.figure["layout"]["title"] == planes.TERMS[rate].said
    data = map_picture(PLANE, STILL).data
    here = PLANE.x.parts(np.array([DESIGN.epsilon]))[0], PLANE.y.parts(np.array([DESIGN.gamma]))[0]
    assert data["here"] == pytest.approx(here)
    assert json.dumps(data, allow_nan=False)


def test_what_is_released_becomes_the_point(monkeypatch) -> None:
    taken: list[dict[str, float]] = []
    monkeypatch.setattr(type(designs.POINT), "change", lambda self, **to: taken.append(to))
    page.move(*picture_map.moved(PLANE, {"x": 0.123456, "y": 1.5}))
    page.enlarge(DESIGN, picture_map.chosen({"nine": 2}, 9))
    moved = [replace(DESIGN, **to) for to in taken]
    assert moved[0] == replace(DESIGN, epsilon=0.123, gamma=1.5)
    assert moved[1] == replace(DESIGN, m=1_000, n0=800_000)


def test_nine_maps_are_those_of_the_designs_they_name() -> None:
    others = maps.neighbours(DESIGN)
    assert [(one.m, one.n0) for one in others[::4]] == [(10, 800_000), (100, 80_000), (1000, 8_000)]
    data = designs.small_maps(maps.ground(DESIGN))
    assert (data["across"][2], data["down"][0]) == ("m = 1,000", "n₀ = 800,000")
    random = Random(1)
    for parts, one in zip(data["maps"], others, strict=True):
        for _ in range(10):
            x, y = random.random(), random.random()
            epsilon = PLANE.x.low * (PLANE.x.high / PLANE.x.low) ** x
            gamma = PLANE.y.low + y * (PLANE.y.high - PLANE.y.low)
            rate = str(governing(*one.sizes, epsilon, **{**one.shape, "gamma": gamma}))
            (shown,) = (
                part for part in parts if sum(end < x for end in crossings(part["paths"], y)) % 2
            )
            look = planes.TERMS[rate]
            assert (shown["cause"], shown["depth"]) == (look.cause, look.depth)
    assert designs.small_maps(replace(DESIGN, m=0)) is None


def test_the_own_map_looks_at_another_point_and_leaves_the_study_as_it_is() -> None:
    study = preset("hospitals").study
    app = open_page("phases", own="x:epsilon_all;y:n_1;at:0.1,500")
    assert asked(app, own.OWN).at == (0.1, 500.0)
    x, y = (around(study, Moved.of(text)) for text in ("epsilon_all", "n_1"))
    here = standing(study, x, y, at=(0.1, 500.0))
    still = maps.map_of(study, "epsilon_all", "n_1", "equation", "classification", at=(0.1, 500.0))
    name = maps.site(study, here.label)
    assert still.figure["layout"]["title"] == f"Here {name} carries most, privacy binds."
