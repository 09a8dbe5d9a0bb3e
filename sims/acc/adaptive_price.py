r"""The adaptive rules against what they should reach: the oracle, and the bound of the theorems.

"adaptive-price" measures what not knowing costs: the ratio of the expected excess risks of AdaptDTK
and of the oracle. In the paper's design both run on the screen, with the printed noise. On the
one-dimensional cusp every server's release is a vector on M cells, computed by box filters at a
cost free of the bandwidth; there the oracle takes h = 3 r and weights with the constants of the
printed mechanism.

"adaptive-growth" follows Theorems 5.1 and 5.3 along growing servers, on the cusp. The printed
bracket exceeds 1 over any r that can be simulated, as |H|^2 does. So the excess risk is compared
with the bandwidth h that the bracket bounds: the root of (11) with all budgets divided by |H| and
log(n_*|H|) log(2|H|/delta) on the right. Where the risk is at most h^(beta (1 + alpha)), it is at
most the printed bound as well.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from rates.answer import solve_r
from rates.numbers import COUNT, SAMPLE_SIZE, DomainError, Words
from rates.study import Server
from sims import engine
from sims.acc import adaptive
from sims.acc.kernel import KERNELS, TRIANGULAR, excess_risk, sensitivity
from sims.acc.lattice import box, triangular_path
from sims.acc.rate import BUDGET, GAMMA, PRIVACY, Trial, lattice_of, sample_of
from sims.acc.worlds import Cusp, study_on

CUSP = Cusp()
LONGEST = 15  # bandwidths down to 2^-15 on the cusp
BASES = {"2": 2.0, "e": math.e}
ALGORITHMS: tuple[adaptive.Algorithm, ...] = ("2", "1")


def cusp_releases(plan: adaptive.Plan, cells: int, rng: np.random.Generator) -> engine.Array:
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
                path=partial(triangular_path, size=cells, per_bandwidth=q),
            )
    return out


def cusp_cells(plan: adaptive.Plan, longest: int = LONGEST) -> int:
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
    # Rounding to fewer cells would itself be a smoothing that the large bandwidths show.
    return max(1024, int(2**plan.grid.size))


def cusp_risks(
    plan: adaptive.Plan, draws: Iterable[np.random.Generator], *, longest: int = LONGEST
) -> engine.Array:
    """Draw the adaptive rule on the one-dimensional cusp, and return its exact excess risks.

    Source: [ACC] Algorithms 1 and 2 on our own world.
    """
    cells = cusp_cells(plan, longest)
    loss = CUSP.loss([np.arange(cells + 1) / cells])
    positive = np.arange(cells) >= cells // 2
    signs = (_decided(plan, cusp_releases(plan, cells, rng)) for rng in draws)
    return np.array([float(excess_risk(s, loss, positive)) for s in signs])


def _decided(plan: adaptive.Plan, values: engine.Array) -> engine.Array:
    """The sign of the label in each cell, from releases of shape (groups, |H|, M)."""
    scored = [adaptive.best_ratio(values[:, k], row) for k, row in enumerate(plan.variances)]
    return adaptive.choose(scored, plan.level)


def _oracle(plan: adaptive.Plan) -> Trial:
    """The oracle on the cusp: bandwidth 3 r and weights of the printed mechanism."""
    return Trial(world=CUSP, study=study_on(CUSP, plan.servers), mechanism="printed")


# The price of not knowing ---------------------------------------------------------------------

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
    options=tuple(adaptive.SPLITS),
    default="printed",
    help="; ".join(f"{name}: {text}" for name, text in adaptive.SPLITS.items()) + ".",
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


def plan_of(at: engine.Values) -> adaptive.Plan:
    """Return the plan of one point, its own numbers among the values."""
    cusp = at.get("world") == "cusp"
    return adaptive.alike(
        n=at.whole("n"),
        m=at.whole("m"),
        gamma=at.number("gamma"),
        epsilon=at.number("epsilon"),
        dimension=1 if cusp else 2,
        kernel="triangular" if cusp else at.word("kernel"),
        split=at.among("split", adaptive.SPLITS),
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
            # What cannot be simulated is refused here, before anything is.
            cusp_cells(plan)
            lattice_of(_oracle(plan))
        else:
            _ = plan.screen
        settings = engine.Values(method=method, m=m, epsilon=epsilon)
        out.append(engine.Point(series=f"{method}, m = {m:g}", x=epsilon, settings=settings))
    return tuple(out)


def price_sample(
    values: engine.Values, point: engine.Point, seed: int, indices: range
) -> engine.Array:
    """Return exact excess risks of "adaptive-price"; all points share random numbers."""
    plan = plan_of(values.changed(**point.settings))
    knows = point.settings["method"] == ORACLE
    if values["world"] == "cusp" and knows:
        return sample_of(_oracle(plan), point, seed, indices)
    sizes = values.whole("n"), point.settings.whole("m")
    draws = engine.generators(seed, "adaptive-price", *sizes, indices=indices)
    if values["world"] == "cusp":
        return cusp_risks(plan, draws)
    if knows:
        return adaptive.oracle_risks(plan, draws)
    return np.array([adaptive.adaptive_once([plan], rng)[0] for rng in draws])


def price_spent(values: engine.Values, point: engine.Point) -> engine.Spent | None:
    """Return what the releases of a point of "adaptive-price" guarantee; None without privacy."""
    plan = plan_of(values.changed(**point.settings))
    return (
        plan.spent
        if point.settings["method"] == ADAPTIVE
        else adaptive.printed_spent(plan.servers[0])
    )


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


# Growing servers ------------------------------------------------------------------------------

LONGEST_GROWTH = 18  # bandwidths down to 2^-18


def bandwidth(plan: adaptive.Plan) -> float:
    """Return the bandwidth h that the bracket of the theorems bounds, at most 1."""
    columns = [(s.n, s.epsilon, s.signal_exponent, s.count) for s in plan.servers]
    n, epsilon, gamma, count = np.array(columns, dtype=float).T
    size, delta = plan.grid.size, min(s.delta or math.nan for s in plan.servers)
    right = math.log(plan.grid.information * size) * math.log(2 * size / delta)
    beta = CUSP.smoothness
    root = solve_r(n, epsilon / size, gamma, beta=beta, d=1, rhs=right, count=count)
    return min(float(root), 1.0)


def bound(plan: adaptive.Plan) -> float:
    """Return h^(beta (1 + alpha)) on the cusp."""
    return float(bandwidth(plan) ** (CUSP.smoothness * (1 + CUSP.margin)))


SHRINKING = "ε = 8 n^(-1/3)"
# Budgets of each theorem in words; the first one is the same at all sizes.
GROWING: dict[str, dict[str, float]] = {
    "5.1": {"ε = 4": 4.0, SHRINKING: 8.0},
    "5.3": {"ε = 2": 2.0, SHRINKING: 8.0},
}


def growth_plan(theorem: str, budget: str, n: int) -> adaptive.Plan:
    """Return what is run for a theorem at one size of the target."""
    epsilon = GROWING[theorem][budget] * (n ** (-1 / 3) if budget == SHRINKING else 1.0)
    if theorem == "5.1":
        size = {"n": n, "m": 2, "gamma": 1.5, "epsilon": epsilon}
        return adaptive.alike(**size, dimension=1, kernel="triangular", algorithm="1")
    rows = (n, epsilon, 1.0), (2 * n, epsilon / 2, 0.75), (n // 2, 2 * epsilon, 2.0)
    servers = tuple(
        Server(name=f"{n} records", n=n, epsilon=e, delta=float(n) ** -2, signal_exponent=gamma)
        for n, e, gamma in rows
    )
    return adaptive.Plan(servers=servers, dimension=1, kernel="triangular")


_SIZES = SAMPLE_SIZE.within(
    "10, ..., 65536",
    help="Records of the target; the sources have as many, or twice and half as many.",
)


def growth_points(values: engine.Values) -> tuple[engine.Point, ...]:
    """Return the points of "adaptive-growth": sizes of the target, one series for each budget."""
    return tuple(
        engine.Point(series=name, x=n, settings=engine.Values(budget=name, n=n))
        for name in GROWING[values.word("theorem")]
        for n in values.numbers("n")
    )


def growth_sample(
    values: engine.Values, point: engine.Point, seed: int, indices: range
) -> engine.Array:
    """Return exact excess risks over h^(beta (1 + alpha)); all budgets share random numbers."""
    n = int(point.x)
    plan = growth_plan(values.word("theorem"), point.settings.word("budget"), n)
    draws = engine.generators(seed, "adaptive-growth", n, indices=indices)
    return cusp_risks(plan, draws, longest=LONGEST_GROWTH) / bound(plan)


GROWTH = engine.Experiment(
    name="adaptive-growth",
    question="Does the risk of the adaptive rules keep to its bound as the servers grow?",
    help=(
        "Algorithms 1 and 2 of the paper on the one-dimensional cusp, exact excess risks over "
        "h^(beta (1 + alpha)), where h is the bandwidth that the bracket of Theorems 5.1 and 5.3 "
        "bounds; split and noise as printed."
    ),
    x_label="records of the target",
    y_label="excess risk over its bound",
    privacy=ADAPTIVE_PRIVACY,
    parameters=(
        engine.Choice(
            name="theorem",
            options=tuple(GROWING),
            default="5.1",
            help="5.1: two sources alike, Algorithm 1. 5.3: two that differ, Algorithm 2.",
        ),
        engine.Numbers(_SIZES, tuple(float(2**k) for k in range(8, 15))),
    ),
    points=growth_points,
    sample=growth_sample,
    replicates=40,
    block=4,
)
