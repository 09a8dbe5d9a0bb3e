"""The command line: both answers, strict JSON, one line for bad input, no traceback."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rates
from rates.__main__ import main
from rates.study import codec
from rates.study.presets import PRESETS, preset

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def file(tmp_path):
    def write(text: str) -> str:
        path = tmp_path / "study.json"
        path.write_text(text, "utf-8")
        return str(path)

    return write


def refuse_constant(text: str) -> object:
    raise AssertionError(text)


@pytest.mark.parametrize("entry", PRESETS, ids=lambda p: p.key)
def test_json_is_strict_and_says_what_the_engine_says(entry, file, capsys):
    assert main(["solve", file(codec.to_json(entry.study)), "--json"]) == 0
    data = json.loads(capsys.readouterr().out, parse_constant=refuse_constant)
    answer = rates.solve(entry.study)
    if hasattr(answer, "r"):
        assert (data["r"], data["rate"], data["shares"]) == (
            answer.r,
            answer.rate,
            list(answer.shares),
        )
        assert data["calibrated"]["r"] == rates.calibrated(entry.study).r
    else:
        assert data["integrated"]["D"] == answer.integrated.D
        assert data["pointwise"]["rate"] == answer.pointwise.rate


def test_text_shows_both_answers(file, capsys):
    assert main(["solve", file(codec.to_json(preset("hospitals").study))]) == 0
    text = capsys.readouterr().out
    assert "r = 0.0989757" in text
    assert "rate over the rate without privacy 3.008 to 3.425" in text
    assert "Cleveland" in text


def test_no_information_is_inf_in_json(file, capsys):
    study = codec.from_json(codec.to_json(preset("phones").study).replace('"n": 1', '"n": 0'))
    assert main(["solve", file(codec.to_json(study)), "--json"]) == 0
    data = json.loads(capsys.readouterr().out, parse_constant=refuse_constant)
    assert data["integrated"]["D"] == 0
    assert data["integrated"]["log_D"] == "-inf"
    assert data["privacy_cost"]["integrated"]["equation"]["kept"] is None


def test_a_missing_delta_leaves_the_equation(file, capsys):
    text = codec.to_json(preset("hospitals").study).replace('"delta": 1e-06', '"count": 1', 1)
    assert main(["solve", file(text)]) == 0
    out = capsys.readouterr().out
    assert "r = 0.0989757" in out
    assert "needs delta" in out
    assert "Hungary" in out


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
    assert status == 2
    assert words in said.err
    assert (said.err.count("\n"), said.out) == (1, "")


def test_a_bad_study_is_refused_in_one_line(file):
    text = codec.to_json(preset("hospitals").study).replace('"n": 303', '"n": -3')
    done = _run(["solve", file(text)])
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    for word in ("non-negative integer", "Cleveland", "field n", "-3"):
        assert word in done.stderr
    assert "Traceback" not in done.stderr


def test_any_terminal_can_show_the_answer(file):
    text = codec.to_json(preset("phones").study).replace("Phones", "電話 ⚖️")
    done = _run(["solve", file(text)], PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0
    assert math.isclose(float(done.stdout.split("D = ")[1].split(",")[0]), 31.6228)


@pytest.mark.skipif(sys.platform != "linux", reason="Its disk that is always full.")
@pytest.mark.parametrize("to", [">/dev/full", ">&-", ">/dev/full 2>&1", ">&- 2>&-"])
@pytest.mark.parametrize("line", ["rates solve FILE", "sims list"])
def test_an_output_that_takes_nothing_is_told_in_one_line(line, to, file):
    path = file(codec.to_json(preset("hospitals").study))
    call = f'exec "{sys.executable}" -m {line.replace("FILE", path)} {to}'
    done = subprocess.run(["sh", "-c", call], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 2
    if "2>" in to:
        assert not done.stderr
    else:
        assert re.fullmatch(r"python -m .*must take what is printed.*\n", done.stderr)


def _run(arguments: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    import os

    return subprocess.run(
        [sys.executable, "-m", "rates", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environment},
        check=False,
    )
