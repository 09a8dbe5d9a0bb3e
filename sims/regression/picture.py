"""One draw of a private regression, to look at: truth, every server's release, the estimate."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from rates.numbers import DomainError
from sims.curves import binned, integrals, synthesise
from sims.engine import Array, generator, release
from sims.regression.estimator import LIVE, Plan, exact_sensitivity, pooled, responses, targets


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Look:
    """One draw of an integrated estimate, as curves.

    Attributes:
        x: Points of [0, 1], (n,).
        truth: f at x.
        rows: Row of each server shown.
        without: Its curve before noise, (shown, n).
        private: Its curve as released, (shown, n).
        combined: The combined estimate; servers that are not shown take part.
        combined_without: The same without any noise.
        loss: Integrated squared error of the combined estimate.
    """

    x: Array = field(repr=False)
    truth: Array = field(repr=False)
    rows: tuple[int, ...]
    without: Array = field(repr=False)
    private: Array = field(repr=False)
    combined: Array = field(repr=False)
    combined_without: Array = field(repr=False)
    loss: float


def look(plan: Plan, seed: int, *, points: int = 512, most: int = 12) -> Look:
    """Draw every server once, data and noise from their own streams.

    The data depend on the seed, the server and its size alone and the noise in units of its
    scale on the seed and the server, so that another epsilon only rescales the noise.

    Args:
        plan: Of the integrated risk; its first curve is used.
        seed: Where the random numbers come from.
        points: Points of the curves.
        most: Most servers shown one by one; those of a row beyond it are drawn as one pool.

    Raises:
        DomainError: The plan is for the risk at a point.
    """
    if plan.world.pointwise:
        rule = 'One draw shows the error over the whole curve: risk must be "integrated".'
        raise DomainError(rule, field="risk", value="pointwise")
    world, K = plan.world, plan.dimension
    grid = binned(world.basis(K), cells=world.cells)
    f = targets(world)[0]
    width = float(exact_sensitivity(plan)[0])
    clean, noisy = np.zeros(K), np.zeros(K)
    rows: list[int] = []
    shown: list[tuple[Array, Array]] = []
    for j, (n, count, u, s) in enumerate(
        zip(plan.n, plan.count, plan.weight[0], plan.scale[0], strict=True)
    ):
        alone = min(int(count), max(most - len(rows), 0))
        groups = [1] * alone + ([int(count) - alone] if count > alone else [])
        for i, members in enumerate(groups):
            records = int(n) * members
            data = generator(seed, "data", j, i)
            if records <= LIVE:
                cell, y = responses(f, plan.clip, records, data)
                sums = np.asarray(np.bincount(cell, y, minlength=len(f)), float)
            else:
                sums = pooled(f, plan.clip, records, data)
            theta = (grid.matrix.T @ sums) / records
            # Nested in K: the first normals stay where they are when K grows.
            released = release(
                theta,
                generator(seed, "noise", j, i),
                of="coefficients",
                who=(j, i),
                sensitivity=width / n,
                multiplier=s * n / width,
                servers=members,
                weights=1.0 / members,
            )
            clean += members * u * theta
            noisy += members * u * released
            if i < alone:
                rows.append(j)
                shown.append((theta, released))
    x = (np.arange(points) + 0.5) / points
    basis = world.basis(K)
    curves = np.array(shown).reshape(-1, 2, K)
    projection = integrals(grid, f)
    rest = float(np.mean(f**2) - projection @ projection)
    return Look(
        x=x,
        truth=world.curves[0].values(x),
        rows=tuple(rows),
        without=synthesise(basis, curves[:, 0], x),
        private=synthesise(basis, curves[:, 1], x),
        combined=synthesise(basis, noisy, x),
        combined_without=synthesise(basis, clean, x),
        loss=rest + float(np.sum((noisy - projection) ** 2)),
    )
