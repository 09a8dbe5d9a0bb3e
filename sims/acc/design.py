"""One draw of the paper's two-dimensional design at a chosen bandwidth and weight, to look at.

`draw_once` and `look_at` show its decision regions before and after noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rates.numbers import COUNT, KAPPA, SAMPLE_SIZE, delta_of
from sims import engine
from sims.acc import kernel as kernels
from sims.acc import screen as screens
from sims.acc.kernel import Group, Kernel
from sims.acc.rate import BUDGET, GAMMA, MECHANISM
from sims.acc.worlds import Quadrants, World
from sims.engine import Array, generator, midpoints

WORLD = Quadrants()

_N = SAMPLE_SIZE.within(
    "2, ..., 1e9", help="Records of the target and of each source. delta is n^-2, as in the paper."
)
_M = COUNT.within("1, ..., 1e6", name="m", symbol="m", help="Number of identical sources.")
_BANDWIDTH = KAPPA.within(
    "[1/128, 1]",
    name="bandwidth",
    symbol="h",
    help="Bandwidth h. A triangular kernel of bandwidth 2.45 h smooths like a Gaussian of h.",
)
_WEIGHT = _BANDWIDTH.within(
    "[0, 1]",
    name="weight",
    symbol="w",
    help="Weight of the target's release; the sources share the rest. 1 is the target alone.",
)


PICTURED: tuple[engine.Setting, ...] = (
    engine.Number(_N, 500),
    engine.Number(_M, 1),
    engine.Number(GAMMA, 1.0),
    engine.Number(_BANDWIDTH, 0.5),
    engine.Choice(
        name="kernel",
        options=tuple(kernels.KERNELS),
        default="triangular",
        help="One factor of the product kernel; the Gaussian has no bounded support.",
    ),
    MECHANISM,
    engine.Number(BUDGET, 1.0),
    engine.Number(_WEIGHT, 0.5),
)

Noise = Literal["joint", "independent"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Draw:
    """Data and unit noise of one draw; a change of budget only rescales the noise.

    Attributes:
        screen: Grid, loss and right labels, with one bandwidth.
        statistics: T_h of target and sources before noise, shape (2, G, G).
        paths: Unit noise of the same shape: "joint" with the kernel's covariance, "independent"
            drawn at each point by itself with the same variance.
        groups: Target and sources; their multipliers are not used.
    """

    screen: screens.Screen
    statistics: Array
    paths: dict[Noise, Array]
    groups: tuple[Group, Group]


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
    world: World, kernel: str, bandwidth: float, target: Group, sources: Group, seed: int
) -> Draw:
    """Draw data and unit noise paths; the data depend on the seed and the sizes alone.

    Up to 65,536 records, statistics are those of the records; beyond, of rounded ones.
    """
    screen = screens.make_screen(world, kernel, (bandwidth,))
    grid = midpoints(len(screen.loss))
    statistics = []
    for name, group in (("target", target), ("sources", sources)):
        rng = generator(seed, "picture", name)
        if group.records > screens.CROWDED:
            sums, rows = screens.label_sums(screen, group, rng), screen.rows[0]
            statistics.append(kernels.from_cells(sums, group.records, bandwidth, rows))
        else:
            x, half = screens.draw_records(world, group, rng)
            statistics.append(kernels.from_points(x, half, grid, bandwidth, screen.kernel))
    joint, independent = (
        generator(seed, "picture", noise).standard_normal((2, *screen.loss.shape))
        for noise in ("joint", "independent")
    )
    factor = screen.factors[0]
    return Draw(
        screen=screen,
        statistics=np.stack(statistics),
        paths={
            "joint": factor @ joint @ factor.T,
            "independent": screen.kernel.peak * independent,
        },
        groups=(target, sources),
    )


def look_at(
    draw: Draw,
    *,
    weight: float,
    multiplier: float,
    epsilon: float = math.inf,
    noise: Noise = "joint",
) -> Picture:
    """Return the decision regions of a draw under noise of some size.

    Args:
        draw: Data and unit noise.
        weight: Weight of the target, in [0, 1].
        multiplier: σ/Δ of every server's release.
        epsilon: The budget, for `Picture.actual_delta`.
        noise: "joint", or "independent" at each point, which is not private at this scale.
    """
    screen, h = draw.screen, draw.screen.bandwidths[0]
    shares = np.array([weight, 1.0 - weight])
    signal = np.tensordot(shares, draw.statistics, 1)
    groups = [replace(group, multiplier=multiplier) for group in draw.groups]
    shown = screens.noisy(screen.kernel, h**2 * draw.statistics, groups, draw.paths[noise])
    released = np.tensordot(shares, shown / h**2, 1)
    bayes = 1.0 - screen.world.bayes_risk
    before, after = (bayes - screen.risks((signal, released))).tolist()
    inflation = 1.0
    if noise == "independent":
        inflation = sensitivity_inflation(screen.kernel, h, len(screen.loss))
    private = multiplier > 0 and math.isfinite(epsilon)
    return Picture(
        right=screen.positive,
        before=signal >= 0,
        after=released >= 0,
        accuracy_right=bayes,
        accuracy_before=before,
        accuracy_after=after,
        signal=signal,
        released=released,
        inflation=inflation,
        actual_delta=float(delta_of(multiplier / inflation, epsilon)) if private else math.nan,
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
    g = midpoints(grid)
    x = np.linspace(0.0, 1.0, 8 * grid + 1)  # grid points, their middles and between
    norms = np.sqrt((kernels.table(kernel, x, g, bandwidth) ** 2).sum(axis=1))
    return float((norms.max() / kernel.peak) ** 2)
