"""What the tests of levers know by hand, and the command line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

KNOWN = ("n", "epsilon", "count", "signal_exponent", "sites")


@pytest.fixture(autouse=True)
def known_levers() -> Iterator[None]:
    """Only levers that are written out by hand here; a further one is tested where it is made."""
    from rates.plan import LEVERS

    new = {name: LEVERS.pop(name) for name in [*LEVERS] if name not in KNOWN}
    yield
    LEVERS.update(new)


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
