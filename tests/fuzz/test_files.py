"""Bad files of every kind, by every reader: a table or a refusal, in bounded time and memory.

Spreadsheets made to flood are measured one by one in `tests/rates/rows/test_floods.py`.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.house.tree import ROOT

MOST_SECONDS = 10.0  # of the processor, for one file and one reader
MOST_MEMORY = 300.0  # MB more than before; Python with all the readers has 340


@pytest.mark.skipif(sys.platform != "linux", reason="Memory is read as Linux tells it.")
@pytest.mark.parametrize(
    ("first", "last"),
    [pytest.param(0, 20, marks=pytest.mark.deep), pytest.param(20, 500, marks=pytest.mark.slow)],
)
def test_bad_files_are_read_or_refused(first: int, last: int) -> None:
    call = [sys.executable, "-m", "tests.fuzz.files", str(first), str(last)]
    done = subprocess.run(call, capture_output=True, text=True, cwd=ROOT, check=True)
    wrong, (seconds, slowest), memory = json.loads(done.stdout)
    assert wrong == []
    assert seconds < MOST_SECONDS, slowest
    assert memory < MOST_MEMORY
