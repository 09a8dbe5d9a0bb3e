"""What [ACC] says of Figures 3 to 5 and 7, and of Theorems 5.1 and 5.3, on stored runs of ours.

A claim says that certain differences of accuracies are positive. A run has for each a mean over
paired replicates and a standard error; both are stored, and the "draws" are the stored rows. The
gap of a row is by how much the upper end of its interval lies below 0, where all intervals of one
run's claim hold together at 95% (Bonferroni, Student's law). So a claim is not reproduced where
the opposite stands outside the noise; a row inside the noise says nothing against it. Where the
paper leaves choices open (Figure 7), that has to be so under every choice.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy.special import stdtrit

from rates.ledger.functions.base import Array, Test, Tests
from rates.ledger.texts import stored_json

COVERAGE = 0.95


@cache
def runs() -> dict[str, Any]:
    """Return the stored runs: experiment, values, replicates, seed and rows per claim."""
    return stored_json("simulations.json")


def rows(run: str, claim: str) -> tuple[Array, Array, float]:
    """Return means, standard errors and the half width of an interval in standard errors."""
    entry = runs()[run]
    listed = entry["claims"][claim]
    mean, stderr = np.array([row[1:] for row in listed], dtype=float).T
    # All rows of a claim are to hold together, so that each has its part of the error.
    tail = 0.5 * (1.0 - COVERAGE) / len(listed)
    return mean, stderr, float(stdtrit(entry["replicates"] - 1, 1.0 - tail))


def _upper(run: str, claim: str) -> Array:
    """Return the upper ends of the intervals of a run's claim."""
    mean, stderr, width = rows(run, claim)
    return mean + width * stderr


def _test(upper: Callable[[], Array]) -> Test:
    """Return a test whose sets are stored upper ends: nothing is drawn."""
    return Test(
        lambda generator, number: {"upper": upper()},
        lambda draws, form: np.asarray(-draws["upper"]),
        number=1,
        tolerance=0.0,
    )


def _every(run: str, *claims: str) -> Test:
    """Return a test whose sets are all rows of some claims of a run."""
    return _test(lambda: np.concatenate([_upper(run, claim) for claim in claims]))


# Kernel and base of the logarithm in the grid, which Section 6.2 does not state.
CHOICES = tuple(
    f"hospitals-{kernel}-{base}" for kernel in ("triangular", "gaussian") for base in "2e"
)


def _open(claim: str) -> Test:
    """Return a test of a claim on the hospitals: the worst row of every choice that we tried.

    Where some choice has no row against the claim, those without one are the sets.
    """

    def worst() -> Array:
        found = np.array([_upper(run, claim).min() for run in CHOICES])
        return found[found >= 0] if (found >= 0).any() else found

    return _test(worst)


def _histograms(claim: str) -> Test:
    """Return a test of a claim against every histogram that we tried."""
    bins = ("aligned printed", "aligned laplace", "shifted printed", "shifted laplace")
    return _every("figure-4", *(f"figure-4:{claim}:{name}" for name in bins))


TESTS = Tests(
    transfer=_every("figure-3", "figure-3:transfer"),
    exponent=_every("figure-3", "figure-3:exponent"),
    budget=_every("figure-3", "figure-3:budget"),
    histogram=_histograms("histogram"),
    adaptive_histogram=_histograms("adaptive-histogram"),
    gap=_histograms("gap"),
    cost=_every("figure-4", "figure-4:cost:triangular", "figure-4:cost:gaussian"),
    triangular=_every("figure-4", "figure-4:triangular"),
    servers=_every("figure-5", "figure-5:servers:private"),
    servers_exponent=_every("figure-5", "figure-5:exponent"),
    servers_cost=_every("figure-5", "figure-5:cost"),
    servers_kernels=_every("figure-5", *(f"figure-5:kernel:{x}" for x in ("few", "many", "loose"))),
    heart_rises=_open("rises"),
    heart_target=_open("target-worst"),
    heart_samples=_open("samples-best"),
    heart_homogeneous=_open("homogeneous-worse"),
    heart_large=_open("all-catches-up"),
    heart_level=_open("level"),
    growth_alike=_every("growth-5.1", "bound"),
    growth_mixed=_every("growth-5.3", "bound"),
)
