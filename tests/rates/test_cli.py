"""The command line: both answers, strict JSON, one line for bad input, no traceback."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys

import pytest

import rates
from rates.__main__ import main
from rates.presets import PRESETS, preset
from rates.study.codec import to_json
from tests.conftest import ROOT
from tests.depth import deep_after
from tests.rates.made import everywhere

HOSPITALS = to_json(preset("hospitals").study)


@pytest.mark.parametrize("entry", PRESETS, ids=lambda p: p.key)
def test_json_is_strict_and_says_what_the_engine_says(entry, run):
    status, data, _ = run("solve", to_json(entry.study), "--json")
    answer = rates.solve(entry.study)
    assert status == 0
    if hasattr(answer, "r"):
        wanted = (answer.r, answer.rate, list(answer.shares), rates.calibrated(entry.study).r)
        assert (data["r"], data["rate"], data["shares"], data["calibrated"]["r"]) == wanted
    else:
        assert data["integrated"]["D"] == answer.integrated.D
        assert data["pointwise"]["rate"] == answer.pointwise.rate


def test_text_shows_both_answers(run):
    text = run("solve", HOSPITALS)[1]
    for told in ("r = 0.0989757", "rate over the rate without privacy 3.008 to 3.425", "Cleveland"):
        assert told in text


def test_no_information_is_inf_in_json(run):
    data = run("solve", to_json(everywhere(preset("phones").study, n=0)), "--json")[1]
    assert (data["integrated"]["D"], data["integrated"]["log_D"]) == (0, "-inf")
    assert data["privacy_cost"]["integrated"]["equation"]["kept"] is None


def test_a_missing_delta_leaves_the_equation(run):
    status, out, _ = run("solve", HOSPITALS.replace('"delta": 1e-06', '"count": 1', 1))
    assert status == 0
    for told in ("r = 0.0989757", "needs delta", "Hungary"):
        assert told in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["solve", "no-such-file.json"], "No such file"),
        (["solve", "."], "readable"),
        (["solve", "a\0b"], "valid path"),
        (["nonsense"], "invalid choice"),
        ([], "required"),
    ],
)
def test_bad_calls_say_so_in_one_line(arguments, words, capsys):
    try:
        status = main(arguments)
    except SystemExit as left:
        status = left.code
    said = capsys.readouterr()
    assert (status, said.err.count("\n"), said.out) == (2, 1, "")
    assert words in said.err


def test_a_bad_study_is_refused_in_one_line(run):
    status, out, error = run("solve", HOSPITALS.replace('"n": 303', '"n": -3'))
    assert (status, out, error.count("\n")) == (2, "", 1)
    for word in ("non-negative integer", "Cleveland", "field n", "-3"):
        assert word in error


def called(tmp_path, line, text=HOSPITALS, **environment):
    """What ends a line of a shell, with PYTHON and FILE in it."""
    (tmp_path / "study.json").write_text(text, "utf-8")
    line = line.replace("PYTHON", sys.executable).replace("FILE", str(tmp_path / "study.json"))
    asked = {"capture_output": True, "text": True, "env": os.environ | environment}
    return subprocess.run(["sh", "-c", line], **asked, cwd=ROOT, check=False)


def test_any_terminal_can_show_the_answer(tmp_path):
    text = to_json(preset("phones").study).replace("Phones", "電話 ⚖️")
    ascii_only = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = called(tmp_path, "PYTHON -m rates solve FILE", text, **ascii_only)
    assert done.returncode == 0
    assert math.isclose(float(done.stdout.split("D = ")[1].split(",")[0]), 31.6228)


FULL = [">/dev/full", ">&-", ">/dev/full 2>&1", ">&- 2>&-"]
CALLS = [(line, to) for line in ("rates solve FILE", "sims list") for to in FULL]


@pytest.mark.skipif(sys.platform != "linux", reason="Its disk that is always full.")
@pytest.mark.parametrize(("line", "to"), deep_after(5, CALLS))
def test_an_output_that_takes_nothing_is_told_in_one_line(line, to, tmp_path):
    done = called(tmp_path, f"exec PYTHON -m {line} {to}")
    assert done.returncode == 2
    if "2>" in to:
        assert not done.stderr
    else:
        assert re.fullmatch(r"python -m .*must take what is printed.*\n", done.stderr)
