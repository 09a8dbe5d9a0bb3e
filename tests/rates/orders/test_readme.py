"""The example in the package's README says what it prints."""

from __future__ import annotations

import doctest
from pathlib import Path

README = Path(__file__).parents[3] / "rates" / "README.md"


def test_the_example_of_a_rate_runs():
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried >= 6
    assert not failed
