"""What of a test belongs to the quick run, and what to the deep one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def deep_after(few: int, cases: Iterable[Any]) -> list[Any]:
    """Leave the first few cases of a parametrised test to the quick run, the others to the deep."""
    found = []
    for k, case in enumerate(cases):
        values = case if isinstance(case, tuple) else (case,)
        found.append(case if k < few else pytest.param(*values, marks=pytest.mark.deep))
    return found
