"""The ledger's framework: records that cannot be wrong, verdicts that follow from tests."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from rates.maps import design
from rates.numbers.parameters import DomainError
from rates.statements import ledger, reviewed, verdicts
from rates.statements.checks import Check, find, measure
from rates.statements.covered import coverage
from rates.statements.ledger import (
    ALGEBRA,
    ARGUED,
    BROKEN,
    CONTRADICTED,
    PAPERS,
    TESTED,
    UNSHOWN,
    UNTESTABLE,
    Statement,
    evaluate,
    judge,
    statement,
    statements,
    statements_of,
)
from rates.statements.ledger import _record as record
from rates.statements.outcome import FORMS, Outcome
from rates.statements.symbolic import DERIVATIONS
from rates.study import codec

ROOT = Path(__file__).resolve().parents[3]
PAGES = {
    "overview",
    "study",
    "phases",
    "resolution",
    "fit",
    "plan",
    "hybrid",
    "adaptation",
    "logistic",
    "classification",
    "regression",
}
REREAD = "read claim and check against each other, then python -m rates.verdicts --reviewed ID"
BASE: dict[str, Any] = {
    "id": "ACC:Test",
    "paper": "ACC",
    "section": "3.1",
    "kind": "formula",
    "title": "A test",
    "claim": "Nothing.",
    "printed": "x = 1",
    "check": "acc_homogeneous.eps2",
}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        pytest.param({"paper": "XYZ"}, "paper", id="another paper"),
        pytest.param({"kind": "guess"}, "kind", id="another kind"),
        pytest.param({"id": "CCV:Test"}, "id", id="id of the other paper"),
        pytest.param({"check": None}, "check", id="neither check nor a word why"),
        pytest.param({"untestable": "no"}, "check", id="both check and a word why not"),
        pytest.param({"check": "nowhere.eps2"}, "check", id="a check in no module"),
        pytest.param({"colour": "red"}, "fields", id="an unknown field"),
        pytest.param({"smallest": "n = 1"}, "smallest", id="smallest of nothing"),
        pytest.param({"holds_at": {"n": 1}}, "holds_at", id="smaller than nothing"),
        pytest.param({"table": "A"}, "table", id="a reading on no map"),
        pytest.param({"table": "C", "map": "1"}, "table", id="a reading that is none"),
    ],
)
def test_a_record_that_is_wrong_is_refused(change: dict[str, Any], field: str):
    with pytest.raises(DomainError) as caught:
        record(BASE | change)
    assert caught.value.field == field


def test_what_has_a_counterexample_cannot_be_called_untestable():
    lonely = {"check": None, "untestable": "We say so.", "counterexample": {"n": 1}}
    with pytest.raises(DomainError) as caught:
        record(BASE | lonely)
    assert caught.value.field == "counterexample"
    with pytest.raises(DomainError) as caught:  # a correction without a test needs its proof
        record(BASE | {"check": None, "untestable": "We say so.", "reading": "x = 2"})
    assert caught.value.field == "reading"


def test_forms():
    plain = record(BASE)
    assert plain.forms == ("printed",)
    assert plain.used == "printed"
    corrected = record(BASE | {"reading": "x = 2"})
    assert corrected.forms == FORMS
    assert corrected.used == "reading"


def outcome(**change: Any) -> Outcome:
    base: dict[str, Any] = {
        "form": "printed",
        "seed": 0,
        "number": 1234,
        "violations": 0,
        "worst": -1.0,
        "at": MappingProxyType({}),
        "counterexample": None,
        "unit": "",
        "tolerance": 1e-9,
    }
    return Outcome(**(base | change))


def test_the_verdict_follows_from_outcome_argument_and_derivation(
    monkeypatch: pytest.MonkeyPatch,
):
    bare, argued = record(BASE), record(BASE | {"proof": ["one step"]})
    derived = record(BASE | {"derivation": "A"})
    corrected = record(BASE | {"proof": ["one step"], "reading": "x = 2"})
    assert judge(argued, "printed", outcome()) == UNSHOWN  # nobody has read it with its check
    monkeypatch.setattr(ledger, "as_reviewed", lambda item: True)
    assert judge(bare, "printed", None) == UNTESTABLE
    assert judge(bare, "printed", outcome()) == TESTED
    assert judge(argued, "printed", outcome()) == ARGUED
    assert judge(argued, "printed", outcome(violations=1)) in CONTRADICTED
    assert judge(argued, "printed", outcome(counterexample=0.1)) in CONTRADICTED
    assert judge(argued, "printed", outcome(counterexample=-math.inf)) == ARGUED
    # An argument is for the form that we use, and says nothing about the other one.
    assert judge(corrected, "printed", outcome()) == TESTED
    assert judge(corrected, "reading", outcome()) == ARGUED
    assert judge(derived, "printed", outcome(), derivations={"A": True}) == ALGEBRA
    assert judge(derived, "printed", outcome(), derivations={"A": False}) == BROKEN
    assert judge(derived, "printed", outcome(), derivations={}) == BROKEN


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"claim": "The moon is made of cheese."}, id="claim"),
        pytest.param({"printed": "0 = 1"}, id="printed"),
        pytest.param({"proof": ("Obvious.",)}, id="proof"),
        pytest.param({"derivation": None}, id="no derivation"),
        pytest.param({"hypotheses": ()}, id="no hypotheses"),
    ],
)
def test_no_verdict_survives_another_text(change: dict[str, Any]):
    for item in statements():
        other = replace(item, **change)
        for form in item.forms:
            assert judge(item, form, None) != UNSHOWN, f"{item.id}: {REREAD}"
            assert other == item or judge(other, form, None) == UNSHOWN


def simple(*gaps: float, **change: Any) -> Check:
    values = np.array(gaps)
    return Check(
        draw=lambda generator, number: {"x": generator.uniform(0, 1, len(values))},
        gap=lambda draws, form: values if len(draws["x"]) == len(values) else draws["x"],
        unit="apart",
        **change,
    )


def run(check: Check, **change: Any) -> Outcome:
    return measure(check, "printed", generator=np.random.default_rng(0), seed=0, **change)


def test_measure_counts_and_finds_the_worst():
    found = run(simple(-1, 1e-12, 3, 2))
    assert (found.violations, found.worst, found.number) == (2, 3, 4)
    assert found.at == {"x": np.random.default_rng(0).uniform(0, 1, 4)[2]}
    assert found.fails
    assert not run(simple(-1, 1e-12)).fails
    assert run(simple(-1, -1), counterexample={"x": 0.5}).fails
    assert not run(simple(-1, -1), counterexample={"x": -0.5}).fails


def test_a_gap_that_is_no_number_is_a_failure():
    assert run(simple(-1, math.nan)).worst == math.inf
    assert run(simple(-1, -1), counterexample={"x": math.nan}).fails
    assert run(simple()).worst == -math.inf
    assert not run(simple()).fails


def test_attained_is_the_part_of_the_bound():
    assert run(simple(-1, math.log(0.75), constants=True)).attained == pytest.approx(0.75)
    assert run(simple(-1)).attained is None


@pytest.mark.parametrize("number", [0, -1, 1.5, True])
def test_a_wrong_number_of_draws_is_refused(number: object):
    with pytest.raises(DomainError, match="draws"):
        run(simple(1), number=number)


@pytest.mark.parametrize("seed", [-1, 1.0, True])
def test_a_wrong_seed_is_refused(seed: Any):
    with pytest.raises(DomainError, match="seed"):
        evaluate(statement("ACC:Cor3.2:eps21"), seed=seed)


def test_draws_depend_on_seed_and_statement_alone():
    item = statement("ACC:Cor3.2:eps21")
    first, again = evaluate(item, seed=3), evaluate(item, seed=3)
    assert first.verdicts == again.verdicts
    other = evaluate(item, seed=4).of("printed").outcome
    assert other is not None
    mine = first.of("printed").outcome
    assert mine is not None
    assert other.at != mine.at
    renamed = evaluate(replace(item, id="ACC:Cor3.2:other"), seed=3).of("printed").outcome
    assert renamed is not None
    assert renamed.at != mine.at


def test_lookups():
    with pytest.raises(DomainError, match="no statement"):
        statement("ACC:Nowhere")
    with pytest.raises(KeyError):
        find("nowhere.eps2")


def test_every_id_is_unique_and_every_field_is_of_its_set():
    ids = [item.id for item in statements()]
    assert len(set(ids)) == len(ids) >= 70
    for item in statements():
        assert re.fullmatch(r"(ACC|CCV|KS|BCMM|DPLR):[\w.]+(:[\w.+-]+)*", item.id), item.id
        assert set(item.pages) <= PAGES, item.id
        assert all(re.fullmatch(r"E\d+", number) for number in item.errata), item.id
        assert item.derivation is None or item.derivation in DERIVATIONS, item.id
        for words in (item.title, item.claim, item.printed):
            assert words, item.id
        for text in (item.claim, item.why, item.smallest, *item.proof):
            assert not text or text.endswith((".", "!", ":")), (item.id, text)
        if item.reading is not None:
            assert item.reading != item.printed, item.id
            assert item.why, item.id
            assert item.proof, item.id


def test_what_a_counterexample_opens_can_be_opened():
    for item in statements():
        if item.study is not None:
            codec.from_json(item.study)
        if item.map is not None:
            assert design.from_text(item.map), item.id


@pytest.mark.parametrize("paper", PAPERS)
def test_stored_verdicts_are_the_computed_ones(paper: str):
    """The whole ledger is tested here; no form that we use may fail."""
    kept = verdicts.stored(paper)
    assert list(kept) == [item.id for item in statements_of(paper)], "run python -m rates.verdicts"
    for item in statements_of(paper):
        found = evaluate(item)
        if not item.simulated:  # no formula of ours rests on what the text says of its figures
            assert found.of(item.used).words not in CONTRADICTED, item.id
        for old, new in zip(kept[item.id], verdicts.of_evaluation(found), strict=True):
            same = [replace(v, worst=None, attained=None) for v in (old, new)]
            assert same[0] == same[1], item.id
            for a, b in ((old.worst, new.worst), (old.attained, new.attained)):
                assert (a is None) == (b is None), item.id
                assert a is None or a == pytest.approx(b, rel=1e-3, abs=1e-6), item.id


def test_stored_numbers_are_strict_json(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    first = statements_of("ACC")[0]
    monkeypatch.setattr(verdicts, "statements_of", lambda paper: (first,))
    monkeypatch.setattr(verdicts, "__file__", str(tmp_path / "statements" / "verdicts.py"))
    (tmp_path / "claims").mkdir()
    verdicts.main(["ACC"])
    text = (tmp_path / "claims" / "verdicts-acc.json").read_text(encoding="utf-8")
    assert first.id in text
    assert "Infinity" not in text
    assert "NaN" not in text


def test_infinite_gaps_survive_the_file():
    found = verdicts.to_store(evaluate(statement("ACC:Cor3.2:eps21")).of("printed"))
    written = {key: verdicts._write(v) for key, v in {"worst": math.inf, "x": -math.inf}.items()}
    assert written == {"worst": "inf", "x": "-inf"}
    assert {key: verdicts._read(v) for key, v in written.items()} == {
        "worst": math.inf,
        "x": -math.inf,
    }
    assert verdicts._read(found.words) in CONTRADICTED


def test_what_was_read_again_is_noted_and_an_unknown_id_is_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr(verdicts, "__file__", str(tmp_path / "statements" / "verdicts.py"))
    (tmp_path / "claims").mkdir()
    verdicts.main(["--reviewed", "ACC:Eq3"])
    written = json.loads((tmp_path / "claims" / "reviewed-acc.json").read_text("utf-8"))
    assert written == reviewed.reviewed("ACC")
    with pytest.raises(DomainError):
        verdicts.main(["--reviewed", "ACC:Eq99"])


def test_sympy_is_never_imported():
    code = (
        "import sys; from rates.statements.ledger import evaluate, statements_of;"
        "from rates.verdicts import stored; from rates.statements import coverage;"
        "stored('ACC'); coverage('ACC');"
        "[evaluate(item, number=20) for item in statements_of('ACC')];"
        "print([m for m in ('sympy', 'scipy.stats', 'mpmath') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("paper", PAPERS)
def test_every_statement_stands_in_one_section(paper: str):
    rows = coverage(paper)
    listed = [name for row in rows for name in row.covered]
    assert sorted(listed) == sorted(item.id for item in statements_of(paper))
    assert all(row.covered or row.left_out for row in rows)
    assert len({row.section for row in rows}) == len(rows)


def test_a_section_that_the_table_does_not_name_is_refused(monkeypatch: pytest.MonkeyPatch):
    stray = Statement(**(BASE | {"section": "9.9"}))
    monkeypatch.setattr("rates.statements.covered.statements_of", lambda paper: (stray,))
    with pytest.raises(DomainError, match="section"):
        coverage.__wrapped__("ACC")
