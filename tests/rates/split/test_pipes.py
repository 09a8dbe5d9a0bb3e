"""Budgets doubled in every combination, against studies solved one by one."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from rates.answer import Lens, privacy_cost
from rates.plan import in_house
from rates.split import taps
from rates.study import PRESETS, preset
from tests.rates.made import INF, changed, curve, site

HOSPITALS = preset("hospitals").study


def doubled(study, found, choice):
    """The study of one choice."""
    servers = list(study.servers)
    for rows, times in zip(found.groups, found.doublings(choice), strict=True):
        for row in rows:
            servers[row] = replace(servers[row], epsilon=servers[row].epsilon * 2**times)
    return study.with_servers(servers)


@pytest.mark.parametrize("one", PRESETS, ids=lambda one: one.key)
def test_every_choice_is_that_of_the_answers(one):
    study, draw = in_house(one.study), random.Random(5)
    for place, risk in enumerate([cost.risk for cost in privacy_cost(study)]):
        found = taps(study, Lens(risk=risk))
        for choice in (0, *(draw.randrange(len(found.adds)) for _ in range(6))):
            cost = privacy_cost(doubled(study, found, choice))[place]
            answer = cost.mechanism[len(cost.mechanism) // 2].answer
            adds = answer.effective_n * np.array(answer.shares)
            wanted = [adds[list(rows)].sum() for rows in found.groups]
            np.testing.assert_allclose(found.adds[choice], wanted, rtol=1e-9)
            worth = [each.answer.effective_n for each in cost.mechanism]
            np.testing.assert_allclose(found.worth[:, choice], worth, rtol=1e-9)
            for rows, private in zip(found.groups, found.private[choice], strict=True):
                assert len(rows) > 1 or private == (answer.limited_by[rows[0]] == "privacy")


def test_without_a_delta_it_is_by_the_equation():
    silent = changed(HOSPITALS, 0, delta=None)
    found = taps(silent)
    assert not found.named
    answer = privacy_cost(doubled(silent, found, 7))[0].equation.answer
    wanted = [answer.effective_n * share for share in answer.shares]
    np.testing.assert_allclose(found.adds[7], wanted, rtol=1e-9)


def test_a_choice_names_its_doublings_and_what_has_no_budget_has_none():
    rows = (replace(HOSPITALS.target, epsilon=INF), *HOSPITALS.sources[:2], site("mute", 5, 0))
    free = HOSPITALS.with_servers(rows)
    found = taps(free)
    assert [bool(step) for step in found.steps] == [False, True, True, False]
    choice = 3 * found.steps[1] + found.steps[2]
    assert found.doublings(choice) == (0, 3, 1, 0)
    assert found.epsilon[3, 1] == 8 * free.servers[1].epsilon
    assert taps(HOSPITALS.unprotected()).steps == (0, 0, 0, 0)


@pytest.mark.parametrize("many", [8, 60, 3_000])
def test_many_rows_stand_together_with_room_for_every_choice(many):
    found = taps(curve(*(site(f"s{k}", 10 + k) for k in range(many))))
    assert sorted(row for group in found.groups for row in group) == list(range(many))
    assert 2 ** len(found.groups) <= len(found.adds) <= 1_024
    assert len(found.adds) * many <= 200_000
    np.testing.assert_allclose(found.adds.sum(axis=1), found.worth[0], rtol=1e-9)
