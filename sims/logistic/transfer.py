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

from rates.numbers import DomainError
from sims.engine import Array
from sims.logistic.solver import PENALTIES, Statistics, lasso_paths, loss, quadratic_form, total

FOLDS = 3
CONSTANT, LEAST = 2.0, 0.01  # of the threshold: standard deviations, and the least of one
METHODS: dict[str, str] = {
    "naive": "Target alone",
    "oracle": "True sources",
    "all": "All sources",
    "detected": "Detected sources",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """Coefficients of Algorithm 1.

    Attributes:
        transferred: After the first step, shape (p,).
        coefficients: After debiasing, shape (p,).
        penalties: The chosen λ of both steps.
        selected: Coefficients that are not 0.
    """

    transferred: Array
    coefficients: Array
    penalties: tuple[float, float]

    @property
    def selected(self) -> int:
        """How many coefficients are not 0."""
        return int(np.count_nonzero(self.coefficients))


def _chosen(
    pools: Sequence[Sequence[Statistics]],
    held_out: Sequence[Sequence[Statistics]],
    *,
    offsets: Array | None = None,
    tolerance: float,
) -> tuple[Array, Array]:
    """Fit several problems, each with its own cross-validation, in one call.

    Args:
        pools: By problem, the statistics to fit: one per split, then those of the final fit.
        held_out: By problem, the statistics that score each split.
        offsets: By problem, coefficients that are added to the fitted ones; 0 by default.
        tolerance: Of `lasso_paths`.

    Returns:
        Fitted coefficients (problems, p) without their offsets, and the chosen penalties.
    """
    forms = [quadratic_form(pool) for row in pools for pool in row]
    A, c = np.array([a for a, _ in forms]), np.array([b for _, b in forms])
    counts = [len(row) for row in pools]
    shift = np.zeros((len(pools), A.shape[-1])) if offsets is None else offsets
    each = np.repeat(shift, counts, axis=0)
    c = c - np.einsum("kij,kj->ki", A, each)
    W = lasso_paths(A, c, PENALTIES, tolerance=tolerance)
    out, penalties, first = [], [], 0
    for k, (count, parts) in enumerate(zip(counts, held_out, strict=True)):
        scores = [loss(part, W[first + r] + shift[k]) for r, part in enumerate(parts)]
        best = int(np.argmin(np.mean(scores, axis=0)))
        out.append(W[first + count - 1, best])
        penalties.append(PENALTIES[best])
        first += count
    return np.array(out), np.array(penalties)


def transfer(
    target: Sequence[Statistics],
    pools: Sequence[Sequence[Statistics]],
    *,
    tolerance: float = 1e-6,
) -> tuple[Fit, ...]:
    """Run Algorithm 1 once for each set of sources, an empty one being the target alone.

    Args:
        target: The target's folds, at least two.
        pools: For each fit, the sources that are pooled with the target.
        tolerance: Of `lasso_paths`.

    Raises:
        DomainError: The target has fewer than two folds.

    Source: [DPLR] eqs. (13) to (17), Algorithm 1; λ by cross-validation on released statistics.
    """
    if len(target) < 2:
        rule = "The target needs at least 2 folds."
        raise DomainError(rule, field="target", value=len(target))
    everything = total(target)
    rest = [total([f for j, f in enumerate(target) if j != r]) for r in range(len(target))]
    rows = [*rest, everything]
    sums = [total(pool) if pool else None for pool in pools]
    pooled = [[row if extra is None else row + extra for row in rows] for extra in sums]
    scored = [list(target)] * len(pools)
    first, lam = _chosen(pooled, scored, tolerance=tolerance)
    second, lam_two = _chosen([rows] * len(pools), scored, offsets=first, tolerance=tolerance)
    return tuple(
        Fit(transferred=w, coefficients=w + d, penalties=(float(a), float(b)))
        for w, d, a, b in zip(first, second, lam, lam_two, strict=True)
    )


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


def detect(
    target: Sequence[Statistics],
    sources: Sequence[Statistics],
    *,
    constant: float = CONSTANT,
    tolerance: float = 1e-4,
) -> Detection:
    r"""Decide which sources to keep, from released statistics alone.

    .. math:: \text{keep } k \iff
        \bar L_k \le \bar L_0 + C_0 \max(\widehat{sd}(L_0^{[1]}, L_0^{[2]}, L_0^{[3]}), 0.01)

    Args:
        target: Exactly three folds.
        sources: One per source, at least one.
        constant: C_0, at least 0.
        tolerance: Of `lasso_paths`.

    Raises:
        DomainError: The target has another number of folds, or there is no source.

    Source: [DPLR] Section 2.3, eq. (18), Algorithm 2 as reconstructed.
    """
    if len(target) != FOLDS:
        rule = f"Detection splits the target into {FOLDS} folds."
        raise DomainError(rule, field="target", value=len(target))
    if not sources:
        raise DomainError("Detection needs at least one source.", field="sources", value=0)
    pools, scored = [], []
    for r in range(FOLDS):
        one, two = (fold for j, fold in enumerate(target) if j != r)
        for extra in (None, *sources):
            row = [two, one, one + two]  # each of the two folds scores the fit without it
            pools.append([pool if extra is None else pool + extra for pool in row])
            scored.append([one, two])
    W, _ = _chosen(pools, scored, tolerance=tolerance)
    W = W.reshape(FOLDS, len(sources) + 1, -1)
    losses = np.array([loss(target[r], W[r]) for r in range(FOLDS)])
    alone, spread = float(losses[:, 0].mean()), float(losses[:, 0].std(ddof=1))
    threshold = alone + constant * max(spread, LEAST)
    mean = losses[:, 1:].mean(axis=0)
    return Detection(
        losses=mean, alone=alone, spread=spread, threshold=threshold, kept=mean <= threshold
    )
