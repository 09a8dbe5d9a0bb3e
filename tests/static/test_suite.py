"""The tests of rates and sims, run by Pyodide's own Python."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.house.tree import ROOT

PYODIDE = "RATES_PYODIDE"  # the folder of Pyodide's full distribution
# What they need and no browser has: processes, compiled extras, a checkout, a command line.
WITHOUT = {
    "--ignore-glob=*/test_cli.py",
    "--ignore-glob=*/test_main.py",
    "--ignore-glob=*/test_outlet.py",
    "--ignore-glob=*/test_signals.py",
    "--ignore-glob=*/classroom/*",
    "--ignore-glob=*/curves/test_wavelets.py",
}


@pytest.mark.deep
@pytest.mark.parametrize("top", ["rates", "sims"])
def test_the_tests_pass_where_whole_numbers_have_32_bits(top):
    folder, node = os.environ.get(PYODIDE), shutil.which("node")
    if not folder or not node:
        pytest.skip(f"{PYODIDE} names no folder with Pyodide's full distribution, or no Node.")
    if find_spec("hypothesis._native"):
        pytest.skip("This Hypothesis is compiled: Pyodide needs an older one, of Python alone.")
    script = ROOT / "tests" / "static" / "suite.mjs"
    command = [node, str(script), folder, str(ROOT), f"tests/{top}", *sorted(WITHOUT)]
    told = {**os.environ, "PYTHON": sys.executable}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=told)
    tail = done.stdout[-4000:] + done.stderr[-2000:]
    assert re.search(r"\d+ passed", done.stdout), tail
    assert " failed" not in done.stdout.splitlines()[-1], tail
