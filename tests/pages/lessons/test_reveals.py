"""Figures of the lessons: no truth before the lock, prediction and truth after it."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pages.charts import predictions, shares, spec, svg
from pages.core import live as plans
from pages.lessons import reveals
from pages.orders import asked as orders
from pages.phases import page as designs
from pages.regression import page as rate
from rates.answer import privacy_cost
from rates.orders import EXAMPLES
from rates.study import FederatedStudy, Server, preset
from sims.lessons import CHOICE, LESSONS, SHARES, TYPED, lesson, question, truth
from tests.pages.core.again import run as drawn_again

QUESTIONS = [asked for one in LESSONS.values() for asked in one.questions if asked.kind != CHOICE]
EACH = pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked.key)
OWN = FederatedStudy(
    servers=(
        Server(name="A", n=900, epsilon=1.0, delta=1e-6),
        Server(name="empty", n=0, epsilon=1.0, delta=1e-6),
        Server(name="B", n=400, epsilon=0.5, delta=1e-6),
    ),
    smoothness=1.0,
)


def report(asked):
    """An answer whose numbers are nobody else's."""
    k = len(asked.parts)
    if asked.kind == CHOICE:
        return (0.37, *[0.63 / (k - 1)] * (k - 1))
    if asked.kind == SHARES:
        rest = [1.37 * j for j in range(1, k)]
        return (100 - sum(rest), *rest)
    low, high = asked.parameter.stops[0], asked.parameter.stops[-1]
    return tuple(low + (high - low) * 0.3137 * (j + 1) / k for j in range(k))


def leaves(data: Any) -> Iterator[Any]:
    """Every text and number in plain data, figures and their packed arrays opened."""
    if isinstance(data, dict) and "bdata" in data:
        yield from np.frombuffer(base64.b64decode(data["bdata"]), data["dtype"]).tolist()
    elif isinstance(data, dict):
        for name, value in data.items():
            yield name
            yield from leaves(value)
    elif isinstance(data, list | tuple | np.ndarray):
        for value in data:
            yield from leaves(value)
    elif isinstance(data, str) and data.startswith(("{", "[")):
        try:
            yield from leaves(json.loads(data))
        except ValueError:
            yield data
    else:
        yield data


def held(drawn, value):
    """Whether a figure holds a number, as it is or as a share of 100."""
    rules = drawn.figure["layout"].get("shapes", ())
    found = leaves([drawn.figure["data"], rules, list(drawn.rows)])
    numbers = [x for x in found if isinstance(x, int | float)]
    return any(math.isclose(x, y, rel_tol=2e-3) for x in numbers for y in (value, value / 100))


def words(drawn):
    return " ".join([drawn.figure["layout"]["title"], drawn.alt, drawn.caption])


@EACH
def test_nothing_of_the_truth_is_computed_for_or_stands_in_the_figure_before_the_lock(
    asked, monkeypatch
):
    true = truth(asked)

    for name in ("runs", "meaning", "again"):
        monkeypatch.setattr(reveals, name, None)  # who calls it fails
    monkeypatch.setattr(reveals.state, "cost", None)
    monkeypatch.setattr(reveals, "hits", None)
    for given in (None, report(asked)):
        drawn = reveals.figure(asked, given)
        assert len(drawn.alt) > 20
        assert drawn.rows or given is None
        if asked.kind == TYPED:  # its powers stand on the axis, as all others do
            continue
        for value in {*true.low, *true.high} - {1.0}:  # 1 is where axes begin
            assert not held(drawn, value)
            assert f"{value:.3g}" not in words(drawn)
        assert given is None or all(held(drawn, value) for value in given)


@EACH
def test_the_reveal_has_the_truth_beside_the_prediction_on_the_same_axes(asked):
    given, true = report(asked), truth(asked)
    drawn, before = reveals.figure(asked, given, true), reveals.figure(asked, given)
    assert drawn.figure["layout"]["xaxis"] == before.figure["layout"]["xaxis"]
    assert drawn.figure["layout"]["yaxis"] == before.figure["layout"]["yaxis"]
    assert drawn.figure["layout"]["title"] != before.figure["layout"]["title"]
    assert svg.draw(drawn.figure, ident="a", alt=drawn.alt).startswith("<svg")
    assert all(held(drawn, value) for value in given)
    named = [mark.get("name") for mark in drawn.figure["data"] if mark.get("name")]
    assert any(name.startswith(predictions.YOURS) for name in named)
    assert all(held(drawn, value) for value in (*true.low, *true.high))
    assert "your" not in words(reveals.figure(asked, None, true)).lower()  # a class has none


def test_the_figures_of_an_own_study_have_its_rows_and_factors():
    asked = question("carry", OWN)
    drawn = reveals.figure(asked, (61.0, 39.0), truth(asked, OWN), OWN)
    before = reveals.figure(asked, (61.0, 39.0), study=OWN)
    assert [row["name"].split()[-1] for row in before.rows] == ["A", "empty", "B"] * 2
    strokes = [mark for mark in drawn.figure["data"] if mark.get("name") == predictions.YOURS]
    assert [list(mark["x"]) for mark in strokes] == [[0.61, 0.0, 0.39]] * 2
    long = [replace(s, name=f"A hospital with the very long name {s.name}") for s in OWN.servers]
    study = OWN.with_servers(long)
    asked = question("carry", study)
    layout = reveals.figure(asked, (61.0, 39.0), truth(asked, study), study).figure["layout"]
    # A bar each, though what is left of the names is alike.
    assert len({*layout["yaxis"]["categoryarray"]}) == 3
    sites = tuple(Server(name=f"{k}", n=10 + k, epsilon=1.0) for k in range(20))
    answer = privacy_cost(FederatedStudy(servers=sites, smoothness=1.0))[0].equation.answer
    bars = shares.of_bars([1.0] * 20, [("", answer)])
    assert bars == (*[1.0] * shares.MOST_BARS, 20.0 - shares.MOST_BARS)  # and a bar of the rest
    for key in ("free", "free-transfer"):
        asked = question(key, OWN)
        given, true = report(asked), truth(asked, OWN)
        before, drawn = reveals.figure(asked, given), reveals.figure(asked, given, true, OWN)
        assert before.figure["layout"]["xaxis"] == drawn.figure["layout"]["xaxis"]
        assert drawn.figure["layout"]["xaxis"]["title"] == "Factor on every budget"
        assert "Budgets as they are" in str(drawn.figure)
        assert all(held(drawn, value) for value in (*true.low, *true.high))


@pytest.mark.deep
def test_the_lines_draw_the_figures_again(tmp_path):
    odds, study = question("odds"), preset("unequal").study
    carry = question("carry", study)
    shown = [
        reveals.figure(odds, (80.0,), truth(odds)),
        reveals.figure(carry, (20.0,) * 5, truth(carry, study), study),
        *reveals.beside(question("back-transfer")),
    ]
    for drawn, again in zip(shown, drawn_again([d.lines() for d in shown], tmp_path), strict=True):
        assert again["data"] == json.loads(spec.Sent(drawn.figure).to_json())["data"]


def test_a_lesson_goes_on_with_its_own_case():
    assert designs.POINT.read(dict(LESSONS["back"].link)) == reveals.BACK
    assert orders.RATE.read(dict(lesson("rate", rate=EXAMPLES[0]).link)) == EXAMPLES[0]
    for key, swept in (("twice", "n"), ("spread", "m")):
        found = plans.from_text(LESSONS[key].link.word("run"), rate.RATE_TAB.usual).values
        step = reveals.STEPS[key]
        assert found.word("sweep") == swept
        assert {step.start, step.end} <= set(found.numbers(swept))
