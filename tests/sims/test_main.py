"""The command line and its files: strict JSON in, a whole CSV out, one line for bad input."""

from __future__ import annotations

import csv
import json
import math
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from sims import experiments
from sims.__main__ import main
from sims.engine.runs import Request, run
from sims.result_file import ResultFile
from tests.sims.toy import TOY

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def only_the_toy(monkeypatch):
    monkeypatch.setattr(experiments, "EXPERIMENTS", (TOY,))


@pytest.fixture
def file(tmp_path):
    def write(text: str | bytes | None = None, **parts) -> str:
        path = tmp_path / "experiment.json"
        if text is None:
            text = json.dumps({"version": 1, "experiment": "toy", **parts})
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return str(path)

    return write


def table(text: str) -> tuple[list[dict[str, str]], list[str]]:
    lines = text.splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    return rows, [line for line in lines if line.startswith("#")]


def test_run_prints_the_table(file, capsys):
    """Arguments take the place of what the file says."""
    path = file(parameters={"n": [10, 1000], "epsilon": "inf"}, seed=1, replicates=7)
    assert main(["run", path, "--seed", "4", "--replicates", "50"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    rows, comments = table(out)
    values = {"n": [10, 1000], "epsilon": math.inf}
    (*_, last) = run(Request(experiment=TOY, values=values, replicates=50, seed=4))
    assert rows == [
        {
            **{"series": point.series, "x": f"{point.x:g}", "n": f"{point.x:g}"},
            **{"mean": str(one.mean), "stderr": str(one.stderr), "replicates": "50"},
            **{"theory": str(point.theory), "low": str(one.low), "high": str(one.high)},
        }
        for point, one in last.seen()
    ]
    assert [point.series for point, _ in last.seen()] == ["slow, first"] * 2 + ["fast"] * 2
    said = [c for c in comments if c.startswith("# low and high 95% Monte-Carlo interval")]
    assert said
    assert {"# seed 4", "# state complete"} <= {*comments}
    (parameters,) = [c for c in comments if c.startswith("# parameters ")]
    told = {"n": [10, 1000], "epsilon": "inf", "pause": 0, "law": "gamma"}
    assert json.loads(parameters[13:]) == told
    slopes = [c.rsplit(" ", 3) for c in comments if c.startswith("# slope ")]
    assert [s[0] for s in slopes] == ["# slope slow, first", "# slope fast"]
    assert [float(s[3]) for s in slopes] == pytest.approx([-0.25, -0.5])
    assert abs(float(slopes[1][1]) + 0.5) < 0.2


def test_workers_give_the_same_file(file, tmp_path, capsys):
    path = file(replicates=30)
    here, there = tmp_path / "here.csv", tmp_path / "there.csv"
    assert main(["run", path, "--out", str(here)]) == 0
    assert main(["run", path, "--workers", "2", "--out", str(there)]) == 0
    assert here.read_bytes() == there.read_bytes()
    assert capsys.readouterr() == ("", "")
    names = {p.name for p in tmp_path.iterdir()}
    assert names == {"experiment.json", "here.csv", "there.csv"}


def test_partial_results_lie_on_disk_at_any_time(tmp_path):
    path = tmp_path / "out.csv"
    request = Request(experiment=TOY, replicates=50)
    out, seen = ResultFile(str(path), request, every=0.0), []
    for progress in run(request):
        out.written = -math.inf
        out.save(progress)
        rows, comments = table(path.read_text("utf-8"))
        assert len(rows) == 6
        assert sum(int(r["replicates"]) for r in rows) == progress.done
        seen.append(comments[10])
    assert seen[0] == "# state partial, 4 of 300 evaluations"
    assert seen[-1] == "# state complete"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.csv"]


def test_an_interrupted_run_keeps_its_file(tmp_path, file, capsys, monkeypatch):
    seen = 0

    def interrupted(values, point, seed, indices):
        nonlocal seen
        seen += 1
        if seen == 4:
            signal.raise_signal(signal.SIGINT)
        return TOY.sample(values, point, seed, indices)

    monkeypatch.setattr(experiments, "EXPERIMENTS", (replace(TOY, sample=interrupted),))
    out = tmp_path / "out.csv"
    # A shell that starts these tests in the background has them ignore it.
    heeded = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert main(["run", file(), "--out", str(out)]) == 130
    finally:
        signal.signal(signal.SIGINT, heeded)
    (line,) = capsys.readouterr().err.splitlines()
    assert "interrupted; what was there is kept; --resume goes on" in line
    assert "# state partial, 16 of 300 evaluations" in out.read_text("utf-8")


def refused(arguments, capsys) -> str:
    """The one line of a command that ends without an answer."""
    try:
        status = main(arguments)
    except SystemExit as end:
        status = end.code
    out, err = capsys.readouterr()
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    return err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"version":2,"experiment":"toy"}', "version must be 1"),
        ('{"version":1,"experiment":"no"}', "The experiment must be one of those"),
        ('{"version":1,"experiment":"toy","x":1}', "Unknown key"),
        ('{"version":1,"experiment":"toy","replicates":NaN}', "no NaN or Infinity"),
        ('{"version":1,"experiment":"toy","parameters":{"eps":1}}', "Unknown parameter"),
        (b"\xff\xfe", "text in UTF-8"),
        (" " * 4_000_001, "at most 4 MB"),
    ],
)
def test_bad_files_get_one_line(text, words, file, capsys):
    assert words in refused(["run", file(text)], capsys)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--replicates", "abc"], "invalid int value"),
        (["--seed", "-1"], "The seed must be"),
        (["--workers", "0"], "workers must be"),
        (["--scheduler", "tcp://127.0.0.1:1"], "A Dask scheduler must answer"),
        (["--scheduler", ""], "A Dask scheduler must answer"),
        (["--out", "/no/such/folder/out.csv"], "The output file must be writable: No such file"),
        (["--out", "/dev/null"], "The output file must be writable: not a regular file"),
        (["--out", "a\0b"], "The output file must be writable"),
    ],
)
def test_bad_arguments_get_one_line(arguments, words, file, capsys, monkeypatch):
    monkeypatch.setattr("sims.engine.pools.PATIENCE", 0.2)
    assert words in refused(["run", file(), *arguments], capsys)


def test_list_shows_what_can_be_asked(capsys):
    assert main(["list"]) == 0
    text = capsys.readouterr().out
    assert "toy: Does the machinery work?" in text
    assert "  n = [10, 100, 1000]" in text
    assert '"gamma" or "exponential"' in text
    assert main(["list", "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert told["name"] == "toy"
    about = {p["name"]: p for p in told["parameters"]}
    found = about["n"]["default"], about["epsilon"]["high"], about["law"]["options"]
    assert found == ([10, 100, 1000], "inf", ["gamma", "exponential"])


def test_as_a_module_on_the_shipped_experiments():
    command = [sys.executable, "-m", "sims", "list", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stderr == ""
    names = [told["name"] for told in json.loads(done.stdout)]
    assert len(set(names)) == len(names)
    assert "toy" not in names
