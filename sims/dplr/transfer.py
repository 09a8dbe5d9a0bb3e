r"""Algorithms 1 and 2 of [DPLR] on released statistics: transfer and debias, and detection.

The printed Algorithm 2 is missing from the text at hand. Its reconstruction follows the prose of
Section 2.3 and the authors that it cites: three folds of the target; a source is kept if the
target's held-out loss after pooling with it exceeds that of the target alone by at most
2 max(sd, 0.01), where sd is the standard deviation of the target's own three losses. Only the
transferring step is used there, and the penalty is chosen on the two folds that are fitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sims.dplr.solver import PENALTIES, Forms, Statistics, loss, total
from sims.engine import Array

FOLDS = 3
CLOSE = 1e-4  # tolerance of the fits of a detection
CONSTANT, LEAST = 2.0, 0.01  # of the threshold: standard deviations, and the least of one
METHODS: dict[str, str] = {
    "naive": "Target alone",
    "oracle": "True sources",
    "all": "All sources",
    "detected": "Detected sources",
}


def _chosen(
    forms: Forms,
    rows: Sequence[Sequence[int]],
    held_out: Sequence[Sequence[Statistics]],
    *,
    offsets: Array | None = None,
    tolerance: float,
) -> Array:
    """Fit several problems, each with its own cross-validation, in two calls.

    A split that several problems share is fitted once, and a final fit at its chosen penalty only.

    Args:
        forms: Quadratic forms of all statistics to fit.
        rows: By problem, places among the forms: one per split, then that of the final fit.
        held_out: By problem, the statistics that score each split.
        offsets: By problem, coefficients that are added to the fitted ones; 0 by default.
        tolerance: Of `lasso_paths` for the splits; final fits are ten times closer.

    Returns:
        Fitted coefficients without their offsets, shape (problems, p).
    """
    shift = np.zeros((len(rows), forms.linear.shape[-1])) if offsets is None else offsets
    splits: dict[tuple[int, int], int] = {}  # a form and the offset that goes with it
    for k, row in enumerate(rows):
        for place in row[:-1]:
            splits.setdefault((place, k if offsets is not None else 0), len(splits))
    places, whose = (list(part) for part in zip(*splits, strict=True))
    W = forms.fit(places, shift[whose], PENALTIES, tolerance)
    best = []
    for k, (row, parts) in enumerate(zip(rows, held_out, strict=True)):
        paths = [W[splits[place, k if offsets is not None else 0]] for place in row[:-1]]
        scores = [loss(part, w + shift[k]) for part, w in zip(parts, paths, strict=True)]
        best.append(PENALTIES[int(np.argmin(np.mean(scores, axis=0)))])
    last = forms.fit([row[-1] for row in rows], shift, np.array(best)[:, None], tolerance / 10.0)
    return last[:, 0]


def transfer(
    target: Sequence[Statistics], pools: Sequence[Sequence[Statistics]], *, tolerance: float = 1e-6
) -> Array:
    """Run Algorithm 1 once for each set of sources, an empty one being the target alone.

    Return the coefficients after debiasing, shape (pools, p).

    Args:
        target: The target's folds, at least two.
        pools: For each fit, the sources that are pooled with the target.
        tolerance: Of `lasso_paths`.

    Source: [DPLR] eqs. (13) to (17), Algorithm 1; λ by cross-validation on released statistics.
    """
    everything = total(target)
    rest = [total([f for j, f in enumerate(target) if j != r]) for r in range(len(target))]
    alone, width = [*rest, everything], len(target) + 1
    apart = {(): 0, **{tuple(map(id, pool)): 0 for pool in pools}}  # equal pools are fitted once
    sums = {tuple(map(id, pool)): total(pool) for pool in pools if pool}
    sets = [one if not key else one + sums[key] for key in apart for one in alone]
    forms = Forms.of(sets)
    rows = [range(k * width, (k + 1) * width) for k in range(len(apart))]
    scored = [list(target)] * len(rows)
    first = _chosen(forms, rows, scored, tolerance=tolerance)
    again = [rows[0]] * len(rows)
    second = _chosen(forms, again, scored, offsets=first, tolerance=tolerance)
    places = {key: k for k, key in enumerate(apart)}
    return (first + second)[[places[tuple(map(id, pool))] for pool in pools]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Detection:
    """What Algorithm 2 decides.

    Attributes:
        losses: Mean held-out loss after pooling with each source, shape (sources,).
        alone: Mean held-out loss of the target alone.
        spread: Standard deviation of its three losses (divisor 2).
        threshold: The largest loss that is kept.
        kept: Whether each source is kept, shape (sources,).
    """

    losses: Array
    alone: float
    spread: float
    threshold: float
    kept: NDArray[np.bool_]


def detect(target: Sequence[Statistics], sources: Sequence[Statistics]) -> Detection:
    r"""Decide which sources to keep, from released statistics alone.

    .. math:: \text{keep } k \iff
        \bar L_k \le \bar L_0 + C_0 \max(\widehat{sd}(L_0^{[1]}, L_0^{[2]}, L_0^{[3]}), 0.01)

    Args:
        target: Exactly three folds.
        sources: One per source, at least one.

    Source: [DPLR] Section 2.3, eq. (18), Algorithm 2 as reconstructed.
    """
    extras, sets, rows, scored = (None, *sources), list(target), [], []
    splits = [[j for j in range(FOLDS) if j != r] for r in range(FOLDS)]
    sets += [target[j] + target[k] for j, k in splits]
    sets = [one if extra is None else one + extra for extra in extras for one in sets]
    for r, (one, two) in enumerate(splits):
        for k in range(len(extras)):  # each of the two folds scores the fit without it
            rows.append([2 * FOLDS * k + place for place in (two, one, FOLDS + r)])
            scored.append([target[one], target[two]])
    W = _chosen(Forms.of(sets), rows, scored, tolerance=CLOSE).reshape(FOLDS, len(extras), -1)
    losses = np.array([loss(target[r], W[r]) for r in range(FOLDS)])
    alone, spread = float(losses[:, 0].mean()), float(losses[:, 0].std(ddof=1))
    threshold = alone + CONSTANT * max(spread, LEAST)
    mean = losses[:, 1:].mean(axis=0)
    return Detection(
        losses=mean, alone=alone, spread=spread, threshold=threshold, kept=mean <= threshold
    )
