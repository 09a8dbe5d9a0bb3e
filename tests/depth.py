"""What of a test belongs to the quick run, and what to the deep one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings


def deep_after(few: int, cases: Iterable[Any]) -> list[Any]:
    """Leave the first few cases of a parametrised test to the quick run, the others to the deep."""
    found = []
    for k, case in enumerate(cases):
        values = case if isinstance(case, tuple) else (case,)
        found.append(case if k < few else pytest.param(*values, marks=pytest.mark.deep))
    return found


def examples(most: int) -> settings:
    """Settings of a law: so many per cent of the run's usual number of examples."""
    return settings(max_examples=most * settings.default.max_examples // 100)
