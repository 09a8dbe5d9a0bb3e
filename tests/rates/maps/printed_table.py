"""The label that Table 1 gives at a budget, for the tests of what is printed there."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.maps.phases import LABELS, log_budget, terms
from rates.maps.table_one import checked_reading, table_codes


def table_1(
    n: ArrayLike,
    m: ArrayLike,
    n0: ArrayLike,
    epsilon: ArrayLike,
    *,
    reading: str = "corrected",
    printed_eps21: bool = True,
    **shape: Any,
) -> NDArray[np.str_]:
    """Return the labels of one reading; the corrected one never uses eps21 as printed."""
    found = terms(n, m, n0, **shape)
    codes = table_codes(found, log_budget(epsilon), checked_reading(reading), printed_eps21)
    return np.asarray(np.array(LABELS)[codes])
