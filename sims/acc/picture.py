"""One draw of the classifier on the grid, to look at: decision regions before and after noise."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rates.numbers import delta_of
from sims.acc import kernel as kernels
from sims.acc import screen as screens
from sims.acc.kernel import Kernel
from sims.acc.paths import grid_paths
from sims.acc.worlds import World
from sims.engine import Array, generator

Noise = Literal["joint", "independent"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Draw:
    """Data and unit noise of one draw; a change of budget only rescales the noise.

    Attributes:
        screen: Grid, loss and right labels, with one bandwidth.
        statistics: T_h of target and sources before noise, shape (2, G, G).
        joint: Unit paths with the kernel's covariance, shape (2, G, G).
        independent: Unit noise drawn at each point by itself, same variance.
        groups: Target and sources; their multipliers are not used.
    """

    screen: screens.Screen
    statistics: Array
    joint: Array
    independent: Array
    groups: tuple[screens.Group, screens.Group]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Picture:
    """Decision regions of one draw before and after noise.

    Attributes:
        right: Labels of the Bayes classifier, 1 where True, shape (G, G).
        before: Labels without noise.
        after: Labels of the release.
        accuracy_right: Accuracy of the Bayes classifier.
        accuracy_before: Accuracy without noise, exact.
        accuracy_after: Accuracy of the release, exact.
        signal: Combined statistic before noise.
        released: Combined statistic after noise.
        inflation: True Euclidean sensitivity of the released vector over the one that the
            noise was made for; 1 for a joint path.
        actual_delta: The δ that really holds at the target's ε; nan without privacy.
    """

    right: NDArray[np.bool_]
    before: NDArray[np.bool_]
    after: NDArray[np.bool_]
    accuracy_right: float
    accuracy_before: float
    accuracy_after: float
    signal: Array
    released: Array
    inflation: float
    actual_delta: float


def draw_once(
    world: World,
    kernel: str,
    bandwidth: float,
    target: screens.Group,
    sources: screens.Group,
    seed: int,
) -> Draw:
    """Draw data and unit noise paths; the data depend on the seed and the sizes alone.

    Up to 65,536 records, statistics are those of the records; beyond, of rounded ones.
    """
    screen = screens.make_screen(world, kernel, (bandwidth,))
    g = kernels.midpoints(len(screen.loss))
    statistics = []
    for name, group in (("target", target), ("sources", sources)):
        rng = generator(seed, "picture", name)
        if group.records > screens.CROWDED:
            sums, rows = screens.label_sums(screen, group, rng), screen.rows[0]
            statistics.append(kernels.from_cells(sums, group.records, bandwidth, rows))
        else:
            x, half = screens.draw_records(world, group, rng)
            statistics.append(
                kernels.from_points(x, half, grid=g, bandwidth=bandwidth, kernel=screen.kernel)
            )
    paths = grid_paths(generator(seed, "picture", "joint"), [screen.factors[0]] * 2, copies=2)
    white = generator(seed, "picture", "independent").standard_normal(paths.shape)
    return Draw(
        screen=screen,
        statistics=np.stack(statistics),
        joint=paths,
        independent=screen.kernel.peak * white,
        groups=(target, sources),
    )


def look_at(
    draw: Draw,
    *,
    weight: float,
    multipliers: tuple[float, float],
    epsilon: float = math.inf,
    noise: Noise = "joint",
) -> Picture:
    """Return the decision regions of a draw under noise of some size.

    Args:
        draw: Data and unit noise.
        weight: Weight of the target, in [0, 1].
        multipliers: σ/Δ of the target's and of each source's release.
        epsilon: The target's budget, for `Picture.actual_delta`.
        noise: "joint", or "independent" at each point, which is not private at this scale.
    """
    screen, h = draw.screen, draw.screen.bandwidths[0]
    shares = np.array([weight, 1.0 - weight])
    paths = draw.joint if noise == "joint" else draw.independent
    signal = np.tensordot(shares, draw.statistics, 1)
    groups = [replace(g, multiplier=m) for g, m in zip(draw.groups, multipliers, strict=True)]
    shown = screens.noisy(screen.kernel, h**2 * draw.statistics, groups, paths)
    released = np.tensordot(shares, shown / h**2, 1)
    bayes = 1.0 - screen.world.bayes_risk
    risks = kernels.excess_risk(np.stack([signal, released]), screen.loss, screen.positive)
    inflation = 1.0 if noise == "joint" else sensitivity_inflation(screen.kernel, h, len(paths[0]))
    return Picture(
        right=screen.positive,
        before=signal >= 0,
        after=released >= 0,
        accuracy_right=bayes,
        accuracy_before=bayes - float(risks[0]),
        accuracy_after=bayes - float(risks[1]),
        signal=signal,
        released=released,
        inflation=inflation,
        actual_delta=float(delta_of(multipliers[0] / inflation, epsilon))
        if multipliers[0] > 0 and math.isfinite(epsilon)
        else math.nan,
    )


def sensitivity_inflation(kernel: Kernel, bandwidth: float, grid: int = screens.GRID) -> float:
    r"""Return by how much noise drawn at each grid point by itself falls short.

    Its standard deviation is made for a change of c_K/(n h^2). One flipped label at x moves
    the released vector by the Euclidean norm of K((x - g)/h)/(n h^2) over all grid points g;
    the largest over x, divided by c_K, is

    .. math:: \max_{x} \prod_k \sqrt{\textstyle\sum_g K_1((x_k-g)/h)^2} \big/ K_1(0).

    >>> from sims.acc.kernel import KERNELS
    >>> round(sensitivity_inflation(KERNELS["gaussian"], 0.5), 1)
    47.8

    Source: [ACC] eqs. (8), (9), read at finitely many points.
    """
    g = kernels.midpoints(grid)
    x = np.linspace(0.0, 1.0, 8 * grid + 1)  # grid points, their middles and between
    norms = np.sqrt((kernels.table(kernel, x, g, bandwidth) ** 2).sum(axis=1))
    return float((norms.max() / kernel.peak) ** 2)
