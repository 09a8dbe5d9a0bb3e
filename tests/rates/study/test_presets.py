"""Presets: the numbers that the brief and the papers give, and sane words."""

from __future__ import annotations

import pytest

import rates
from rates.study import codec
from rates.study.presets import PRESETS


@pytest.mark.parametrize("entry", PRESETS, ids=lambda p: p.key)
def test_presets_solve_say_where_they_come_from_and_travel(entry):
    answer = rates.solve(entry.study)
    assert all(note.holds is not False for note in answer.notes)
    rates.calibrated(entry.study)
    assert "ours" in entry.provenance
    assert codec.from_link(codec.to_link(entry.study)) == entry.study
