"""The command for a rate of one's own: verdicts, strict JSON, one line for bad input."""

from __future__ import annotations

import json

import pytest

from rates.__main__ import main

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
        path = tmp_path / "rate.json"
        path.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
        return str(path)

    return write


def test_json_says_terms_thresholds_values_and_verdicts(file, capsys):
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


def test_text_says_the_same(file, capsys):
    assert main(["orders", file(QUESTION)]) == 0
    lines = capsys.readouterr().out.splitlines()
    for start in (
        "  free     n^(-1/2)",
        "  free = private at n^(-1/2)",
        "  value 1, decided by private",
        "Claim 1: the rate is n^(-1/2) where n*eps^2 > 1, eps <= 1",
        "  Holds for all sizes",
        "  It needs 1 of its 2 conditions: n*eps^2 > 1.",
        "  Without n*eps^2 > 1 it fails at n = ",
        "  Does not hold",
        "  Does not hold exactly, but up to constants: 2",
    ):
        assert any(line.startswith(start) for line in lines), start


def test_without_exponents_claims_are_decided_at_draws(file, capsys):
    asked = {
        "version": 1,
        "text": "max(n^-a, n^-b)",
        "sizes": ["n"],
        "exponents": ["a", "b"],
        "claims": [
            {"equals": "n^-a", "where": ["n >= 1"]},
            {"equals": "n^-a", "where": ["n^b >= n^a"]},
        ],
    }
    assert main(["orders", file(asked), "--json"]) == 0
    said, true = json.loads(capsys.readouterr().out)["claims"]
    assert (said["holds"], said["proved"]) == (False, False)
    assert (true["holds"], true["proved"]) == (None, True)
    assert (true["needs"]["minimal"], true["needs"]["proved"]) == ([["n^b >= n^a"]],) * 2
    assert true["needs"]["exponents"]["n^b >= n^a"].keys() == {"a", "b"}
    assert sum(said["draws"].values()) == 100
    assert 30 < said["draws"]["held"] < 70
    assert main(["orders", file(asked)]) == 0
    text = capsys.readouterr().out
    assert "At 100 draws of the exponents, for all sizes: holds at" in text
    assert text.count("Proved for all exponents strictly inside their ranges.") == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"text": "n - 1"}, "Column 3"),
        ({"more": 1}, "more"),
        ({"version": 2}, "version must be 1"),
        ({"claims": [{"equals": "n^(-1/2)", "where": ["n <= q"]}]}, "Claim 1, Column 6 of"),
        (
            {"claims": [{"equals": "n", "where": ["n >= 2", "n <= 1"]}]},
            "'n >= 2 and n <= 1'",
        ),
        ({"claims": [{"says": "n"}]}, "says"),
        ({"sizes": ["n"]}, "eps is not declared"),
        ({"at": {"n": -1}}, "positive"),
        ({"text": None}, "text"),
    ],
)
def test_bad_input_is_one_line(change, said, file, capsys):
    assert main(["orders", file({**QUESTION, **change})]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert captured.err.count("\n") == 1


def test_files_that_are_none(file, capsys, tmp_path):
    for path in (file("{"), file("[1]"), str(tmp_path / "none.json")):
        assert main(["orders", path]) == 2
        assert capsys.readouterr().err.startswith("python -m rates: ")


def test_printed_rates_are_listed_shown_and_compared(capsys):
    for what, said in (
        (["list"], "acc-equal"),
        (["list", "kroll"], "kroll-2021-free   n^(-(2*s-1)/(2*s))"),
        (["list", "no", "such"], "No printed rate"),
        (["show", "kroll-2021-local"], "Source: Kroll 2021"),
        (["compare", "kroll-2021-local"], "kroll-2021-free"),
        (["compare", "kroll-2021-local", "kroll-2021-free"], "at least a constant times"),
        (["compare", "kroll-2021-local", "kroll-2021-free"], "First over second: no bound."),
    ):
        assert main(["printed", *what]) == 0
        assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (["show", "nobody"], "no printed rate"),
        (["compare", "kroll-2021-local", "acc-equal"], "One is of"),
        (["compare", "a", "b", "c"], "two keys at most"),
    ],
)
def test_printed_rates_refuse_in_one_line(what, said, capsys):
    assert main(["printed", *what]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert captured.err.count("\n") == 1
