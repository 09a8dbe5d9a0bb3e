"""Adaptation: what the experiments show, tables, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rates.adaptation import deployed_budget
from rates.numbers.parameters import DomainError
from sims.bcmm.curves import CLOSENESS, GAP, RATE, SCALAR, readable
from sims.bcmm.data import domains, known, read_table
from sims.bcmm.picture import ratio
from sims.engine.experiment import Estimate, Request
from sims.engine.runs import run


@pytest.mark.parametrize(("delta", "limit"), [(0.1, 18.2), (0.01, 19.6), (1e-5, 22.5)])
def test_the_guarantee_says_up_to_which_budget_the_printed_noise_suffices(delta, limit):
    assert deployed_budget(limit, delta).valid
    assert not deployed_budget(limit + 0.1, delta).valid
    assert f"{limit:g} at" in RATE.privacy
    assert f"{delta:g}" in RATE.privacy.replace("1e-5", "1e-05")


def test_one_number_reads_closeness_best():
    request = Request(
        experiment=CLOSENESS, values={"private": 400, "concept": [0, 0.7, 1]}, replicates=40
    )
    *_, last = run(request)
    found = readable(request.points, last.estimates)
    assert found[SCALAR] < found[GAP]
    at = {(p.series, p.x): e for p, e in zip(request.points, last.estimates, strict=True)}
    assert at[SCALAR, 0.0].stderr < at[GAP, 0.0].stderr
    assert at[GAP, 0.0].mean > 3 * at[SCALAR, 1.0].mean / 2  # chance alone, without any shift
    assert readable(request.points, [Estimate(math.nan, math.nan, 0)] * 6) == {}


def test_our_minimiser_is_refused_for_signs():
    with pytest.raises(DomainError, match="squared loss"):
        Request(experiment=RATE, values={"loss": "logistic", "method": "profiled"}, replicates=2)


# Worlds and tables ---------------------------------------------------------------------------


def table_text(rows: list[str]) -> str:
    return "domain,label,age,dose\n" + "\n".join(rows)


GOOD = [f"{d},{y},{3 * y},{y * y}" for d in ("public", "private") for y in (-0.5, 0.1, 0.4, 0.9)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (table_text([*GOOD, "other,0,1,1"]), 'must be "public".*Row 9'),
        (table_text([*GOOD, "public,0,x,1"]), "Row 9.*age"),
        (table_text(GOOD[:4]), "private domain must have"),
        (table_text(GOOD[4:]), "public domain must have"),
        (table_text([*GOOD[:4], *["private,0.3,1,1"] * 4]), "not all be the same"),
        (table_text([*GOOD, "public,1.5,1,1"]), r"\[-1, 1\]"),
    ],
)
def test_bad_tables_are_refused(text, words):
    with pytest.raises(DomainError, match=words):
        read_table(text)


def test_a_table_is_scaled_by_public_records_alone():
    first = read_table(table_text(GOOD))
    other = read_table(table_text([*GOOD[:7], "private,0.9,0.01,0.01"]))
    assert (first.public.x == other.public.x).all()
    assert other.private.clipped == first.private.clipped - 1
    assert "Shortened to norm 1" in other.note
    assert f"{other.private.clipped} private rows" in other.note
    assert first.loss == "squared"
    signs = read_table(table_text([r.replace(",0.9,", ",0.1,") for r in GOOD[:2]] * 4 + [
        "private,-0.5,1,2", "private,0.1,2,3", "private,0.1,3,3"]))  # fmt: skip
    assert signs.loss == "logistic"
    assert set(np.unique(signs.private.y)) == {-1.0, 1.0}


def test_nobody_is_in_the_test_and_in_the_fit():
    rng = np.random.default_rng(0)
    table = domains(
        rng.normal(size=(60, 2)), rng.uniform(-1, 1, 60), np.arange(60) < 30, name="made"
    )
    for asked, size in ((None, 20), (5, 5), (50, 20)):
        pair, test = table.split(rng, asked)
        assert (pair.private.size, test.size) == (size, 10)
        assert not set(pair.private.x[:, 0]) & set(test.x[:, 0])


def test_without_scikit_learn_its_tables_are_absent(monkeypatch):
    known.cache_clear()
    monkeypatch.setitem(__import__("sys").modules, "sklearn", None)
    with pytest.raises(DomainError, match="not installed"):
        known("diabetes")
    known.cache_clear()


def test_a_ratio_covers_the_truth_about_as_often_as_it_says():
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(1000):
        common = rng.normal(0.0, 0.3, 20)
        above = 6.0 + 3.0 * common + rng.normal(0.0, 0.3, 20)
        low, high = ratio(above, 2.0 + common + rng.normal(0.0, 0.1, 20)).interval()
        hits += low <= 3.0 <= high
    assert 0.92 < hits / 1000 < 0.98
