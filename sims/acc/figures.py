r"""Figures 3, 4 and 5 of [ACC] as experiments, at chosen replicates.

DTK, targetDTK and DT-HIST are tuned on the truth, as in the paper: one bandwidth and weight per
point of a curve. (The best of every single replicate, another reading of "best over
hyper-parameters", lies up to ten points higher.) The pair is the one with the best mean over
`PILOT` replicates of its own, and the curve shows its accuracy on others. So a mean is free of the
optimism of a maximum, and its standard error is that of the pair chosen. A pilot of this size may
miss the best pair; at 100 records and epsilon up to 1/2 that costs up to one point of accuracy,
elsewhere less than 0.3.

Every method at one n and m sees the same records and, where it draws equally many, the same
noise: differences between points are paired, and what is high or low by chance is so together.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np

from rates.numbers import Mechanism
from sims import engine
from sims.acc import adaptive, adaptive_price, histogram, screen
from sims.acc.adaptive import SPLITS, WORLD
from sims.acc.kernel import KERNELS, Group
from sims.acc.rate import BUDGET, GAMMA
from sims.acc.screen import BANDWIDTHS, make_screen

BEST = 1.0 - WORLD.bayes_risk
PILOT = 50
WEIGHTS = 101
TOTAL = 500
EPSILONS = (0.25, 0.5, 1.0, 2.0, 4.0, math.inf)
DTK, TARGET, HIST, ADAPT = "DTK", "targetDTK", "DT-HIST", "AdaptDTK"
LAWS = {
    "printed": "Gaussian noise with the constant of (9)",
    "exact": "Gaussian noise of the exact calibration",
    "laplace": "Laplace noise, which needs no delta",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One method at one point of a figure.

    Attributes:
        method: "DTK", "targetDTK", "DT-HIST" or "AdaptDTK".
        variant: The kernel, or bins and noise of the histogram as in "shifted laplace".
        n: Records of each server.
        m: Sources.
        gamma: Their signal exponent.
        epsilon: Budget of each server.
    """

    method: str
    variant: str
    n: int
    m: int
    gamma: float
    epsilon: float

    @property
    def groups(self) -> tuple[Group, ...]:
        """Target and sources, with the noise at the whole budget."""
        groups = self.plan().printed_groups
        if self.method != HIST:
            return groups
        return tuple(replace(group, multiplier=self.noise) for group in groups)

    @property
    def noise(self) -> float:
        """Scale of the noise of each server's histogram over its sensitivity."""
        calibration = self.variant.split()[1]
        if calibration == "laplace":
            return 1.0 / self.epsilon
        mechanism: Mechanism = "printed" if calibration == "printed" else "analytic"
        return engine.multiplier(self.epsilon, float(self.n) ** -2, mechanism)

    @property
    def law(self) -> engine.Law:
        """Law of that noise."""
        return "Laplace" if self.variant.endswith("laplace") else "Gaussian"

    @property
    def shifted(self) -> bool:
        """Whether bins start half a bin before 0."""
        return self.variant.startswith("shifted")

    def plan(self, **reading: object) -> adaptive.Plan:
        """Return sizes and budget as a plan; the reading matters to AdaptDTK alone."""
        kernel = self.variant if self.variant in KERNELS else "gaussian"
        size = {"n": self.n, "m": self.m, "gamma": self.gamma, "epsilon": self.epsilon}
        return adaptive.alike(**size, kernel=kernel, **reading)


def replicate(
    cells: Sequence[Cell], rng: np.random.Generator
) -> tuple[screen.Releases, Sequence[screen.Screen | histogram.Histogram]]:
    """Return what draws one replicate of a tuned method, and what judges each of its bandwidths.

    Args:
        cells: Of one method, apart from signal exponent, budget and kernel, which share
            covariates and unit noise.
        rng: Source of randomness.

    Source: [ACC] Section 6.1.1.
    """
    one, groups = cells[0], [cell.groups for cell in cells]
    if one.method == HIST:
        bins = [histogram.make_histogram(WORLD, h, one.shifted) for h in BANDWIDTHS]
        return histogram.releases(bins, groups, rng, one.law), bins
    screens = [make_screen(WORLD, cell.variant) for cell in cells]
    settings = list(zip(screens, groups, strict=True))
    return screen.releases(settings, rng), [screens[0]] * len(BANDWIDTHS)


def family(cell: Cell, values: engine.Values) -> tuple[Cell, ...]:
    """Return the cells of a run that are drawn together with this one, itself among them.

    They differ in signal exponent, budget and kernel alone; "targetDTK" is part of "DTK".
    """
    one = replace(cell, method=DTK) if cell.method == TARGET else cell
    if not ("gamma" in values and "epsilon" in values):
        return (one,)
    kernels = tuple(KERNELS)
    together = tuple(
        replace(one, variant=variant, gamma=gamma, epsilon=epsilon)
        for variant in (
            (one.variant,) if one.method == HIST else _listed(values, "kernel", kernels)
        )
        for gamma in values.numbers("gamma")
        for epsilon in values.numbers("epsilon")
    )
    return together if one in together else (one,)


@lru_cache(maxsize=4096)
def tuned(cells: tuple[Cell, ...], seed: int) -> dict[Cell, tuple[int, float]]:
    """Return the index of the bandwidth and the weight with the best mean over the pilot.

    The pilot has its own random numbers, which depend on the seed, n and m. With every cell stands
    that of "targetDTK", of weight 1.

    Args:
        cells: From `family`.
        seed: Of the run.

    Source: [ACC] Section 6.1.1, one pair per setting.
    """
    one, found = cells[0], {}
    rngs = engine.generators(seed, "figures", "pilot", one.n, one.m, indices=range(PILOT))
    pilot = [replicate(cells, rng) for rng in rngs]
    sums = np.full((len(cells), len(BANDWIDTHS), WEIGHTS), math.inf)
    for k in range(len(BANDWIDTHS)):
        # Risks are never negative: once a bandwidth's sum over some replicates is above another
        # one's over all, whatever the weight, it cannot be the best, and no more of it is drawn.
        best, target = sums.min(axis=(1, 2)) + 1e-9, sums[:, :, -1].min(axis=1) + 1e-9
        here, left = np.zeros((len(cells), WEIGHTS)), list(range(len(cells)))
        for drawn, judges in pilot:
            values = drawn.send(left if k else None)
            if left:
                here[left] += judges[k].curves(values)
            left = [s for s in left if here[s].min() <= best[s] or here[s, -1] <= target[s]]
        sums[left, k] = here[left]
    for cell, risks in zip(cells, sums, strict=True):
        k, w = _middle_best(risks)
        found[cell] = k, w / (WEIGHTS - 1)
        found[replace(cell, method=TARGET)] = _middle_best(risks[:, -1:])[0], 1.0
    return found


def _middle_best(risks: engine.Array) -> list[int]:
    """Return the place of the least entry; the middle one, where several pairs never err."""
    # Many pairs tie where bins are the Bayes rule; an end of the range would look like a finding.
    ties = np.argwhere(risks <= risks.min() + 1e-12)
    return [int(place) for place in ties[len(ties) // 2]]


@lru_cache(maxsize=4096)
def _together(lead: Cell, values: engine.Values, seed: int, k: int) -> dict[Cell, float]:
    """Return the excess risks in one replicate of the family that a cell leads.

    A cell of "targetDTK" leads those of its own method.
    """
    cells = family(lead, values)
    # By size and replicate alone, so that methods and settings are paired.
    rng = engine.generator(seed, "figures", lead.n, lead.m, k)
    if lead.method == ADAPT:
        plans = [_reading(cell, values) for cell in cells]
        return dict(zip(cells, adaptive.adaptive_once(plans, rng).tolist(), strict=True))
    pairs = tuned(cells, seed)
    cells = tuple(replace(cell, method=lead.method) for cell in cells)
    found = tuned_risks(cells, [pairs[cell] for cell in cells], rng)
    return dict(zip(cells, found.tolist(), strict=True))


def tuned_risks(
    cells: Sequence[Cell], pairs: Sequence[tuple[int, float]], rng: np.random.Generator
) -> engine.Array:
    """Draw cells of one family, each at its pair of bandwidth and weight, with exact risks."""
    weights = [weight for _, weight in pairs]
    if cells[0].method == HIST:
        widths = [BANDWIDTHS[k] for k, _ in pairs]
        bins = [histogram.make_histogram(WORLD, h, cells[0].shifted) for h in widths]
        settings = [cell.groups for cell in cells]
        return histogram.histogram_risks(bins, settings, weights, rng, cells[0].law)
    drawn = [
        (make_screen(WORLD, cell.variant, (BANDWIDTHS[k],)), cell.groups)
        for cell, (k, _) in zip(cells, pairs, strict=True)
    ]
    return screen.pair_risks(drawn, weights, rng)


# The experiments ------------------------------------------------------------------------------

KERNEL = engine.Choice(
    name="kernel",
    options=("both", *KERNELS),
    default="both",
    help="Kernels of DTK and AdaptDTK; only the triangular one has the bounded support asked for.",
)
BIN_CHOICE = engine.Choice(
    name="bins",
    options=("both", *histogram.BINS),
    default="both",
    help="; ".join(f"{name}: {text}" for name, text in histogram.BINS.items())
    + ". The paper does not say.",
)
LAW_CHOICE = engine.Choice(
    name="noise",
    options=("printed and laplace", *LAWS),
    default="printed and laplace",
    help="; ".join(f"{name}: {text}" for name, text in LAWS.items()) + ". The paper does not say.",
)


def _listed(values: engine.Values, name: str, all_of: Sequence[str]) -> Sequence[str]:
    word = str(values.get(name, ""))
    return (word,) if word in all_of else all_of


def methods(values: engine.Values, figure: int) -> tuple[tuple[str, str], ...]:
    """Return the methods and variants of a figure.

    >>> methods(engine.Values(kernel="gaussian"), 3)
    (('DTK', 'gaussian'), ('targetDTK', 'gaussian'))
    """
    kernels = _listed(values, "kernel", tuple(KERNELS))
    out = [(m, k) for m in (DTK, TARGET if figure == 3 else ADAPT) for k in kernels]
    if figure != 3:
        word = values.word("noise")
        laws = (word,) if word in LAWS else ("printed", "laplace")
        bins = _listed(values, "bins", tuple(histogram.BINS))
        out += [(HIST, f"{b} {law}") for b in bins for law in laws]
    return tuple(out)


def _point(cell: Cell, figure: int) -> engine.Point:
    series, x = f"{cell.method}, {cell.variant}, gamma = {cell.gamma:g}", cell.epsilon
    if figure == 5:
        series, x = f"{series}, epsilon = {cell.epsilon:g}", cell.m
    return engine.Point(series=series, x=x, settings=engine.Values(dataclasses.asdict(cell)))


def cell_of(point: engine.Point) -> Cell:
    """Return the cell of a point."""
    return Cell(**point.settings)  # type: ignore[arg-type]


def _points(values: engine.Values, figure: int) -> tuple[engine.Point, ...]:
    if figure == 5:
        sizes = [(TOTAL // (int(m) + 1), int(m)) for m in values.numbers("m")]
    else:
        sizes = [(values.whole("n"), values.whole("m") if "m" in values else 1)]
    return tuple(
        _point(Cell(method=a, variant=b, n=n, m=m, gamma=gamma, epsilon=epsilon), figure)
        for (a, b), gamma, epsilon, (n, m) in itertools.product(
            methods(values, figure), values.numbers("gamma"), values.numbers("epsilon"), sizes
        )
    )


def _reading(cell: Cell, values: engine.Values) -> adaptive.Plan:
    return cell.plan(
        split=values.among("split", SPLITS),
        base=adaptive_price.BASES[values.word("base")],
        algorithm=values.among("algorithm", adaptive_price.ALGORITHMS),
    )


def point_spent(values: engine.Values, point: engine.Point) -> engine.Spent | None:
    """Return what the releases of a figure's point guarantee; None without privacy.

    A tuned method counts with the release of its one bandwidth and weight.
    """
    cell = cell_of(point)
    if math.isinf(cell.epsilon):
        return None
    if cell.method == ADAPT:
        return _reading(cell, values).spent
    if cell.method != HIST:
        return adaptive.printed_spent(cell.plan().servers[0])
    if cell.law == "Laplace":
        return engine.Spent(epsilon=cell.epsilon, delta=0.0, actual=0.0)
    return engine.spent(cell.noise, cell.epsilon, float(cell.n) ** -2)


def sample(values: engine.Values, point: engine.Point, seed: int, indices: range) -> engine.Array:
    """Return exact accuracies of a figure's point."""
    cell = cell_of(point)
    lead = replace(family(cell, values)[0], method=cell.method)
    return BEST - np.array([_together(lead, values, seed, k)[cell] for k in indices])


_SIZE = adaptive_price.N.within("10, ..., 2000", help=adaptive_price.N.help)
_READINGS: tuple[engine.Setting, ...] = (
    BIN_CHOICE,
    LAW_CHOICE,
    adaptive_price.SPLIT,
    adaptive_price.BASE,
    adaptive_price.ALGORITHM,
)
_EXPONENTS_AND_BUDGETS = (
    engine.Numbers(GAMMA, (0.5, 1.0, 1.5)),
    engine.Numbers(BUDGET, EPSILONS),
)
_HELP = (
    "Accuracies are exact integrals; the best possible is 92.03%. Tuned methods are tuned on "
    "the truth, which no data set would tell."
)

FIGURE_3 = engine.Experiment(
    name="figure-3",
    question="How much do sources add to the target alone, in the paper's Figure 3?",
    help="DTK with one source beside targetDTK. " + _HELP,
    x_label="epsilon of every server",
    y_label="accuracy (share of records)",
    privacy=adaptive_price.ADAPTIVE_PRIVACY
    + " That bandwidth and weight of the other methods are tuned on the truth is not part of it.",
    parameters=(engine.Number(_SIZE, 100), *_EXPONENTS_AND_BUDGETS, KERNEL),
    points=partial(_points, figure=3),
    sample=sample,
    replicates=50,
    block=8,
    span=(0.0, 1.0),
)
FIGURE_4 = replace(
    FIGURE_3,
    name="figure-4",
    question="How do adaptive rule, tuned kernel and histogram compare, in the paper's Figure 4?",
    help="DTK, AdaptDTK and DT-HIST with identical sources. " + _HELP,
    parameters=(
        engine.Number(_SIZE, 500),
        engine.Number(adaptive_price.SOURCES, 1),
        *_EXPONENTS_AND_BUDGETS,
        KERNEL,
        *_READINGS,
    ),
    points=partial(_points, figure=4),
)
FIGURE_5 = replace(
    FIGURE_3,
    name="figure-5",
    question="What does it cost to spread 500 records over more servers, in the paper's Figure 5?",
    help="All methods with 500 records in all, shared by target and m sources. " + _HELP,
    x_label="number of sources m",
    parameters=(
        engine.Numbers(adaptive_price.SOURCES, (1, 4, 9, 19)),
        engine.Numbers(GAMMA, (0.25, 1.0, 4.0)),
        engine.Numbers(BUDGET, (0.5, 2.0, math.inf)),
        KERNEL,
        *_READINGS,
    ),
    points=partial(_points, figure=5),
    block=2,
)
