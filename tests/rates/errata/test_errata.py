"""The headline counted anew from the claim files, curves by other numbers, files to cite."""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import rates
from rates import errata
from rates.numbers import DomainError
from rates.statements import CATEGORIES, CONCLUSION, statement, statements

CLAIMS = Path(rates.__file__).parent / "claims"
RAW = [
    entry
    for file in sorted(CLAIMS.glob("*.toml"))
    for entry in tomllib.loads(file.read_text(encoding="utf-8")).get("statement", [])
]


def test_the_headline_is_what_the_files_hold():
    """Counted without the ledger's own records."""
    read = [e for e in RAW if e["kind"] != "derived" and not e.get("withdrawn")]
    counted = [
        e for e in read if e.get("category") and not e.get("repeats") and not e.get("extraction")
    ]
    counts = Counter(e["category"] for e in counted)
    found = errata.headline()
    assert found.counts == {name: counts[name] for name in CATEGORIES}
    assert (found.printed, found.tested) == (len(read), sum("check" in e for e in read))
    assert found.total == sum(counts.values()) - counts["not reproduced at our settings"]
    said = errata.sentences(found)
    assert said.index("No minimax rate") < said.index("a conclusion changes")
    for number in counts.values():
        assert f"**{number}**" in said
    for number in (found.repeats, found.damaged, found.dropped):
        assert str(number) in errata.beside(found)
    assert found.repeats == sum("repeats" in e for e in read)
    assert found.dropped == sum(e.get("withdrawn", False) for e in RAW)


def test_a_minimax_rate_that_fell_would_be_said_first():
    fallen = replace(
        statement("ACC:Thm3.4"), category=CONCLUSION, quoted="verbatim", history=("2026-01-01: x",)
    )
    items = [fallen if item.id == fallen.id else item for item in statements()]
    said = errata.sentences(errata.headline(items))
    assert "A minimax rate is contradicted: [ACC] (Theorem 3.4)." in said
    assert "No minimax rate" not in said


def test_the_first_are_those_that_change_a_conclusion_and_two_constants():
    conclusions = {item.id for item in statements() if item.counted and item.category == CONCLUSION}
    assert conclusions < set(errata.FIRST)
    assert len(errata.FIRST) == len(conclusions) + 2


def at(name: str, line: int, x: float) -> float:
    """A curve at a place, between the nearest two points in logs."""
    curve = errata.shown(name).lines[line]
    return float(np.exp(np.interp(math.log(x), np.log(curve.x), np.log(curve.y))))


@pytest.mark.parametrize(
    ("name", "line", "x", "expected"),
    [
        # The audit's numbers: n = n0 = 1000, m = 100, γ = ε = 1/2.
        ("ACC:Table1:row-1:column-3:A", 0, 0.5, 0.01),
        ("ACC:Table1:row-1:column-3:A", 1, 0.5, (10 * 1000 * 0.5) ** (-1 / 2.25 * 1.0)),
        ("CCV:Sec2.1:smaller-p", 0, 100, 10**0.6),
        ("CCV:Sec2.1:smaller-p", 1, 100, 10 ** (2 / 3)),
        ("ACC:Cor3.3:case-3", 0, 0.1, 10 ** (-1 / 3)),
        ("KS:Alg4:users", 0, 100, 0.5),
        ("BCMM:Eq3:weights", 1, 4e9, 1.0),  # a doubling takes 4e9 steps
        ("DPLR:Alg1:unclipped", 1, 50**0.5, (50 + 50 * 50 / 4) / 0.1),  # by hand from (8)
        ("DPLR:Eq11:bias", 1, 26.004, 0.295),
        ("CCV:Lem3.3:constant", 0, 4, 2 * 2**4),
        ("CCV:Lem3.3:constant", 1, 4, 4 * 2**4),
    ],
)
def test_a_curve_passes_through_a_number_found_otherwise(name, line, x, expected):
    assert at(name, line, x) == pytest.approx(expected, rel=0.01)


def test_the_curves_cross_where_the_words_say():
    assert at("KS:Lem3.2:footnote", 0, 1.2) < 1 < at("KS:Lem3.2:footnote", 0, 1.26)
    assert at("KS:Lem3.2:footnote", 1, 3e15) < 1
    early, late = errata.shown("ACC:Cor3.2:eps21").lines
    apart = [x for x, a, b in zip(early.x, early.y, late.y, strict=True) if a > b * 1.001]
    assert min(apart) == pytest.approx(0.2154, rel=0.03)
    assert max(apart) == pytest.approx(0.7499, rel=0.03)
    with pytest.raises(DomainError, match="no figure"):
        errata.shown("ACC:Thm3.1")


def test_the_files_to_cite_are_whole_and_plain():
    now = errata.edition()
    last = max(text[:10] for item in statements() for text in item.history)
    assert now.date == last
    slips = [item for item in statements() if item.category]
    bibtex, table = errata.bibtex(), errata.table()
    keys = re.findall(r"@misc\{([^,]+),", bibtex)
    assert len(keys) == len(set(keys)) == len(slips) + 1
    assert set(keys) == {"ledger", *map(errata.key, slips)}
    for text in (bibtex, table):
        assert text.isascii()
        assert str(now) in text
        bare = re.sub(r"\\[{}]", "", text)
        assert bare.count("{") == bare.count("}")
    assert table.count("\n\\hline\n") == len(slips)
    assert all(item.id.replace("_", r"\_") in table for item in slips)
