"""The experiment "privacy-audit": readings of an attacker in two neighbouring worlds.

What runs on two neighbouring data sets prove about epsilon, whatever the mechanism is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from rates.numbers import DELTA, EPSILON, Parameter, epsilon_of
from sims import engine
from sims.audit.mechanisms import AUDITED, BY_NAME
from sims.audit.setup import setup_of
from sims.engine import Array, Progress, Values

SERIES = ("record as it is", "record replaced")
NOISE = Parameter(
    "noise",
    "c",
    "[0.1, 1]",
    help="What the noise is multiplied with. 1 is the mechanism as it is; with less its promise "
    "fails, and the audit should see it.",
)


def points(values: Values) -> tuple[engine.Point, ...]:
    """Return two points a promise: the two worlds."""
    audited, out = BY_NAME[values.word("mechanism")], []
    for epsilon in values.numbers("epsilon"):
        promised = setup_of(audited, epsilon, values.number("delta")).delta
        for series in SERIES:
            settings = Values(epsilon=epsilon, delta=promised)
            out.append(engine.Point(series=series, x=epsilon, settings=settings))
    return tuple(out)


def sample(values: Values, point: engine.Point, seed: int, indices: range) -> Array:
    """Return the attacker's reading of one release, or of all that a run releases."""
    name = values.word("mechanism")
    return BY_NAME[name].readings(
        list(engine.generators(seed, name, point.key, indices=indices)),
        point.x,
        values.number("delta"),
        replaced=point.series == SERIES[1],
        factor=values.number("noise"),
    )


AUDIT = engine.Experiment(
    name="privacy-audit",
    question="Can an attacker tell whether one record was replaced?",
    help=(
        "A mechanism runs many times on two data sets that differ in one record, the worst one. "
        "The attacker knows everything else and reads what is released by the likelihood ratio."
    ),
    x_label="epsilon promised",
    y_label="the attacker's reading, in standard deviations of the noise",
    privacy=(
        "The audited mechanism's own promise, one record replaced. The readings themselves are of "
        "simulated records and need no protection."
    ),
    parameters=(
        engine.Choice(
            name="mechanism",
            options=tuple(BY_NAME),
            default=AUDITED[0].name,
            help="What is audited.",
        ),
        engine.Numbers(EPSILON.within("[0.05, 20]"), (0.5, 1.0, 2.0, 4.0)),
        engine.Number(DELTA.within("[1e-12, 0.1]"), 1e-6),
        engine.Number(NOISE, 1.0),
    ),
    points=points,
    sample=sample,
    replicates=1000,
    block=64,
)


LEVEL = 0.95
FEWEST = 8  # runs in each world before anything is said


@dataclass(frozen=True, slots=True)
class Bound:
    """What an attacker proves about one promise.

    Attributes:
        epsilon: Promised.
        delta: Promised.
        proved: Epsilon is at least this, with 95% confidence; 0 where nothing is proved.
        runs: Runs on each of the two data sets.
        right: Share of runs that the attacker guesses right, at a threshold chosen beforehand.
    """

    epsilon: float
    delta: float
    proved: float
    runs: int
    right: float

    @property
    def broken(self) -> bool:
        """Whether the promise is refuted."""
        return self.proved > self.epsilon


def lower_bound(
    first: Array, second: Array, delta: float, *, gaussian: bool = False
) -> tuple[float, float]:
    r"""Return a 95% lower bound of epsilon, and the share of right guesses.

    The attacker says "replaced" where his reading is above (or below) a threshold. If epsilon and
    delta hold, P(said | replaced) is at most e^epsilon P(said | not) + delta, so

    .. math:: \epsilon \ge \log \frac{\underline p_1 - \delta}{\overline p_0}

    with exact one-sided limits of Clopper and Pearson at 97.5% each. Where the noise is known to
    be Gaussian, the two shares bound its size, :math:`\mu \ge \Phi^{-1}(\underline p_1) -
    \Phi^{-1}(\overline p_0)`, and epsilon is that of mu and delta: far tighter at a small delta,
    which no number of runs would reach. Threshold and side are chosen on the first half of the
    runs, the limits come from the second, so nothing is counted twice.

    Args:
        first: Readings without the replacement, shape (runs,), at least 4.
        second: Readings with it.
        delta: Promised, in [0, 1).
        gaussian: Whether the noise is known to be Gaussian.

    >>> readings = np.random.default_rng(0).normal(size=(2, 2000)) + [[0], [1]]
    >>> [round(lower_bound(*readings, 1e-5, gaussian=known)[0], 1) for known in (False, True)]
    [1.4, 3.9]

    Source: Jagielski, Ullman and Oprea (2020), Section 4; for Gaussian noise Nasr et al. (2023),
    Section 4; Clopper and Pearson (1934).
    """
    half = len(first) // 2  # chosen on these, judged on the others
    seen = np.quantile(np.concatenate([first[:half], second[:half]]), np.linspace(0.01, 0.99, 99))

    def said(readings: Array) -> Array:
        """How many readings lie beyond each level, on either side."""
        return np.stack(
            [(side * readings[:, None] > side * seen).sum(axis=0) for side in (1.0, -1.0)]
        )

    guess = _size if gaussian else partial(_log_ratio, delta=delta)
    best = np.unravel_index(
        int(np.argmax(guess(said(first[:half]), said(second[:half]), half))), (2, len(seen))
    )
    runs = len(first) - half
    false, true = (said(readings[half:])[best] for readings in (first, second))
    found = float(guess(false, true, runs))
    if gaussian:
        found = epsilon_of(1.0 / found, delta) if found > 0 else 0.0
    # As many runs in each world, so that a share of right guesses is the mean of both.
    return max(0.0, found), float(0.5 * (true + runs - false) / runs)


def _limits(false: Array, true: Array, runs: int) -> tuple[Array, Array]:
    """Upper limit of the one share and lower limit of the other, 97.5% each."""
    from scipy.special import betaincinv

    alpha = 0.5 * (1.0 - LEVEL)
    low = np.where(true > 0, betaincinv(np.maximum(true, 1), runs - true + 1, alpha), 0.0)
    high = betaincinv(false + 1, np.maximum(runs - false, 1), 1.0 - alpha)
    return np.where(false < runs, high, 1.0), low


def _log_ratio(false: Array, true: Array, runs: int, *, delta: float) -> Array:
    high, low = _limits(false, true, runs)
    return np.asarray(np.log(np.maximum(low - delta, 1e-300) / high))


def _size(false: Array, true: Array, runs: int) -> Array:
    from scipy.special import ndtri

    high, low = _limits(false, true, runs)
    return np.asarray(ndtri(low) - ndtri(high))


def bounds(progress: Progress) -> tuple[Bound, ...]:
    """Return what a run of the audit has proved so far, one record per promise."""
    out = []
    points = progress.request.points
    for k in range(0, len(points), 2):
        runs = min(progress.counts[k : k + 2])
        if runs >= FEWEST:
            first, second = (np.asarray(row[:runs]) for row in progress.replicated[k : k + 2])
            delta = points[k].settings.number("delta")
            proved, right = lower_bound(first, second, delta, gaussian=delta > 0.0)
            out.append(Bound(points[k].x, delta, proved, runs, right))
    return tuple(out)
