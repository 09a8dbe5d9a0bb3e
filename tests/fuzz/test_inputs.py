"""Junk into all that reads: it is answered in numbers, or refused in words by one exception.

The whole of it: ``pytest -m slow tests/fuzz``.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import rates
import rates.__main__
import sims.__main__
from rates.decision import decide, sentences, use_of
from rates.numbers import DomainError, number_from_text, numbers_from_text
from rates.orders import EXAMPLES, inquiry
from rates.rows import csv_text, read
from rates.study import PRESETS, Scope, codec, scope_of
from sims import files
from sims.bcmm import read_table
from sims.dplr import read_sites
from sims.engine import check_values
from sims.experiments import EXPERIMENTS
from sims.lessons import read_list
from sims.real import REAL, available
from tests.fuzz import grammar

SLOWEST = 10.0  # seconds of the processor that one input may take
STUDIES = [codec.to_dict(p.study, scope_of(p.study)) for p in PRESETS]
STUDIES = [made for made in STUDIES if len(json.dumps(made)) < 4000]
RATES = [inquiry.to_dict(made) for made in EXAMPLES]
# Not as a `Request`, which would name its points, and compute exact risks, wherever tests are read.
RUNS = [
    files.to_dict(
        SimpleNamespace(experiment=e, values=check_values(e.parameters, {}), replicates=2, seed=1)
    )
    for e in EXPERIMENTS
    if e is not REAL or available()  # whose records come with a package
]
SITES = (
    "name,role,n,epsilon,delta,signal_exponent,count\nA,target,400,1,1e-6,1,1\nB,,900,inf,,0.8,3\n",
    "Klinik;Patienten;Budget;Ziel\nNord;1.912;0,3;x\nOst;58;keins;\nSumme;1.970;;\n",
    "Site\tRecords\tBudget ε\tTarget\nA\t2.000\t0,3\tx\nB\t17\t1\t\n",
)
TABLES = (
    "age,dose,ill\n" + "\n".join(f"{k},{k * k % 11},{int(k % 5 > 2)}" for k in range(60)),
    "source,y,a,b\n" + "\n".join(f"s{k % 3},{k % 2},{k / 7:.3f},{k * k % 5}" for k in range(40)),
    "domain,label,age\n"
    + "\n".join(f"{d},{k / 9},{k}" for d in ("public", "private") for k in range(9)),
    "x,y\n0,-0.5\n0.25,0.5\n1,-0.5\n",
)


def finite(found: Any, where: str = "") -> Iterator[str]:
    """What of an answer is nan, by the path to it."""
    if is_dataclass(found):
        for field in fields(found):
            yield from finite(getattr(found, field.name), f"{where}.{field.name}")
    elif isinstance(found, tuple | list):
        for k, part in enumerate(found):
            yield from finite(part, f"{where}[{k}]")
    elif isinstance(found, float) and math.isnan(found):
        yield where


def study(chance: Random) -> None:
    given = grammar.link(chance, chance.choice(STUDIES))
    found, scope = codec.open_link(given)
    assert codec.from_json(codec.to_json(found)) == found
    short = codec.to_link(found, scope)
    if len(short) <= codec.MAX_LINK:
        assert codec.open_link(short) == (found, scope)
    answer = rates.solve(found)
    assert not list(finite(answer))
    if chance.random() < 0.1:
        told = scope or Scope()
        use, gain = use_of(found, told)[0], 1.25 if told.gain is None else told.gain
        decision = decide(found, use=use, needed=told.needed, gain=gain)
        pieces = [piece for said in sentences(decision) for piece in said.pieces]
        assert not any(kind == "number" and "nan" in text for kind, text in pieces)


def study_file(chance: Random) -> None:
    found = codec.from_json(grammar.raw(chance, grammar.written(chance, chance.choice(STUDIES))))
    assert codec.from_json(codec.to_json(found)) == found


def rows(chance: Random) -> None:
    kind = chance.choice(("transfer", "federated", ""))
    given = grammar.raw(chance, grammar.text(chance, chance.choice(SITES)))
    found = read(given, kind=kind)
    assert all(isinstance(refusal, DomainError) for refusal in found.refusals)
    answers = {q.key: chance.choice([*q.options, "none"]) for q in found.questions if q.options}
    if answers:
        found = read(given, kind=kind, answers=answers)
    for row in found.rows:
        assert not list(finite(tuple(row.values())))
    if found.rows and not found.refusals:
        csv_text([dict(row) for row in found.rows])


def table(chance: Random) -> None:
    given = grammar.raw(chance, grammar.text(chance, chance.choice(TABLES)))
    chance.choice((read_sites, read_table))(given)


def number(chance: Random) -> None:
    given = grammar.text(chance, chance.choice(grammar.NUMBERS))
    alone = chance.random() < 0.5
    found = number_from_text(given, "n", "here") if alone else numbers_from_text(given, "n")
    assert not list(finite(found))


def order(chance: Random) -> None:
    found = inquiry.from_json(grammar.raw(chance, grammar.written(chance, chance.choice(RATES))))
    assert inquiry.from_json(inquiry.to_json(found)) == found


def experiment(chance: Random) -> None:
    found = files.read_request(grammar.raw(chance, grammar.written(chance, chance.choice(RUNS))))
    again = files.read_request(files.to_json(found))
    assert (again.values, again.seed) == (found.values, found.seed)


def playlist(chance: Random) -> None:
    read_list(grammar.text(chance, "tour,odds,free:1,carry.own,votes"))


KINDS = {  # of 100,000
    **{study: 25_000, study_file: 10_000, rows: 25_000, table: 10_000, number: 15_000},
    **{order: 5_000, experiment: 7_000, playlist: 1_000},
}
RUN = [pytest.param(250, id="few"), pytest.param(40, marks=pytest.mark.deep, id="more")]


@pytest.mark.parametrize("part", [*RUN, pytest.param(1, marks=pytest.mark.slow, id="all")])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_what_is_read_is_answered_or_refused(kind: Callable[[Random], None], part: int) -> None:
    for seed in range(KINDS[kind] // part):
        what, began = f"{kind.__name__} {seed}", time.process_time()
        try:
            with contextlib.suppress(DomainError):
                kind(Random(what))
        except Exception as error:
            error.add_note(what)
            raise
        assert time.process_time() - began < SLOWEST, what


def line(chance: Random, place: Path) -> tuple[Callable[[list[str]], int], list[str]]:
    """A command line with a file that is junk, or arguments that are."""
    file = place / "given.json"
    main, given, words = chance.choice(_LINES)
    made = chance.choice(given)
    sound = chance.random() < 0.4
    changed = b"" if sound else grammar.raw(chance, grammar.written(chance, made))
    file.write_bytes(json.dumps(made).encode() if sound else changed)
    told = [str(file) if word == "FILE" else word for word in words]
    for k, word in enumerate(told):
        if word == "#" or (chance.random() < 0.1 and word != str(file)):
            told[k] = chance.choice(grammar.NUMBERS + grammar.TEXTS)
    return main, [word.replace("\x00", "") for word in told]


_PLAN = ["plan", "FILE", "--fraction", "#", "--quantity", "n", "--servers", "all"]
_RUN = ["run", "FILE", "--out", "/dev/null"]  # which is refused once the file is read
_FURTHER = ["--site-n", "#", "--site-epsilon", "#", "--site-delta", "#", "--site-gamma", "#"]
_LINES: tuple[tuple[Callable[[list[str]], int], list[Any], list[str]], ...] = (
    (rates.__main__.main, STUDIES, ["solve", "FILE"]),
    (rates.__main__.main, STUDIES, ["solve", "FILE", "--json"]),
    (rates.__main__.main, STUDIES, [*_PLAN, "--json"]),
    (rates.__main__.main, STUDIES, [*_PLAN[:4], "--quantity", "sites", *_FURTHER]),
    (rates.__main__.main, STUDIES, ["decide", "FILE", "--needed", "#", "--gain", "1.5"]),
    (rates.__main__.main, STUDIES, ["decide", "FILE", "--use", "each", "--json"]),
    (rates.__main__.main, STUDIES, ["decide", "FILE"]),
    (rates.__main__.main, STUDIES, ["check", "#"]),
    (rates.__main__.main, RATES, ["orders", "FILE", "--json"]),
    (sims.__main__.main, RUNS, [*_RUN, "--replicates", "#", "--seed", "#"]),
    (sims.__main__.main, RUNS, ["list", "--json"]),
    (sims.__main__.main, RUNS, ["run", "#", "--workers", "#"]),
)
_NOT_A_NUMBER = re.compile(r"(?<![\w'\"*-])(nan|None)(?![\w'\"*-])")


class Screen(io.StringIO):
    """A standard stream that keeps what is printed."""

    def reconfigure(self, **_: object) -> None:
        """Take what a stream of the system takes."""


@pytest.mark.parametrize(
    "many",
    [8, pytest.param(100, marks=pytest.mark.deep), pytest.param(2_000, marks=pytest.mark.slow)],
)
def test_command_lines_end_in_words(tmp_path: Path, many: int, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for seed in range(many):
        main, told = line(Random(seed), tmp_path)
        out, said = Screen(), Screen()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
            try:
                status = main(told)
            except SystemExit as end:
                status = end.code
            except BaseException as error:
                error.add_note(f"line {seed}: {told} {Path('given.json').read_bytes()[:300]!r}")
                raise
        assert status in (0, 2, 3), (seed, told)
        assert "Traceback" not in said.getvalue(), (seed, told)
        assert (status == 2) == (not out.getvalue() and status != 3), (seed, told, said.getvalue())
        if status == 0 and "--json" in told:
            json.loads(out.getvalue(), parse_constant=pytest.fail)
        elif status == 0:
            assert not _NOT_A_NUMBER.search(out.getvalue()), (seed, told, out.getvalue())
