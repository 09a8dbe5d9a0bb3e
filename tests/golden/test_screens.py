"""Every page and tab shows what is stored, and a difference is told."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from make_screens import OF_A_MACHINE, differences  # noqa: E402

LINES = ['markdown ""', "  body: At ε = **0.2** it decides.", "plotly_chart", "  y: 1 2.5 1e-17"]


def test_no_stored_screen_is_an_error():
    for path in sorted((HERE / "screens").glob("*.json.gz")):
        for screen, lines in json.loads(gzip.decompress(path.read_bytes())).items():
            assert not any(line.startswith("exception") for line in lines), screen


@pytest.mark.deep
def test_every_screen_shows_what_is_stored():
    """Run `python tests/golden/make_screens.py --check`, which also says how to look closer."""
    command = [sys.executable, str(HERE / "make_screens.py"), "--check", "--processes", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-2000:]}"


def test_a_difference_is_told_and_rounding_is_none():
    rounded = [*LINES[:3], "  y: 1.0000000001 2.5 0"]
    assert differences({"a": LINES}, {"a": rounded}, most=9) == []
    now = [LINES[0], LINES[1].replace("2", "3"), 'caption ""', *LINES[2:]]
    told = ["a", f"  ~ {LINES[1]} -> {now[1].strip()}", '  + caption ""']
    assert differences({"a": LINES}, {"a": now}, most=9) == told
    assert differences({}, {"a": LINES}, most=1)[1] == "  - not stored"


def test_of_what_a_processor_decides_the_elements_are_compared():
    name, other = min(OF_A_MACHINE), [line.replace("2", "3") for line in LINES]
    assert differences({name: LINES}, {name: other}, most=9) == []
    assert differences({name: LINES}, {name: LINES[2:]}, most=9)[0] == name
