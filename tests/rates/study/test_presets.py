"""Presets: the numbers that the brief and the papers give, and sane words."""

from __future__ import annotations

import pytest

import rates
from rates.answer.federated import dominating
from rates.study import codec
from rates.study.presets import PRESETS, preset


def test_one_server_dominates_by_condition_9():
    servers = preset("dominating").study.servers
    columns = ([s.n for s in servers], [s.epsilon for s in servers])
    assert dominating(*columns, smoothness=2, count=[s.count for s in servers]) == (0,)


def test_the_unprotected_source_has_no_budget():
    assert not preset("unprotected").study.sources[0].private


@pytest.mark.parametrize("entry", PRESETS, ids=lambda p: p.key)
def test_presets_solve_say_where_they_come_from_and_travel(entry):
    answer = rates.solve(entry.study)
    assert all(note.holds is not False for note in answer.notes)
    rates.calibrated(entry.study)
    assert "ours" in entry.provenance
    assert codec.from_link(codec.to_link(entry.study)) == entry.study
