"""Checks of what [ACC] says of Figures 3 to 5 and 7, and of Theorems 5.1 and 5.3, on stored runs.

A claim says that certain differences of accuracies are positive. A run of ours has for each a mean
over paired replicates and a standard error; both are stored, and the "draws" are the stored rows.
The gap of a row is by how much the upper end of its interval lies below 0, where all intervals of
one run's claim hold together at 95% (Bonferroni, Student's law). So a claim is not reproduced
where the opposite stands outside the noise; a row inside the noise says nothing against it. Where
the paper leaves choices open (Figure 7), that has to be so under every choice.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from scipy.special import stdtrit

from rates.statements.checks.base import Array, Check, Draws, Form

COVERAGE = 0.95


@cache
def runs() -> dict[str, Any]:
    """Return the stored runs: experiment, values, replicates, seed and rows per claim."""
    file = resources.files("rates") / "claims" / "simulations.json"
    stored: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return stored


def rows(run: str, claim: str) -> tuple[Array, Array, float]:
    """Return means, standard errors and the half width of an interval in standard errors."""
    entry = runs()[run]
    listed = entry["claims"][claim]
    mean, stderr = (np.array([row[name] for row in listed]) for name in ("mean", "stderr"))
    tail = 0.5 * (1.0 - COVERAGE) / len(listed)
    return mean, stderr, float(stdtrit(entry["replicates"] - 1, 1.0 - tail))


_PART = "is by how much the upper end of an interval lies below 0, as a part of the bound"
_UNIT = "is by how much the upper end of an interval lies below 0, in accuracy"


def _check(run: str, *claims: str, unit: str = _UNIT) -> Check:
    """Return a check whose sets are all rows of some claims of a run."""
    figure = "-".join(run.split("-")[:2])
    tables = [(run, f"{figure}:{claim}" if "figure" in run else claim) for claim in claims]

    def draw(generator: np.random.Generator, number: int) -> Draws:
        parts = [(k, *rows(*table)) for k, table in enumerate(tables)]
        return {
            "table": np.concatenate([np.full(len(mean), float(k)) for k, mean, _, _ in parts]),
            "mean": np.concatenate([mean for _, mean, _, _ in parts]),
            "stderr": np.concatenate([stderr for _, _, stderr, _ in parts]),
        }

    def gap(draws: Draws, form: Form) -> Array:
        widths = np.array([rows(*table)[2] for table in tables])[draws["table"].astype(int)]
        return np.asarray(-(draws["mean"] + widths * draws["stderr"]))

    return Check(draw, gap, unit, number=1, tolerance=0.0)


# Kernel and base of the logarithm in the grid, which Section 6.2 does not state.
_CHOICES = tuple(
    f"hospitals-{kernel}-{base}" for kernel in ("triangular", "gaussian") for base in "2e"
)


def _open(claim: str) -> Check:
    """Return a check of a claim on the hospitals: the worst row of every choice that we tried.

    Where some choice has no row against the claim, those without one are the sets.
    """

    def draw(generator: np.random.Generator, number: int) -> Draws:
        worst = []
        for k, run in enumerate(_CHOICES):
            mean, stderr, width = rows(run, claim)
            i = int(np.argmin(mean + width * stderr))
            worst.append((float(k), float(mean[i]), float(stderr[i]), width))
        kept = [row for row in worst if row[1] + row[3] * row[2] >= 0] or worst
        names = ("choice", "mean", "stderr", "width")
        return {
            name: np.array(column)
            for name, column in zip(names, zip(*kept, strict=True), strict=True)
        }

    def gap(draws: Draws, form: Form) -> Array:
        return np.asarray(-(draws["mean"] + draws["width"] * draws["stderr"]))

    return Check(draw, gap, _UNIT, number=1, tolerance=0.0)


_BINS = ("aligned printed", "aligned laplace", "shifted printed", "shifted laplace")

CHECKS = {
    "transfer": _check("figure-3", "transfer"),
    "exponent": _check("figure-3", "exponent"),
    "budget": _check("figure-3", "budget"),
    "histogram": _check("figure-4", *(f"histogram:{name}" for name in _BINS)),
    "adaptive_histogram": _check("figure-4", *(f"adaptive-histogram:{name}" for name in _BINS)),
    "gap": _check("figure-4", *(f"gap:{name}" for name in _BINS)),
    "cost": _check("figure-4", "cost:triangular", "cost:gaussian"),
    "triangular": _check("figure-4", "triangular"),
    "servers": _check("figure-5", "servers"),
    "servers_exponent": _check("figure-5", "exponent"),
    "servers_cost": _check("figure-5", "cost"),
    "servers_kernels": _check("figure-5", "kernel:few", "kernel:many", "kernel:loose"),
    "heart_rises": _open("rises"),
    "heart_target": _open("target-worst"),
    "heart_samples": _open("samples-best"),
    "heart_homogeneous": _open("homogeneous-worse"),
    "heart_large": _open("all-catches-up"),
    "heart_level": _open("level"),
    "growth_alike": _check("growth-5.1", "bound", unit=_PART),
    "growth_mixed": _check("growth-5.3", "bound", unit=_PART),
}
