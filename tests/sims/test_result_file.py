"""Results that cannot be lost: what a file holds only gets richer, and a run goes on."""

from __future__ import annotations

import errno
import json
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from rates.numbers import DomainError
from sims import experiments, files, result_file
from sims.__main__ import main
from sims.engine.runs import Request, run
from sims.result_file import ResultFile
from tests.sims.toy import TOY

OTHER = replace(TOY, name="other")


@pytest.fixture(autouse=True)
def only_toys(monkeypatch):
    monkeypatch.setattr(experiments, "EXPERIMENTS", (TOY, OTHER))


def asked(replicates: int = 30, seed: int = 0, **values) -> Request:
    return Request(experiment=TOY, values=values, replicates=replicates, seed=seed)


def whole(request: Request) -> bytes:
    (*_, last) = run(request)
    return files.to_csv(last).encode()


def interrupted(request: Request, path: Path, steps: int) -> None:
    """Leave what a run that ends after a few steps leaves."""
    out = ResultFile(str(path), request, every=0.0)
    for step, progress in enumerate(run(request)):
        out.save(progress)
        if step == steps:
            out.close(replace(progress, state="stopped"))
            return


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "out.csv"


def go(path: Path, *more: str, **parts) -> int:
    """The command line on a file that asks for 30 replicates of the toy, or as given."""
    said = {"version": 1, "experiment": "toy", "replicates": 30, **parts}
    file = path.with_name("asked.json")
    file.write_text(json.dumps(said), "utf-8")
    return main(["run", str(file), "--out", str(path), *more])


@pytest.mark.parametrize("steps", [0, 3, 7, 11])
def test_a_resumed_file_is_an_uninterrupted_one(steps, capsys, monkeypatch, path):
    """And what was done is not done again."""
    want = whole(asked())
    interrupted(asked(), path, steps)
    assert b"# state partial" in path.read_bytes()
    assert result_file.beside(path).exists()
    sample = Mock(side_effect=TOY.sample)
    monkeypatch.setattr(experiments, "EXPERIMENTS", (replace(TOY, sample=sample),))
    assert go(path, "--resume") == 0
    assert 0 < sum(len(call.args[3]) for call in sample.call_args_list) < asked().total
    assert path.read_bytes() == want
    assert not result_file.beside(path).exists()
    assert go(path, "--resume") == 0
    assert "already holds the complete result" in capsys.readouterr().err
    assert path.read_bytes() == want


@pytest.mark.parametrize("there", [0, 3, 4, 7, 12, 29, 30])
def test_a_block_that_is_not_whole_is_computed_again(there):
    (*_, want) = run(asked())
    (*_, last) = run(asked(), kept=[row[:there] for row in want.replicated])
    assert last.state == "finished"
    assert last.counts == want.counts
    assert (last.replicated == want.replicated).all()
    assert last.resumed == 6 * max(end for end in (0, 4, 12, 28, 30) if end <= there)


def test_a_complete_result_outlives_an_interrupted_repetition(path):
    want = whole(asked())
    path.write_bytes(want)
    interrupted(asked(), path, 5)
    assert path.read_bytes() == want
    interrupted(asked(seed=1), path, 5)
    assert path.read_bytes() == want
    (*_, last) = run(asked(seed=1))
    ResultFile(str(path), asked(seed=1)).close(last)
    assert path.read_bytes() == whole(asked(seed=1))
    path.unlink()
    (*_, few), out = run(asked(2)), ResultFile(str(path), asked(2))
    path.write_bytes(want)  # another run writes more meanwhile
    out.close(few)
    assert path.read_bytes() == want


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda p: p.write_text("my notes\n"), "must be new, empty or a result of this program"),
        (lambda p: p.write_bytes(b"\xff\xfe\0"), "must be new, empty or a result"),
        (lambda p: p.write_text("# experiment toy\n"), "must be new, empty or a result"),
        (lambda p: p.write_bytes(whole(asked()).replace(b"toy", b"other", 1)), "result of other"),
        (lambda p: p.write_bytes(whole(asked(40))), "holds 240 evaluations, more than"),
        (lambda p: p.mkdir(), "not a regular file"),
    ],
)
def test_what_must_not_be_written_is_refused_before_the_run(made, words, monkeypatch, path):
    made(path)
    before = path.read_bytes() if path.is_file() else None

    for begin in ("sims.engine.run", "sims.__main__.show"):
        monkeypatch.setattr(begin, pytest.fail)
    assert go(path) == 2
    with pytest.raises(DomainError, match=words):
        ResultFile(str(path), asked())
    assert (path.read_bytes() if path.is_file() else None) == before
    assert sorted(p.name for p in path.parent.iterdir()) == ["asked.json", "out.csv"]


@pytest.mark.parametrize(
    ("name", "other"), [("seed", 1), ("replicates", 31), ("parameters", {"n": [7]})]
)
def test_another_request_is_not_gone_on_with(name, other, capsys, path):
    interrupted(asked(), path, 4)
    assert go(path, "--resume", **{name: other}) == 2
    assert f"differs in {name}" in capsys.readouterr().err


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"nonsense", None])
def test_a_broken_kept_file_is_refused_in_words(content, capsys, path):
    interrupted(asked(), path, 4)
    side = result_file.beside(path)
    side.write_bytes(side.read_bytes()[:-40] if content is None else content)
    assert go(path, "--resume") == 2
    assert "must be readable and whole; delete it to begin anew" in capsys.readouterr().err
    assert go(path) == 0
    assert path.read_bytes() == whole(asked())


def test_a_disk_full_to_the_end_keeps_what_there_was(monkeypatch, path):
    request = asked()
    interrupted(request, path, 4)
    before = path.read_bytes()

    (*_, last) = run(request)
    out = ResultFile(str(path), request)
    full = Mock(side_effect=OSError(errno.ENOSPC, "No space left on device"))
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(DomainError, match="No space left on device"):
        out.close(last)
    assert path.read_bytes() == before
    assert not list(path.parent.glob(".*part"))
