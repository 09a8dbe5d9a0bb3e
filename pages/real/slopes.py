"""Tab "Slopes": the error over budget, records and sites on real records, beside theory."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from pages.charts import number, signed, simulation, span
from pages.core import Block, Note, Switch, Table, choice
from pages.core.live import Plan, kept, of_experiment, panel, repetition
from pages.real import records
from sims import real
from sims.engine import Progress, Request

AXES = {
    "epsilon": "Budget ε of every site",
    "n": "Mean records of a site",
    "m": "Sites that take part",
}
_SHOWN = choice("shown", {"epsilon": "Budget", "n": "Records", "m": "Sites"}, "What lies along.")
_SERIES = {"epsilon": ("epsilon",), "n": ("n",), "m": ("m", "m, no privacy")}
_NAMES = {name: words[0].upper() + words[1:] for name, words in real.SERIES.items()}
"""

