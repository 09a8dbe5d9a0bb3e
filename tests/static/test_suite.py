"""The tests of rates and sims, run by Pyodide's own Python."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.house.tree import ROOT

PYODIDE = "RATES_PYODIDE"  # the folder with Pyodide that .static/build.py fetched, or another
# Left out for what they need and no browser has: a process, or a server (files); a process, a
# thread, or PyWavelets, which is compiled (tests).
FILES = ("*/test_cli.py", "*/test_main.py", "*/test_result_file.py", "*/classroom/*")
TESTS = {
    "rates/ledger/test_verify.py": ("test_all_certificates_hold_without_the_project",),
    "sims/engine/test_live.py": ("test_two_threads_never_advance_the_same_run",),
    "sims/engine/test_run.py": (
        "test_a_block_that_comes_early_waits_for_those_before_it",
        "test_same_numbers_from_threads_in_any_order",
        "test_same_numbers_after_a_lost_executor",
        "test_an_error_of_the_experiment_is_raised_here",
        "test_stop_keeps_what_is_there[Shuffled]",
        "test_stop_takes_back_what_waits_in_an_executor",
    ),
    "sims/curves/test_wavelets.py": ("test_the_scaling_filter_is_that_of_pywavelets",),
}
FEW = "--hypothesis-profile=few"  # of every law a few examples, as with other versions


@pytest.fixture(scope="module")
def hypothesis_(tmp_path_factory) -> Path:
    """A folder with the lowest Hypothesis allowed: it is Python alone, later ones are not."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (rule,) = (one for one in wanted["optional-dependencies"]["test"] if "hypothesis" in one)
    lowest = re.search(r">=([\d.]+)", rule)[1]
    folder = tmp_path_factory.mktemp("hypothesis")
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--only-binary", ":all:"]
    asked = [*pip, "--target", str(folder), f"hypothesis=={lowest}", "sortedcontainers"]
    if subprocess.run(asked, capture_output=True, check=False).returncode:
        pytest.skip(f"Hypothesis {lowest}, which is Python alone, could not be had.")
    return folder


def test_what_is_left_out_is_there():
    assert all(any((ROOT / "tests").glob(f"*{pattern}")) for pattern in FILES)
    for file, names in TESTS.items():
        text = (ROOT / "tests" / file).read_text("utf-8")
        assert not [name for name in names if f"def {name.partition('[')[0]}(" not in text]


@pytest.mark.deep
@pytest.mark.parametrize("top", ["rates", "sims"])
def test_the_tests_pass_where_whole_numbers_have_32_bits(top, request):
    folder, node = os.environ.get(PYODIDE), shutil.which("node")
    if not folder or not node:
        pytest.skip(f"{PYODIDE} names no folder with Pyodide's full distribution, or no Node.")
    own = request.getfixturevalue("hypothesis_")
    script = ROOT / "tests" / "static" / "suite.mjs"
    left = [f"--ignore-glob={pattern}" for pattern in FILES]
    left += [f"--deselect=tests/{file}::{name}" for file, names in TESTS.items() for name in names]
    command = [node, str(script), folder, str(ROOT), f"tests/{top}", FEW, *left]
    told = {**os.environ, "PYTHON": sys.executable, "FIRST": str(own)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=told)
    tail = done.stdout[-4000:] + done.stderr[-2000:]
    assert done.returncode == 0, tail
    assert re.search(r"\d+ passed", done.stdout), tail
    print(done.stdout.splitlines()[-1])
