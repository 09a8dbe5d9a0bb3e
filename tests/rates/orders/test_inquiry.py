"""A question as a file, on the command line, in the README, and as lines of Python."""

from __future__ import annotations

import doctest
import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates.__main__ import main
from rates.numbers import DomainError
from rates.orders import EXAMPLES, inquiry, reading, report, report_text, texts
from rates.orders.draft import letters, with_text
from rates.orders.inquiry import Inquiry, Said
from rates.presets import PRESETS
from tests.house.tree import ROOT

PLAIN: dict[str, Any] = {"version": 1, "text": "(n*eps)^(-b)", "sizes": ["n", "eps"]}


@pytest.mark.parametrize("asked", EXAMPLES, ids=[x.name for x in EXAMPLES])
def test_every_example_can_be_read_and_comes_back_from_its_file(asked: Inquiry) -> None:
    assert inquiry.from_json(inquiry.to_json(asked)) == asked
    assert inquiry.from_json(inquiry.to_json(asked, indent=None).encode()) == asked
    order = reading.order_of(asked)
    assert {*asked.values} == {*asked.sizes, *order.exponents}
    assert asked.reference
    # Typed anew its letters are found as they are declared.
    again = with_text(Inquiry(text="", sizes=()), asked.text, asked.rate)
    assert {*again.sizes} == {*asked.sizes}
    assert {x for x, _ in again.exponents} == {*order.exponents}
    assert (again.unknown, {*again.sites}) == (asked.unknown, {*asked.sites})


BAD: list[tuple[dict[str, Any], str]] = [
    ({"version": 2}, "version must be 1"),
    ({"text": "n" * 501}, "at most 500 characters"),
    ({"sizes": [f"x{k}" for k in range(41)]}, "at most 40 letters"),
    ({"exponents": {"b": [1]}}, "the lower one first"),
    ({"at": {"n": "many"}}, "n must be a number"),
    ({"at": {"n": -1}}, "must be positive"),
    ({"spans": {"n": [10, 1]}}, "the lower one first"),
    ({"spans": {"n": [1e-200, 1e200]}}, "from 1e-30 to 1e.30"),
    ({"exponents": ["b"], "at": {"b": 1e300}}, "at most 1,000 in size"),
    ({"claims": [{"equals": "n", "when": []}]}, "Unknown key"),
    ({"claims": [{"where": ["n <= 1"]}]}, "equals is required"),
    ({"claims": [{"equals": "1"}] * 41}, "at most 40 claims"),
]


@pytest.mark.parametrize(("more", "words"), BAD, ids=[words for _, words in BAD])
def test_what_is_no_question_is_refused_with_its_field(more: dict[str, Any], words: str) -> None:
    twice = inquiry.from_dict(PLAIN | {"exponents": ["b", "b"]})
    assert (twice.sizes, [x for x, _ in twice.exponents]) == (("n", "eps"), ["b"])
    with pytest.raises(DomainError, match=words):
        inquiry.from_json(json.dumps(PLAIN | more))
    old = PLAIN | {"points": [[1, 2]], "rival": "1/n"}  # what was saved once, and is no more
    assert inquiry.from_dict(old) == inquiry.from_dict(PLAIN)


@given(st.text(alphabet="nmab01.+-*/^(),: =_jsqrtumixd", max_size=60))
def test_any_text_has_letters_and_keeps_values(text: str) -> None:
    before = Inquiry(text="n", sizes=("n",), at=(("n", 7.0),), claims=(Said("1"),), where=("1",))
    after = with_text(before, text)
    found = letters(text)
    assert not {*found.sizes} & {*found.exponents}
    assert {*after.values} == {*after.sizes, *(x for x, _ in after.exponents)}
    assert after.values.get("n", 7.0) in (7.0, 1.0)
    assert all(v > 0 and math.isfinite(v) for v in after.values.values())
    assert (after.claims, after.where) == (before.claims, before.where)


def test_letters_by_hand() -> None:
    found = letters("a: max(n^-b, (m*eps)^(-(c+1)/2)) * sqrt(d) + sum_j(x^g)")
    assert (found.sizes, found.exponents) == (("n", "m", "eps", "d", "x"), ("b", "c", "g"))
    assert found.inside == ("x", "g")
    # The letter of an infimum is none of the rate.
    found = letters("inf_h(1/n <= h <= 1, h^(2*b) + 1/(n*h)) + best_k(m, k/n)")
    assert (found.sizes, found.exponents) == (("n", "m"), ("b",))
    for text, unknown in (("n*h^2 + h = 1", "h"), ("inf_h(h <= 1, h + 1/(n*h))", "")):
        assert with_text(Inquiry(text="", sizes=()), text).unknown == unknown


def test_a_row_of_several_sites_counts_as_often() -> None:
    for preset in PRESETS:
        servers = preset.study.servers
        values = reading.by_site(("m", "n"), preset.study)
        assert values["m"].tolist() == [s.count for s in servers]
        if sum(s.count for s in servers) <= 10_000:
            values = reading.by_site(("n", "eps", "gamma"), preset.study)
            assert values["n"].sum() == sum(s.count * s.n for s in servers)
        else:
            with pytest.raises(DomainError, match="at most 10,000 sites"):
                reading.by_site(("n",), preset.study)
    with pytest.raises(DomainError, match="no such letter"):
        reading.by_site(("q",), PRESETS[0].study)


def test_lines_of_python_print_what_the_command_says(capsys) -> None:
    asked = EXAMPLES[0]
    exec(texts.to_python(asked), {})
    assert capsys.readouterr().out == f"{report_text(report(asked))}\n"


def test_the_example_of_a_rate_runs():
    failed, tried = doctest.testfile(str(ROOT / "rates" / "README.md"), module_relative=False)
    assert (failed, tried >= 6) == (0, True)


# The command ------------------------------------------------------------------------------------

QUESTION = {
    "version": 1,
    "text": "max(free: n^(-1/2), private: 1/(n*eps))",
    "sizes": ["n", "eps"],
    "claims": [
        {"equals": "n^(-1/2)", "where": ["n*eps^2 > 1", "eps <= 1"]},
        {"equals": "n^(-1/2)", "where": ["n >= 2"]},
        {"equals": "2*n^(-1/2)", "where": "n*eps^2 >= 1"},
    ],
    "at": {"n": 100, "eps": 0.01},
    "axes": ["eps", "n"],
}


@pytest.fixture
def file(tmp_path):
    def write(data: object) -> str:
        (tmp_path / "rate.json").write_text(json.dumps(data), "utf-8")
        return str(tmp_path / "rate.json")

    return write


def test_json_says_terms_thresholds_values_and_verdicts_and_text_the_same(file, capsys):
    assert main(["orders", file(QUESTION), "--json"]) == 0
    said = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert said["terms"] == {"free": "n^(-1/2)", "private": "1/(n*eps)"}
    (threshold,) = said["thresholds"]
    assert threshold == {"of": "eps", "first": "free", "second": "private", "at": "n^(-1/2)"}
    assert (said["value"], said["deciding"]) == (pytest.approx(1.0), "private")
    first, second, third = said["claims"]
    assert (first["holds"], first["constant"], first["counterexample"]) == (True, 1.0, None)
    assert first["notes"] == [
        "n*eps^2 > 1 is read with >=: what holds inside holds up to the border."
    ]
    assert first["certificate"]["first"] == ["max", [0, 1]]
    assert first["needs"] == {
        "text": "needs 1 of its 2 conditions: n*eps^2 > 1",
        "droppable": ["eps <= 1"],
        "minimal": [["n*eps^2 > 1"]],
        "counterexamples": {"n*eps^2 > 1": first["needs"]["counterexamples"]["n*eps^2 > 1"]},
    }
    assert "needs" not in second
    assert (second["holds"], second["constant"], second["certificate"]) == (False, "inf", None)
    assert set(second["counterexample"]) == {"n", "eps"}
    assert (third["holds"], third["constant"]) == (False, 2.0)
    assert main(["orders", file(QUESTION)]) == 0
    text = capsys.readouterr().out
    for said in ("free = private where eps = n^(-1/2)", "decided by private", "Without n*eps^2 >"):
        assert said in text


def test_without_values_claims_are_decided_at_usual_ones_and_for_all_exponents(file, capsys):
    asked = {"version": 1, "text": "max(n^-a, n^-b)", "sizes": ["n"], "exponents": ["a", "b"]}
    asked["claims"] = [{"equals": "n^-a", "where": [x]} for x in ("n >= 1", "n^b >= n^a")]
    assert main(["orders", file(asked), "--json"]) == 0
    said, true = json.loads(capsys.readouterr().out)["claims"]
    assert (said["holds"], said["proved"], set(said["fails"])) == (True, False, {"a", "b"})
    assert (true["holds"], true["proved"], true["fails"]) == (True, True, None)
    assert true["said"][-1] == "Proved for all exponents strictly inside their ranges."


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"text": "n - 1"}, "Column 3"),
        ({"claims": [{"equals": "n^(-1/2)", "where": ["n <= q"]}]}, "Claim 1, Column 6 of"),
        ({"claims": [{"equals": "n", "where": ["n >= 2", "n <= 1"]}]}, "'n >= 2 and n <= 1'"),
        ({"sizes": ["n"]}, "eps is not declared"),
    ],
)
def test_bad_input_is_one_line(change, said, file, capsys):
    assert main(["orders", file({**QUESTION, **change})]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert captured.err.count("\n") == 1
