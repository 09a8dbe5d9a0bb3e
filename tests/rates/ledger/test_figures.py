"""The headline from few entries, figures by other numbers, files to cite, texts as shown."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from rates.ledger import editions, entries, entries_of, entry, figures, papers, shown, verdicts
from rates.ledger.texts import CATEGORIES, CONCLUSION, NOT_REPRODUCED


def test_the_headline_says_what_stands_and_what_does_not():
    own = entries_of("CCV")
    assert verdicts.headline(own).startswith(
        "[CCV]: Theorem 2.1 and Corollaries 1, 2, 3 and 4 stand."
    )
    history = ("2026-01-01: x",)
    fallen = replace(entry("CCV:Thm2.1:logs"), category=CONCLUSION, quote="x", history=history)
    said = verdicts.headline([fallen if one.id == fallen.id else one for one in own])
    assert said.endswith("stand; Theorem 2.1 does not, as printed.")
    found = verdicts.counts([fallen, replace(fallen, damaged=True)])
    assert found == {name: int(name == CONCLUSION) for name in CATEGORIES}
    assert verdicts.slips([fallen]) == "Slips by kind: changes a conclusion **1**."


def test_the_figures_are_of_slips_that_change_a_conclusion():
    assert all(entry(of).counted and entry(of).category == CONCLUSION for of in figures.FIRST)


@pytest.mark.parametrize(
    ("name", "line", "x", "expected"),
    [
        # The audit's numbers: n = n0 = 1000, m = 100, γ = ε = 1/2.
        ("ACC:Table1:row-1:column-3:A", 0, 0.5, 0.01),
        ("ACC:Table1:row-1:column-3:A", 1, 0.5, (10 * 1000 * 0.5) ** (-1 / 2.25 * 1.0)),
        ("CCV:Sec2.1:smaller-p", 0, 100, 10**0.6),
        ("CCV:Sec2.1:smaller-p", 1, 100, 10 ** (2 / 3)),
        ("ACC:Cor3.3:case-3", 0, 0.1, 10 ** (-1 / 3)),
        ("DPLR:Alg1:unclipped", 1, 50**0.5, (50 + 50 * 50 / 4) / 0.1),  # by hand from (8)
        ("DPLR:Eq11:bias", 1, 26.004, 0.295),
    ],
)
def test_a_curve_passes_through_a_number_found_otherwise(name, line, x, expected):
    curve = figures.FIRST[name].curves()[line]  # between the nearest two points in logs
    found = np.exp(np.interp(math.log(x), np.log(curve.x), np.log(curve.y)))
    assert found == pytest.approx(expected, rel=0.01)


def test_the_curves_cross_where_the_words_say():
    early, late = figures.FIRST["ACC:Cor3.2:eps21"].curves()
    apart = [x for x, a, b in zip(early.x, early.y, late.y, strict=True) if a > b * 1.001]
    assert min(apart) == pytest.approx(0.2154, rel=0.03)
    assert max(apart) == pytest.approx(0.7499, rel=0.03)


def test_the_table_for_latex_has_every_slip_and_is_plain():
    table = editions.table()
    assert table.isascii()
    bare = re.sub(r"\\[{}]", "", table)
    assert bare.count("{") == bare.count("}")
    assert table.count("\n\\hline\n") == sum(bool(one.category) for one in entries())


def test_a_sheet_says_first_what_stands_and_keeps_simulations_apart():
    found = editions.sheet(papers()[0])
    assert found.opening[1].startswith("Theorems 3.1 and 3.4 stand;")
    assert {one.category for one in found.annex} == {NOT_REPRODUCED}
    noted = " ".join(editions.noted(entry("ACC:Cor3.2:eps21")))
    assert re.search(r"Corollary 3.2, item 4.*Our reading: .*it says \$[\d.]+ = [\d.]+\$", noted)


def test_an_example_shows_both_sides_with_the_digits_that_tell_them_apart():
    claim = "for x in [1, 2] \n then x + 1e-6 <= x \n at x = 1"
    one = replace(entry("ACC:Cor3.2:eps21"), claim=claim, reading="")
    assert shown.example(one) == ("$x = 1$", r"$1.000001 \le 1$")
