"""Presets, and scope: rules as data, what breaks, what contradicts, how it travels with a study."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

import rates
from rates.numbers import DomainError
from rates.study import codec
from rates.study.presets import PRESETS, preset, scope_of
from rates.study.scope import Scope, check, fitted, theory_for
from tests.rates.made import everywhere

HOSPITALS = preset("hospitals").study
CURVE = preset("unequal").study
SAFE = {"records": "one", "overlap": "no", "estimand": "no", "protection": "sites"}
WELL = {
    "ACC": dict(preset("regional").scope.answers),
    "CCV": {"outcome": "continuous", "covariates": "one", "target": "shared", **SAFE},
    "KS": {"outcome": "binary", "target": "one", "protection": "hybrid"},
    "BCMM": {"outcome": "continuous", "target": "one", "protection": "open_source"},
    "CAC": {"overlap": "columns", "protection": "sites"},
    "DPLR": {"outcome": "binary", "covariates": "many", "target": "one", "protection": "sites"},
}


def said(**answers: str) -> Scope:
    return Scope(answers=tuple(answers.items()))


@pytest.mark.parametrize("key", WELL)
@pytest.mark.parametrize("study", [HOSPITALS, CURVE], ids=["transfer", "federated"])
def test_answers_lead_to_the_theory_that_they_describe(key, study):
    found = theory_for(study, said(**WELL[key]))
    assert found.theory.key == key
    assert found.covers
    assert set(found.unknown) == set(found.theory.needs) - set(WELL[key])


def test_the_hospitals_break_the_same_side_assumption_by_their_prevalence():
    entry = preset("hospitals")
    found = theory_for(entry.study, entry.scope)
    assert not found.covers
    (broken,) = found.broken
    assert all(share in broken.text for share in ("36%", "93%"))
    assert broken.assumption == "same side of 50% everywhere"
    assert scope_of(entry.study) == entry.scope
    assert scope_of(entry.study.unprotected()) == Scope()


DIFFERS = said(**{**WELL["ACC"], "prevalence": "differs"})
ACROSS = replace(said(prevalence="differs"), prevalence=(0.2, 0.8))


@pytest.mark.parametrize(
    ("study", "scope", "key", "broken"),
    [
        (HOSPITALS, replace(DIFFERS, prevalence=(0.36, 0.93)), "ACC", ["prevalence"]),
        (HOSPITALS, replace(DIFFERS, prevalence=(0.6, 0.9)), "ACC", []),
        # an assumption that fails does not lead to another kind of theory
        (HOSPITALS, ACROSS, "ACC", ["prevalence"]),
        # there is no 50% for a measured outcome
        (CURVE, ACROSS, "CCV", []),
        (HOSPITALS, said(**{**WELL["ACC"], "records": "several"}), "ACC", ["records"]),
        (HOSPITALS, said(**{**WELL["CCV"], "estimand": "survival"}), "CCV", ["estimand"]),
    ],
)
def test_what_breaks_is_named_by_its_question(study, scope, key, broken):
    found = theory_for(study, scope)
    assert found.theory.key == key
    assert [x.question for x in found.broken] == broken
    assert found.covers is (not broken)


@pytest.mark.parametrize(
    ("study", "question", "answer"),
    [
        (HOSPITALS, "outcome", "continuous"),
        (CURVE, "outcome", "binary"),
        (HOSPITALS, "covariates", "one"),
        (HOSPITALS, "target", "shared"),
        (CURVE, "target", "one"),
        *((HOSPITALS, "protection", x) for x in ("open_source", "hybrid")),
    ],
)
def test_contradictions_are_named_by_their_question(study, question, answer):
    assert list(theory_for(study, said(**{question: answer})).contradictions) == [question]
    survival = theory_for(HOSPITALS, said(outcome="binary", estimand="survival"))
    assert list(survival.contradictions) == ["estimand"]


def test_one_common_relation_keeps_the_side_by_itself():
    alike = everywhere(HOSPITALS, signal_exponent=1.0)
    found = theory_for(alike, said(outcome="binary", target="shared"))
    assert (found.theory.key, found.covers) == ("ACC", True)
    assert "same_side" not in found.unknown
    assert "same_side" in theory_for(alike, said(outcome="binary", target="one")).unknown
    told = theory_for(alike, said(outcome="binary", target="shared", same_side="no"))
    assert list(told.contradictions) == ["same_side"]
    (broken,) = told.broken
    assert "Each site alone" in broken.text
    assert "target" not in broken.text


def test_the_same_side_everywhere_contradicts_shares_across_one_half():
    scope = replace(said(same_side="yes", prevalence="differs"), prevalence=(0.36, 0.93))
    found = theory_for(HOSPITALS, scope)
    assert "36% at one site and 93%" in found.contradictions["same_side"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"answers": (("colour", "red"),)}, "The questions are"),
        ({"answers": (("outcome", "red"),)}, "binary, continuous"),
        ({"prevalence": (0.9, 0.2)}, "upside down"),
        ({"records_per_person": 1}, "at least 2"),
        ({"margin": (0, math.nan)}, "two numbers"),
        ({"signal": (("A", (0.0, 1.0)),)}, "positive"),
    ],
)
def test_a_scope_that_makes_no_sense_is_refused(fields, words):
    with pytest.raises(DomainError, match=words):
        Scope(**fields)


def test_ranges_of_another_study_are_refused_or_left_out():
    scope = Scope(smoothness=(0.5, 1), margin=(0, 2), signal=(("Cleveland", (1, 2)),))
    check(scope, HOSPITALS)
    assert fitted(scope, HOSPITALS) == scope
    with pytest.raises(DomainError, match="must exceed 1/2"):
        check(scope, CURVE)
    with pytest.raises(DomainError, match="no margin"):
        check(Scope(margin=(0, 2)), CURVE)
    assert fitted(scope, CURVE) == Scope()
    gone = HOSPITALS.with_servers(HOSPITALS.servers[:1])
    with pytest.raises(DomainError, match="belongs to a source"):
        check(scope, gone)
    assert fitted(scope, gone).signal == ()


@pytest.mark.parametrize("entry", PRESETS, ids=lambda p: p.key)
def test_presets_meet_their_conditions_and_say_where_they_come_from(entry):
    assert all(note.holds is not False for note in rates.solve(entry.study).notes)
    rates.calibrated(entry.study)
    assert "ours" in entry.provenance


FULL = Scope(
    answers=tuple(WELL["ACC"].items()),
    prevalence=(0.1, 0.3),
    records_per_person=4,
    smoothness=(0.6, 0.9),
    margin=(0.25, 1),
    signal=(("Cleveland", (0.5, 1.0)), ("Switzerland", (1.0, 2.0))),
)


@pytest.mark.parametrize(
    ("study", "scope"),
    [
        *((entry.study, entry.scope) for entry in PRESETS),
        (HOSPITALS, Scope()),
        (HOSPITALS, FULL),
        (CURVE, Scope(smoothness=(1, 2), integrability=(4, math.inf))),
    ],
)
def test_a_scope_travels_in_file_and_link(study, scope):
    check(scope, study)
    assert codec.open_json(codec.to_json(study, scope)) == (study, scope)
    assert codec.open_link(codec.to_link(study, scope)) == (study, scope)
    assert codec.from_json(codec.to_json(study, scope)) == study
    assert codec.open_json(codec.to_json(study)) == (study, None)


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ([], "scope must be a JSON object"),
        ({}, "version is required"),
        ({"version": 1, "colour": 1}, "Unknown key"),
        ({"version": 1, "answers": {"outcome": 1}}, "binary, continuous"),
        ({"version": 1, "smoothness": 0.5}, "list of two numbers"),
        ({"version": 1, "smoothness": [0.5, 2]}, "0 < beta <= 1"),
        ({"version": 1, "integrability": [2, "inf"]}, "no integrability"),
        ({"version": 1, "margin": [0, "inf"]}, "must be a number"),
        ({"version": 1, "signal_exponent": {"Paris": [1, 2]}}, "belongs to a source"),
    ],
)
def test_a_bad_scope_in_a_file_is_refused(part, words):
    data = json.loads(codec.to_json(HOSPITALS)) | {"scope": part}
    with pytest.raises(DomainError, match=words):
        codec.from_json(json.dumps(data))
