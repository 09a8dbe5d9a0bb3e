"""Stored results of the public data sets, for where their package is not installed.

They are what `findings` says of the default run of each; a generator beside the tests
makes them anew, and a test holds them equal to a run where the package is there.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from sims.real.between import Heterogeneity, Test
from sims.real.slopes import Factor, Findings, Slope, Spot


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What is stored of one data set.

    Attributes:
        key: Of the data set.
        records: How many were used.
        sizes: Records of each site, largest first.
        low: Public lower bound of the outcome.
        high: Public upper bound.
        notes: What was dropped, counted, as sentences.
        findings: Of the default run.
    """

    key: str
    records: int
    sizes: tuple[int, ...]
    low: float
    high: float
    notes: tuple[str, ...]
    findings: Findings


def stored(key: str) -> Stored | None:
    """Return what is stored of a data set; None if nothing is.

    >>> stored("chem97").records
    31022
    """
    return _all().get(key)


@lru_cache(maxsize=1)
def _all() -> dict[str, Stored]:
    text = resources.files("sims.real").joinpath("stored.json").read_text("utf-8")
    return {row["key"]: _read(row) for row in json.loads(text)}


def _read(row: dict[str, Any]) -> Stored:
    found, between = row["findings"], row["findings"]["heterogeneity"]
    return Stored(
        **{name: row[name] for name in ("key", "records", "low", "high")},
        sizes=tuple(row["sizes"]),
        notes=tuple(row["notes"]),
        findings=Findings(
            spots=tuple(Spot(**_numbers(one)) for one in found["spots"]),
            slopes=tuple(Slope(**_numbers(one)) for one in found["slopes"]),
            factors=tuple(Factor(**_numbers(one)) for one in found["factors"]),
            heterogeneity=Heterogeneity(
                outcome=Test(**between["outcome"]),
                covariate=Test(**between["covariate"]),
                turned=between["turned"],
                words=between["words"],
            ),
            **{name: found[name] for name in ("budget", "replicates", "seed")},
        ),
    )


def _numbers(row: dict[str, Any]) -> dict[str, Any]:
    """Return the row with nan where nothing is known."""
    return {name: math.nan if part is None else part for name, part in row.items()}
