r"""The price of not knowing: AdaptDTK against the oracle, in the paper's design and on the cusp.

In the paper's design both run on the screen, with the printed noise. On the one-dimensional cusp
every server's release is a vector on M cells, computed by box filters at a cost free of the
bandwidth; there the oracle takes h = 3 r and weights with the constants of the printed mechanism.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from rates.numbers import COUNT, SAMPLE_SIZE, DomainError, Words
from sims import engine
from sims.acc import adaptive_design
from sims.acc.adaptive import SPLITS
from sims.acc.kernel import KERNELS, TRIANGULAR, excess_risk, sensitivity
from sims.acc.lattice import box
from sims.acc.paths import triangular_path
from sims.acc.trials import BUDGET, GAMMA, PRIVACY, Trial, lattice_of, sample_of
from sims.acc.worlds import Cusp, study_on

CUSP = Cusp()
LONGEST = 15  # bandwidths down to 2^-15 on the cusp
BASES = {"2": 2.0, "e": math.e}
ALGORITHMS: tuple[adaptive_design.Algorithm, ...] = ("2", "1")


def cusp_releases(plan: adaptive_design.Plan, cells: int, rng: np.random.Generator) -> engine.Array:
    """Draw every server's release at every bandwidth on M cells of the cusp.

    Covariates are rounded to the cells. Kernel and noise path are the same box filters, so both
    cost M operations whatever the bandwidth.

    Returns:
        Shape (groups, |H|, M).
    """
    out = np.empty((len(plan.groups), plan.grid.size, cells))
    for j, group in enumerate(plan.groups):
        f = CUSP.averages([np.arange(cells + 1) / cells], group.gamma)
        place = rng.integers(0, cells, group.records).astype(np.intp, copy=False)
        half = np.where(rng.random(group.records) < 0.5 + f[place], 0.5, -0.5)
        sums = np.bincount(place, half, cells)
        for k, h in enumerate(plan.grid.bandwidths):
            q = round(h * cells)
            smooth = box(box(np.pad(sums, q - 1), q), q) / q
            out[j, k] = engine.release(
                smooth / (group.records * h),
                rng,
                of="kernel statistic",
                who=j,
                sensitivity=sensitivity(TRIANGULAR, group.n, h, 1),
                multiplier=group.multiplier,
                servers=group.m,
                weights=1.0 / group.m,
                path=partial(_path, cells, q),
            )
    return out


def _path(cells: int, q: int, rng: np.random.Generator) -> engine.Array:
    return np.asarray(triangular_path(rng, cells, q)[0])


def cusp_cells(plan: adaptive_design.Plan, longest: int = LONGEST) -> int:
    """Return M: two cells in the smallest bandwidth, and at least 1,024.

    Raises:
        DomainError: The smallest bandwidth is below 2^-longest.
    """
    if plan.grid.size > longest + 1:
        rule = (
            f"The bandwidth grid must not pass 2^-{longest} to be simulated: fewer records or "
            "servers."
        )
        raise DomainError(rule, field="n", value=Words(f"a grid down to 2^-{plan.grid.size - 1}"))
    return max(1024, int(2**plan.grid.size))


def cusp_risks(
    plan: adaptive_design.Plan, draws: Iterable[np.random.Generator], *, longest: int = LONGEST
) -> engine.Array:
    """Draw the adaptive rule on the one-dimensional cusp, and return its exact excess risks.

    Source: [ACC] Algorithms 1 and 2 on our own world.
    """
    cells = cusp_cells(plan, longest)
    loss = CUSP.loss([np.arange(cells + 1) / cells])
    positive = np.arange(cells) >= cells // 2
    signs = (plan.decide(cusp_releases(plan, cells, rng)) for rng in draws)
    return np.array([float(excess_risk(s, loss, positive)) for s in signs])


def cusp_trial(plan: adaptive_design.Plan) -> Trial:
    """Return the oracle on the cusp: bandwidth 3 r and weights of the printed mechanism."""
    return Trial(world=CUSP, study=study_on(CUSP, plan.servers), mechanism="printed")


# The experiment -------------------------------------------------------------------------------

ORACLE = "oracle"
ADAPTIVE = "adaptive"
N = SAMPLE_SIZE.within(
    "10, ..., 30000",
    help="Records of the target and of each source. delta is n^-2, as in the paper.",
)
SOURCES = replace(
    COUNT,
    name="m",
    symbol="m",
    domain="1, ..., 20",
    rule="m must be a whole number of at least 1.",
    limit_rule="m must be at most 20 here: every server is simulated by itself.",
    help="Number of identical sources.",
)
KERNEL = engine.Choice(
    name="kernel",
    options=tuple(KERNELS),
    default="gaussian",
    help="One factor of the product kernel; the cusp always takes the triangular one.",
)
SPLIT = engine.Choice(
    name="split",
    options=tuple(SPLITS),
    default="printed",
    help="; ".join(f"{name}: {text}" for name, text in SPLITS.items()) + ".",
)
BASE = engine.Choice(
    name="base",
    options=tuple(BASES),
    default="2",
    help="Base of the logarithm in the bandwidth grid; the natural one stops short of the rate.",
)
ALGORITHM = engine.Choice(
    name="algorithm",
    options=ALGORITHMS,
    default="2",
    help="Algorithm 2 frees all weights; Algorithm 1 gives the sources one weight together.",
)
ADAPTIVE_PRIVACY = (
    PRIVACY + " delta is n^-2. The adaptive rule releases once per bandwidth: its split "
    '"printed" or "composed" keeps (epsilon, delta) in all, "unsplit" does not.'
)


def plan_of(at: engine.Values) -> adaptive_design.Plan:
    """Return the plan of one point, its own numbers among the values."""
    cusp = at.get("world") == "cusp"
    return adaptive_design.alike(
        n=at.whole("n"),
        m=at.whole("m"),
        gamma=at.number("gamma"),
        epsilon=at.number("epsilon"),
        dimension=1 if cusp else 2,
        kernel="triangular" if cusp else at.word("kernel"),
        split=at.among("split", SPLITS),
        base=BASES[at.word("base")],
        algorithm=at.among("algorithm", ALGORITHMS),
    )


def price_points(values: engine.Values) -> tuple[engine.Point, ...]:
    """Return the points of "adaptive-price": oracle and adaptive rule over epsilon, per m."""
    out = []
    for m, method, epsilon in itertools.product(
        values.numbers("m"), (ORACLE, ADAPTIVE), values.numbers("epsilon")
    ):
        plan = plan_of(values.changed(m=m, epsilon=epsilon))
        if values["world"] == "cusp":
            cusp_cells(plan)
            lattice_of(cusp_trial(plan))
        else:
            adaptive_design.screen_of(plan.kernel, plan.grid.size)
        settings = engine.Values(method=method, m=m, epsilon=epsilon)
        out.append(engine.Point(series=f"{method}, m = {m:g}", x=epsilon, settings=settings))
    return tuple(out)


def price_sample(
    values: engine.Values, point: engine.Point, seed: int, indices: range
) -> engine.Array:
    """Return exact excess risks of "adaptive-price"; all points share random numbers."""
    plan = plan_of(values.changed(**point.settings))
    adaptive = point.settings["method"] == ADAPTIVE
    if values["world"] == "cusp" and not adaptive:
        return sample_of(cusp_trial(plan), point, seed, indices)
    sizes = values.whole("n"), point.settings.whole("m")
    draws = engine.generators(seed, "adaptive-price", *sizes, indices=indices)
    if values["world"] == "cusp":
        return cusp_risks(plan, draws)
    return (
        adaptive_design.adaptive_risks(plan, draws)
        if adaptive
        else adaptive_design.oracle_risks(plan, draws)
    )


def price_spent(values: engine.Values, point: engine.Point) -> engine.Spent | None:
    """Return what the releases of a point of "adaptive-price" guarantee; None without privacy."""
    plan = plan_of(values.changed(**point.settings))
    adaptive = point.settings["method"] == ADAPTIVE
    return plan.spent if adaptive else adaptive_design.printed_spent(plan.servers[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What not knowing costs at one m and ε.

    Attributes:
        m: Sources.
        epsilon: Budget.
        ratio: Excess risk of the adaptive rule over the oracle's.
        low: Lower end of the 95% interval.
        high: Upper end.
    """

    m: int
    epsilon: float
    ratio: float
    low: float
    high: float


def prices(progress: engine.Progress) -> tuple[Price, ...]:
    """Return the ratios of a run of "adaptive-price", with intervals in the logarithm.

    The spread of a ratio of means is that of a/mean(a) - b/mean(b) over the replicates, which
    counts what the two have in common. Pairs with fewer than two replicates are left out.
    """
    rows: dict[tuple[float, float], dict[str, engine.Array]] = {}
    for k, point in enumerate(progress.request.points):
        at = (point.settings.number("m"), point.x)
        found = progress.replicated[k, : progress.counts[k]]
        rows.setdefault(at, {})[point.settings.word("method")] = found
    out = []
    for (m, epsilon), both in rows.items():
        count = min(len(both[ORACLE]), len(both[ADAPTIVE]))
        if count < 2:
            continue
        a, b = both[ADAPTIVE][:count], both[ORACLE][:count]
        ratio = float(a.mean() / b.mean())
        error = float(np.std(a / a.mean() - b / b.mean(), ddof=1)) / math.sqrt(count)
        half = engine.quantile(count) * error
        out.append(
            Price(
                m=int(m),
                epsilon=epsilon,
                ratio=ratio,
                low=ratio * math.exp(-half),
                high=ratio * math.exp(half),
            )
        )
    return tuple(out)


PRICE = engine.Experiment(
    name="adaptive-price",
    question="What does it cost not to know smoothness and signal exponents?",
    help=(
        "The adaptive rule of the paper beside the oracle with bandwidth (11) and weights (12), "
        "in the paper's two-dimensional design or on the one-dimensional cusp, with exact risks. "
        "The oracle ignores constants; a tuned classifier may be better still."
    ),
    x_label="epsilon of every server",
    y_label="excess risk",
    privacy=ADAPTIVE_PRIVACY,
    parameters=(
        engine.Choice(
            name="world",
            options=("quadrants", "cusp"),
            default="quadrants",
            help="The paper's design, or the cusp in one dimension, on which rates show.",
        ),
        engine.Number(N, 500),
        engine.Numbers(SOURCES, (1, 4)),
        engine.Number(GAMMA, 1.0),
        engine.Numbers(BUDGET, (0.25, 0.5, 1.0, 2.0, 4.0, math.inf)),
        KERNEL,
        SPLIT,
        BASE,
        ALGORITHM,
    ),
    points=price_points,
    sample=price_sample,
    replicates=100,
    block=4,
)
