"""Simulated classmates, and the runs whose points arrive on the figures of some lessons."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rates.numbers import EPSILON, DomainError, Words
from rates.tally import PEOPLE, coin_error, coin_estimate, laplace_error, noise_decay, truth_chance
from sims.engine import (
    Array,
    Experiment,
    Number,
    Numbers,
    Point,
    Request,
    Values,
    generator,
    generators,
    noted,
    release,
)
from sims.lessons.catalogue import BUDGET, STRICT, TOTAL
from sims.lessons.catalogue import PEOPLE as CLASS
from sims.lessons.records import Question

COINS, TALLY = "coins", "tally"
SIZES = (12.0, 25.0, 60.0, 120.0, 250.0, 500.0, 1000.0)
MANY, FEW = 2_000, 20  # replicates at each point: of a class, of a curve
RECORDS = (1e4, 1.4e4, 2e4, 2.8e4, 4e4)  # of the registry in `twice`
SITES = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0)  # of `spread`


def by_coins(yes: int, n: int, epsilon: float, rng: np.random.Generator) -> float:
    """Return the share of yes that n people's coins mean, one throw each.

    >>> by_coins(3, 10, 500.0, np.random.default_rng(0))
    0.3
    """
    p = truth_chance(epsilon)
    said = int(rng.binomial(yes, p)) + int(rng.binomial(n - yes, 1.0 - p))
    noted(of="answers by coins", who=COINS, epsilon=epsilon)  # one each, of people apart
    return coin_estimate(said / n, epsilon)


def by_tally(yes: int, n: int, epsilon: float, rng: np.random.Generator) -> float:
    """Return the share of yes with discrete Laplace noise on the count; not clipped.

    >>> by_tally(3, 10, 500.0, np.random.default_rng(0))
    0.3
    """

    def whole(source: np.random.Generator) -> Array:
        """Noise in units of 1/epsilon: a difference of two geometric numbers."""
        first, second = source.geometric(1.0 - noise_decay(epsilon), 2)
        return np.asarray(epsilon * (first - second))

    noisy = release(
        yes,
        rng,
        of="count of yes",
        sensitivity=1.0,
        multiplier=1.0 / epsilon,
        law="Laplace",
        who=TALLY,
        path=whole,
    )
    return float(np.rint(noisy)) / n


def _points(values: Values) -> tuple[Point, ...]:
    epsilon = values.number("epsilon")
    return tuple(
        Point(series=name, x=n, exact=error(int(n), epsilon) ** 2, settings=Values(n=n))
        for name, error in ((COINS, coin_error), (TALLY, laplace_error))
        for n in values.numbers("n")
    )


def _sample(values: Values, point: Point, seed: int, indices: range) -> Array:
    n, epsilon = point.settings.whole("n"), values.number("epsilon")
    share = by_coins if point.series == COINS else by_tally
    yes = n // 2  # with the cards held fixed, their number does not matter
    draws = generators(seed, point.key, indices=indices)
    return np.array([(share(yes, n, epsilon, rng) - yes / n) ** 2 for rng in draws])


CLASSES = Experiment(
    name="lesson-class",
    question="Coins in every hand, or noise once on the tally?",
    help="Classes of n people, every second with a yes; the squared error of the share of yes.",
    x_label="people in the class",
    y_label="squared error of the share",
    privacy="Every answer is (epsilon, 0)-differentially private where it is replaced.",
    parameters=(
        Numbers(PEOPLE.within("1, ..., 1e5"), SIZES),
        Number(EPSILON.within("(0, 50]"), BUDGET),
    ),
    points=_points,
    sample=_sample,
    replicates=MANY,
    slopes=True,
)


def simulated(question: Question, seed: int = 0) -> Request:
    """Return the run whose points belong on the figure of `class`, `twice` or `spread`.

    A point of `class` is the mean squared error over simulated classes, in series `COINS` and
    `TALLY`; those of the other two are risks of real private estimators.

    Raises:
        DomainError: The question has no simulation, or the seed is out of its set.

    >>> from sims.lessons.catalogue import question
    >>> simulated(question("class")).total
    28000
    """
    if question.key == "class":
        return Request(experiment=CLASSES, replicates=MANY, seed=seed)
    from sims.ccv import RATE

    budgets = (STRICT, float("inf"))
    asked = {
        "twice": Values(sweep="n", n=RECORDS, m=(1.0,), epsilon=budgets, window="all"),
        "spread": Values(sweep="m", m=SITES, n=(float(TOTAL),), epsilon=budgets, window="all"),
    }
    if question.key not in asked:
        rule = "Simulated are the first questions of class, twice and spread."
        raise DomainError(rule, "question", Words(question.key))
    return Request(experiment=RATE, values=asked[question.key], replicates=FEW, seed=seed)


@dataclass(frozen=True, slots=True)
class Classroom:
    """One simulated class.

    Attributes:
        yes: How many hold a card with yes.
        coins: Share of yes that their coins mean.
        tally: Share of yes with noise on the count.
    """

    yes: int
    coins: float
    tally: float


def classroom(seed: int, mine: bool, n: int = CLASS) -> Classroom:
    """Return a class of n: the reader, whose card is given, and simulated classmates.

    Args:
        seed: Where cards, coins and noise come from.
        mine: Whether the reader's card says yes.
        n: People in all.
    """
    rng = generator(seed, "classmates")
    yes = int(mine) + int(rng.integers(0, 2, n - 1).sum())
    return Classroom(yes, by_coins(yes, n, BUDGET, rng), by_tally(yes, n, BUDGET, rng))
