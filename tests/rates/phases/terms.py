"""The four terms of [ACC] (4) at a budget."""

from __future__ import annotations

from typing import Any

from rates.phases.homogeneous import LogRates, log_budget, setting


def log_rates(n: Any, m: Any, n0: Any, epsilon: Any, **shape: Any) -> LogRates:
    """Return the logs of r behind the terms, as `setting` takes the numbers."""
    return setting(n, m, n0, **shape).terms(log_budget(epsilon))
