"""What the tests of levers know by hand, and the command line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.rates.made import KNOWN, levers


@pytest.fixture(autouse=True)
def known_levers(request: pytest.FixtureRequest) -> Iterator[None]:
    """Only levers that tests here know by hand; a file about a further one says LEVER = "name"."""
    with levers(*KNOWN, getattr(request.module, "LEVER", "")):
        yield


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """A command on a study's file: the exit status, what is printed, what is complained about.

    With ``--json`` what is printed is read, and must be strict.
    """
    from rates.__main__ import main

    def ran(command: str, text: str, *flags: str) -> tuple[int, Any, str]:
        (tmp_path / "study.json").write_text(text, "utf-8")
        try:
            status = main([command, str(tmp_path / "study.json"), *flags])
        except SystemExit as end:
            status = int(str(end.code))
        said = capsys.readouterr()
        if said.out and "--json" in flags:
            return status, json.loads(said.out, parse_constant=pytest.fail), said.err
        return status, said.out, said.err

    return ran
