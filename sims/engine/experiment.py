"""What an experiment is: parameters in, points out, one number per point and replicate."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rates.numbers import DomainError, Parameter, Words
from sims.engine.settings import Setting, Values, check_values

Array = NDArray[np.float64]

MAX_POINTS = 2_000
MAX_EVALUATIONS = 5_000_000  # replicates times points; 40 MB, as every replicate is kept

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
    """A mean over replicates with its standard error.

    Attributes:
        mean: Average; nan without replicates.
        stderr: Standard deviation over the square root of the replicates; nan below two.
        replicates: How many were averaged.

    >>> Estimate.of(np.array([1.0, 3.0]))
    Estimate(mean=2.0, stderr=1.0, replicates=2)
    """

    mean: float
    stderr: float
    replicates: int

    @classmethod
    def of(cls, values: Array) -> Estimate:
        """Return the estimate from one value per replicate."""
        count = len(values)
        if count < 2:
            return cls(float(values[0]) if count else math.nan, math.nan, count)
        return cls(float(values.mean()), float(values.std(ddof=1)) / math.sqrt(count), count)

    @property
    def margin(self) -> float:
        """Half the 95 % interval: the standard error times Student's quantile; nan below two.

        >>> round(Estimate(0.0, 1.0, 6).margin, 2), round(Estimate(0.0, 1.0, 1000).margin, 2)
        (2.57, 1.96)
        """
        return quantile(self.replicates) * self.stderr

    def interval(self) -> tuple[float, float]:
        """Return the mean and its 95 % Monte-Carlo interval's ends."""
        return self.mean - self.margin, self.mean + self.margin


@functools.lru_cache(maxsize=256)
def quantile(replicates: int) -> float:
    """Return the 97.5 % quantile of Student's t for a mean of so many replicates; nan below two.

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
        slopes: Whether x and mean are positive and a slope in logarithms is meant.
        prepares: Whether a point's first block takes much longer than its later ones.
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
    slopes: bool = False
    prepares: bool = False


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
        points = tuple(self.experiment.points(values))
        _check_size(points, replicates)
        for name, value in (
            ("values", values),
            ("replicates", replicates),
            ("seed", int(SEED.check(self.seed))),
            ("points", points),
        ):
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
