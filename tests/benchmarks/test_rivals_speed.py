"""Speed of the rivals' table, as a ratio to one answer within one run."""

from __future__ import annotations

import pytest

from rates.answer import Lens
from rates.answer.cost import privacy_cost
from rates.fit.rival_rates import rivals
from rates.study.presets import preset
from tests.benchmarks.test_engine_speed import seconds
from tests.benchmarks.test_fit_speed import random_sites

pytestmark = pytest.mark.benchmark


def test_a_table_of_rivals_against_one_answer():
    # One answer takes 2 to 4 ms on one core, a table of seven designs 10 to 20.
    classifier, curve = random_sites(20), preset("unequal").study
    one, first, second = seconds(
        lambda: privacy_cost(classifier),
        lambda: rivals(classifier, lens=Lens(risk="classification")),
        lambda: rivals(curve, lens=Lens(risk="integrated")),
        repeats=5,
    )
    print(f"one answer {one:.4f} s, classifier's rivals {first:.4f} s, curve's {second:.4f} s")
    assert first < 30 * one
    assert second < 30 * one
