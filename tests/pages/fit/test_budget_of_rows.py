"""The page of what one does not know, for a study of more rows than its ranges take."""

from __future__ import annotations

from dataclasses import replace

from pages.fit import unknowns
from rates.numbers import budgets
from rates.study import PRESETS, Scope


def test_ranges_of_too_many_rows_are_refused_before_they_take_the_memory():
    study = PRESETS[0].study
    site = study.sources[0]
    rows = tuple(replace(site, name=f"site {k}") for k in range(budgets.RANGE_ROWS))
    found, why = unknowns.of(replace(study, sources=rows), Scope(), "classification")
    assert found is None
    assert "more than 1,000 rows" in why
