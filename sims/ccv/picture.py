"""Releases of a private regression, to look at: every site's curve and what they merge into.

Sites alike make one row, and a row is shown as one curve: the mean of what its sites release.
The records depend on the seed, the row and its size alone; noise of scale one on the seed, the
row and which release it is. So another budget only rescales the noise as long as K stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from rates.numbers import DomainError
from sims.ccv.estimator import LIVE, Plan, exact_sensitivity, pooled, responses, targets
from sims.curves import binned, evaluate, integrals, synthesise
from sims.engine import Array, generator, release, unit_noise

_AT_ONCE = 256  # coefficients for which noise is drawn together; more are drawn where K is larger


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Look:
    """Several releases of one integrated estimate, on the same records.

    Attributes:
        plan: The estimator.
        clean: Coefficients of each row before noise, (J, K).
        path: The noise in units of its scale, (releases, J, K).
        scale: Standard deviation of the noise in a coefficient of a row's mean, (J,).
        weight: What a row has of the merged estimate; they add to 1, (J,).
        released: Coefficients as released, (releases, J, K).
        losses: Integrated squared error of the merged estimate, (releases,).
    """

    plan: Plan
    clean: Array = field(repr=False)
    path: Array = field(repr=False)
    scale: Array = field(repr=False)
    weight: Array = field(repr=False)
    released: Array = field(repr=False)
    losses: Array = field(repr=False)

    @property
    def merged(self) -> Array:
        """Coefficients of the merged estimate, (releases, K)."""
        return np.asarray(np.einsum("j,rjk->rk", self.weight, self.released))

    def curves(self, coefficients: Array, x: Array) -> Array:
        """Return curves at the points x, (..., n), from coefficients (..., K)."""
        return synthesise(self.plan.world.basis(self.plan.dimension), coefficients, x)

    def truth(self, x: Array) -> Array:
        """Return the true curve at the points x."""
        return self.plan.world.curves[0].values(x)

    @property
    def misses(self) -> Array:
        """Root mean square distance of each merged curve from the truth, (releases,)."""
        return np.sqrt(self.losses)

    @property
    def mean_miss(self) -> tuple[float, float]:
        """Mean of the distances over the releases, and its standard error; nan for one release."""
        spread = self.misses.std(ddof=1) if len(self.misses) > 1 else np.nan
        return float(self.misses.mean()), float(spread / np.sqrt(len(self.misses)))


def look(plan: Plan, seed: int, *, releases: int = 1) -> Look:
    """Draw every site's records once, and release that often.

    Args:
        plan: Of the integrated risk; its first curve is used.
        seed: Where the random numbers come from.
        releases: How many releases to compare. Each would cost its budget anew.

    Raises:
        DomainError: The plan is for the risk at a point.
    """
    if plan.world.pointwise:
        rule = 'One draw shows the error over the whole curve: risk must be "integrated".'
        raise DomainError(rule, field="risk", value="pointwise")
    K = plan.dimension
    grid = binned(plan.world.basis(K), cells=plan.world.cells)
    f = targets(plan.world)[0]
    width = float(exact_sensitivity(plan)[0])
    sizes = tuple((int(n), int(m)) for n, m in zip(plan.n, plan.count, strict=True))
    clean = np.stack(
        [grid.matrix.T @ means for means in _records(f.tobytes(), plan.clip, sizes, seed)]
    )
    # Drawn at the largest K that is likely: moving K then keeps what is on the screen.
    path = _noise(seed, releases, len(sizes), max(K, _AT_ONCE))[:, :, :K]
    released = np.empty(path.shape)
    for j, (n, members) in enumerate(sizes):
        released[:, j] = release(
            np.broadcast_to(clean[j], path[:, j].shape),
            None,
            of="coefficients",
            who=j,
            sensitivity=width / n,
            multiplier=float(plan.scale[0, j]) * n / width,
            servers=members,
            weights=1.0 / members,
            times=releases,
            path=path[:, j],
        )
    weight = plan.count * plan.weight[0]
    projection = integrals(grid, f)
    off = np.einsum("j,rjk->rk", weight, released) - projection
    return Look(
        plan=plan,
        clean=clean,
        path=path,
        scale=plan.scale[0] / np.sqrt(plan.count),
        weight=weight,
        released=released,
        losses=float(np.mean(f**2) - projection @ projection) + np.sum(off**2, axis=1),
    )


@lru_cache(maxsize=8)
def _records(
    curve: bytes, clip: float, sizes: Sequence[tuple[int, int]], seed: int
) -> tuple[Array, ...]:
    """Return each row's sums of clipped responses by cell, over its records."""
    f, out = np.frombuffer(curve), []
    for j, (n, members) in enumerate(sizes):
        records, rng = n * members, generator(seed, "data", j)
        if records <= LIVE:
            cell, y = responses(f, clip, records, rng)
            sums = np.asarray(np.bincount(cell, y, minlength=len(f)), float)
        else:
            sums = pooled(f, clip, records, rng)
        out.append(sums / records)
    return tuple(out)


@lru_cache(maxsize=8)
def _noise(seed: int, releases: int, rows: int, most: int) -> Array:
    """Return noise of scale one, (releases, J, most); nested in K, as the first stay the first."""
    rngs = [[generator(seed, "noise", j, r) for j in range(rows)] for r in range(releases)]
    return np.array([[unit_noise(rng, (most,), "Gaussian") for rng in row] for row in rngs])


def touched(plan: Plan, x: Array) -> list[list[tuple[int, float]]]:
    """Return, by point, the basis functions that are not zero there and their values."""
    values = evaluate(plan.world.basis(plan.dimension), x)
    return [[(int(k), float(row[k])) for k in np.flatnonzero(row)] for row in values]
