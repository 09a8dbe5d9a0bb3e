"""Whether two results are the same, nan where nan is.

Two nan are not equal. Python before 3.13 compares the fields of records as tuples, which pass by
what is the very same object; from 3.13 on it asks each field.
"""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np


def same(a: Any, b: Any) -> bool:
    """Compare records, tuples, lists, dictionaries, arrays and numbers by what they hold."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.array_equal(a, b, equal_nan=np.asarray(a).dtype.kind in "fc")
    if type(a) is not type(b):
        return bool(a == b)
    if is_dataclass(a):
        compared = [field.name for field in fields(a) if field.compare]
        return all(same(getattr(a, name), getattr(b, name)) for name in compared)
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    both_nan = isinstance(a, float) and math.isnan(a) and math.isnan(b)
    return bool(both_nan or a == b)
