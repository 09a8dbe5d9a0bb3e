"""What an experiment is: parameters in, points out, one number per point and replicate.

Its random numbers depend on a seed and on names, never on order, process or machine.
"""

from __future__ import annotations

import functools
import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rates.numbers import DomainError, Parameter, Words
from sims import budgets
from sims.engine.settings import Setting, Values, check_values

Array = NDArray[np.float64]

FIRST_BLOCK = 4  # replicates of every point before any point gets more
MAX_POINTS = budgets.POINTS
MAX_EVALUATIONS = budgets.EVALUATIONS  # replicates times points; 40 MB, as every replicate is kept

REPLICATES = Parameter(
    "replicates",
    "R",
    "2, ..., 1e6",
    rule="Replicates must be a whole number of at least 2: one alone has no standard error.",
    limit_rule="Replicates must be at most 1e6.",
    help="Independent repetitions per point. Four times as many halve the standard error.",
)
SEED = Parameter(
    "seed",
    "seed",
    f"0, ..., {2**63 - 1}",
    rule="The seed must be a whole number from 0 to 2^63 - 1.",
    help="The same seed gives the same random numbers, on any number of workers.",
)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over replicates with its standard error and 95% interval.

    Attributes:
        mean: Average; nan without replicates.
        stderr: Standard deviation over the square root of the replicates; nan below two.
        replicates: How many were averaged.
        low: Lower end of the interval; nan below two.
        high: Upper end.

    Where no ends are given they are Student's, for replicates that are normal.

    >>> Estimate.of(np.array([1.0, 3.0])).stderr
    1.0
    >>> [round(end, 2) for end in Estimate(0.0, 1.0, 6).interval()]
    [-2.57, 2.57]
    """

    mean: float
    stderr: float
    replicates: int
    low: float = math.nan
    high: float = math.nan

    def __post_init__(self) -> None:
        # A frozen record: what is not given is filled in here, once.
        margin = quantile(self.replicates) * self.stderr
        if math.isnan(self.low) and not math.isnan(margin):
            object.__setattr__(self, "low", self.mean - margin)
            object.__setattr__(self, "high", self.mean + margin)

    @classmethod
    def of(cls, values: Array, span: tuple[float, float] | None = None) -> Estimate:
        """Return the estimate from one value per replicate.

        Args:
            values: One per replicate.
            span: Least and largest value that a replicate can have, where they are known.
        """
        count = len(values)
        if count < 2:
            return cls(float(values[0]) if count else math.nan, math.nan, count)
        mean, error = float(values.mean()), float(values.std(ddof=1)) / math.sqrt(count)
        return cls(mean, error, count, *interval(values, span))

    def interval(self) -> tuple[float, float]:
        """Return the ends of the mean's 95% Monte-Carlo interval."""
        return self.low, self.high


INTERVAL = (
    "95% Monte-Carlo interval of the mean: at each end the farther of Student's and of the same "
    "with Hall's correction for skewness; exact (Clopper and Pearson) where replicates take two "
    "values only, or all the same of values known to be bounded"
)


def interval(values: Array, span: tuple[float, float] | None = None) -> tuple[float, float]:
    r"""Return the ends of the 95% interval of a mean of at least two replicates.

    With skewness g and n replicates, Hall's transformation of Student's statistic T,

    .. math:: T + \tfrac13 g\,T^2 + \tfrac1{27} g^2 T^3 + \tfrac{1}{6n} g,
        \qquad T = (\bar x - \mu)/s,

    is closer to symmetric, and a cube inverts it. As g is estimated, the interval reaches as far as
    Student's at either end. Two values are a share between them, whose exact interval is that of
    Clopper and Pearson; where all replicates agree, another value may have gone unseen, with a
    chance of at most that interval's end, and may lie anywhere in the span.

    >>> [round(end, 3) for end in interval(np.array([0.0] * 19 + [1.0]))]
    [0.001, 0.249]
    >>> [round(end, 3) for end in interval(np.zeros(20), (0.0, 1.0))]
    [0.0, 0.168]

    Source: Hall (1992), On the removal of skewness by transformation; Clopper and Pearson (1934).
    """
    count, least, most = len(values), float(values.min()), float(values.max())
    # No spread to go by: another value may still have gone unseen.
    if least == most:
        seldom = _share(0, count)[1] if span else 0.0
        bottom, top = span or (least, most)
        return least - seldom * (least - bottom), most + seldom * (top - most)
    upper = int(np.count_nonzero(values == most))
    # Two replicates always take two values at most, which says nothing about a share.
    if count > 2 and upper + np.count_nonzero(values == least) == count:
        low, high = _share(upper, count)
        return least + low * (most - least), least + high * (most - least)
    mean, deviation = float(values.mean()), float(values.std(ddof=1))
    skew = 0.0
    if count > 2:
        third = float(np.sum((values - mean) ** 3)) / deviation**3
        # Adjusted for few replicates, where the plain form is too small.
        skew = third * count / ((count - 1) * (count - 2))
    bound = quantile(count)
    student = bound / math.sqrt(count)
    low = mean - deviation * max(_hall(bound, skew, count), student)
    high = mean - deviation * min(_hall(-bound, skew, count), -student)
    return (max(low, span[0]), min(high, span[1])) if span else (low, high)


def _hall(bound: float, skew: float, count: int) -> float:
    """Return the (mean - truth)/deviation at which Hall's statistic meets a bound."""
    at = bound / math.sqrt(count) - skew / (6.0 * count)
    # Near skewness 0 the cube root cancels, and the limit is Student's.
    return 3.0 / skew * (float(np.cbrt(1.0 + skew * at)) - 1.0) if abs(skew) > 1e-6 else at


@functools.lru_cache(maxsize=4096)
def _share(seen: int, count: int) -> tuple[float, float]:
    """Return the exact 95% interval of a share of which so many of count were seen."""
    from scipy.special import betaincinv

    # Quantiles of a beta law are the ends of Clopper and Pearson.
    low = float(betaincinv(seen, count - seen + 1, 0.025)) if seen else 0.0
    high = float(betaincinv(seen + 1, count - seen, 0.975)) if seen < count else 1.0
    return low, high


def midpoints(cells: int) -> Array:
    """Return the middles of equal cells of [0, 1].

    >>> midpoints(2)
    array([0.25, 0.75])
    """
    return (np.arange(cells) + 0.5) / cells


@functools.lru_cache(maxsize=256)
def quantile(replicates: int) -> float:
    """Return the 97.5% quantile of Student's t for a mean of so many replicates; nan below two.

    >>> round(quantile(2), 1), quantile(1)
    (12.7, nan)
    """
    from scipy.special import stdtrit

    return float(stdtrit(replicates - 1, 0.975)) if replicates >= 2 else math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One point of an experiment.

    Attributes:
        series: The curve it belongs to.
        x: Where it lies.
        theory: What theory says up to one constant per series; None where it says nothing.
        exact: The value computed without simulation, where that can be done.
        settings: What varies between points, by name; columns of the CSV file.
        left_out: Why the point takes no part in fits, decided before the run (saturated:
            bandwidth at its limit, say); empty if it takes part.
        key: What its random numbers depend on besides seed and replicate.
    """

    series: str
    x: float
    theory: float | None = None
    exact: float | None = None
    settings: Values = field(default_factory=Values)
    left_out: str = ""
    key: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", Values(self.settings))
        if not self.key:
            # Sorted, so that the order in which settings are given changes no random number.
            parts = [self.series, float(self.x)]
            parts += [f"{k}={self.settings[k]!r}" for k in sorted(self.settings)]
            object.__setattr__(self, "key", repr(parts))


PointsOf = Callable[[Values], tuple[Point, ...]]
SampleOf = Callable[[Values, Point, int, range], Array]


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """What can be run: parameters in, points out, one value per point and replicate.

    Attributes:
        name: Name in files and on the command line.
        question: The question it answers.
        help: What is simulated, in a few sentences.
        x_label: What x is, with its unit.
        y_label: What is averaged, with its unit.
        privacy: The guarantee and the neighbour relation of what is simulated.
        parameters: What may be asked.
        points: Checked values to points.
        sample: One number per replicate index; see `sims.run`.
        replicates: Default number of replicates.
        block: Most replicates in one call of ``sample``.
        first: Replicates of every point before any point gets more; two give an interval.
        slopes: Whether x and mean are positive and a slope in logarithms is meant.
        span: Least and largest value of a replicate, where they are known and may go unseen.
    """

    name: str
    question: str
    help: str = ""
    x_label: str
    y_label: str
    privacy: str
    parameters: tuple[Setting, ...]
    points: PointsOf
    sample: SampleOf
    replicates: int = 200
    block: int = 64
    first: int = FIRST_BLOCK
    slopes: bool = False
    span: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One run that can be repeated: experiment, parameters, replicates and seed, all checked.

    Attributes:
        experiment: What to run.
        values: Parameters by name; those left out take their defaults.
        replicates: Replicates per point.
        seed: Where all random numbers come from.
        points: The points that the values ask for.

    Raises:
        DomainError: A parameter is unknown or outside its set, or the run is too large.
    """

    experiment: Experiment
    values: Values = field(default_factory=Values)
    replicates: int
    seed: int = 0
    points: tuple[Point, ...] = field(init=False)

    def __post_init__(self) -> None:
        values = check_values(self.experiment.parameters, self.values)
        replicates = int(REPLICATES.check(self.replicates))
        # Points come after the values are checked: naming them may compute exact risks.
        points = tuple(self.experiment.points(values))
        _check_size(points, replicates)
        checked = {"values": values, "replicates": replicates, "points": points}
        for name, value in (checked | {"seed": int(SEED.check(self.seed))}).items():
            object.__setattr__(self, name, value)

    @property
    def total(self) -> int:
        """Replicates times points."""
        return len(self.points) * self.replicates


def _check_size(points: Sequence[Point], replicates: int) -> None:
    """Refuse a run without points, with two points alike, or too large for memory."""
    if not 1 <= len(points) <= MAX_POINTS:
        rule = f"A run has 1 to {MAX_POINTS:,} points."
        raise DomainError(rule, field="parameters", value=Words(f"{len(points):,} points"))
    if len(points) * replicates > MAX_EVALUATIONS:
        rule = f"Replicates times points must be at most {MAX_EVALUATIONS:,}."
        got = Words(f"{replicates:,} times {len(points):,}")
        raise DomainError(rule, field="replicates", value=got)
    seen: set[tuple[str, str]] = set()
    for point in points:
        if (point.series, point.key) in seen:
            rule = "Every point must differ from the others; a value is listed twice."
            raise DomainError(rule, field="parameters", value=Words(f"{point.series}, {point.x:g}"))
        seen.add((point.series, point.key))


def generator(seed: int, *keys: int | str) -> np.random.Generator:
    """Return the generator that belongs to a seed and to these keys.

    Different keys give streams that are independent for all practical purposes: seed and
    keys are hashed to 128 bits, which seed NumPy's `SeedSequence`. It costs about 13
    microseconds.

    >>> a, b = generator(0, "cusp", 3), generator(0, "cusp", 3)
    >>> bool(a.standard_normal() == b.standard_normal())
    True
    """
    # repr keeps 1 and '1' apart, and the parts from running together.
    words = [k if isinstance(k, str) else int(k) for k in keys]
    digest = hashlib.sha256(repr((int(seed), *words)).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


def generators(
    seed: int, *keys: int | str, indices: Iterable[int]
) -> Iterator[np.random.Generator]:
    """Yield ``generator(seed, *keys, k)`` for each replicate index k.

    >>> first, second = generators(0, "x", indices=range(2))
    >>> bool(first.random() == generator(0, "x", 0).random() != second.random())
    True
    """
    for k in indices:
        yield generator(seed, *keys, int(k))
