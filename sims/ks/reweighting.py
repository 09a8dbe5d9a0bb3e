r"""Subsample-Test-Reweigh of [KS], with and without privacy, on a source of two clusters.

A share ρ of the volunteers is like the population; the others have the opposite labels in
another place, so that X = 1/ρ exactly and a learner on all volunteers fails for ρ < 1/2. Rules
are halfspaces on a grid. The weights of all records are public functions of the rules shown so
far and of the own record, and with 0-1 loss they depend on one whole number per record: how
often a rule was right there.

Privacy: a volunteer's budget is fixed before the run, from the rounds allowed and not from those
used. A user answers once, with Gaussian noise from the exact calibration.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rates import hybrid
from rates.numbers import DELTA, Parameter, analytic_multiplier
from sims.engine import Array, choose, generator, noted, release

Flags = NDArray[np.bool_]
SPREAD, PLACE = 0.6, 1.5  # of both clusters: standard deviation, and distance from the origin
ANGLES, OFFSETS, FARTHEST = 36, 21, 2.5  # the grid of halfspaces


@cache
def halfspaces() -> Array:
    """Return the rules, a row (cos θ, sin θ, b) each: +1 where x1 cos θ + x2 sin θ + b > 0.

    >>> halfspaces().shape
    (756, 3)

    Source: a grid of ours.
    """
    angle = np.linspace(0.0, 2.0 * math.pi, ANGLES, endpoint=False)
    offset = np.linspace(-FARTHEST, FARTHEST, OFFSETS)
    grid = np.stack(np.meshgrid(angle, offset, indexing="ij"), axis=-1).reshape(-1, 2)
    return np.column_stack([np.cos(grid[:, 0]), np.sin(grid[:, 0]), grid[:, 1]])


def mean_errors(points: Array, labels: Flags) -> Array:
    """Return each rule's share of errors on records."""
    rules = halfspaces()
    wrong = (points @ rules[:, :2].T + rules[:, 2] > 0) != labels[:, None]
    return np.asarray(wrong.mean(axis=0))


@cache
def population_errors() -> Array:
    r"""Return each rule's exact error on the population.

    .. math:: \int \varphi(z)\,\big|1\{z>0\}
        - \Phi\big((\sigma z\cos\theta + c\sin\theta + b)/(\sigma|\sin\theta|)\big)\big|\,dz.

    >>> float(population_errors().min()) < 1e-9 < float(population_errors().max())
    True

    Source: conditioning on the first coordinate; Gauss-Legendre on both sides of 0.
    """
    from scipy.special import ndtr

    # On both sides of 0 apart, where the integrand jumps.
    nodes, mass = np.polynomial.legendre.leggauss(300)
    z = 4.5 * np.concatenate([nodes - 1.0, nodes + 1.0])
    mass = 4.5 * np.concatenate([mass, mass]) * np.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
    rules = halfspaces()
    across = SPREAD * np.abs(rules[:, 1])
    centre = SPREAD * rules[:, :1] * z + PLACE * rules[:, 1:2] + rules[:, 2:]
    flat = across < 1e-9  # a rule on the first coordinate alone has an exact strip of errors
    right = ndtr(centre / np.where(flat, 1.0, across)[:, None])
    errors = np.abs((z > 0) - right) @ mass
    strip = np.abs(ndtr(rules[:, 2] / SPREAD) - 0.5)
    return np.asarray(np.where(flat, np.where(rules[:, 0] > 0, strip, 1.0 - strip), errors))


def volunteers(
    share: float, records: int, generator: np.random.Generator
) -> tuple[Array, Flags, Flags]:
    """Draw volunteers: points (x1, x2), labels, and whether each is like the population.

    Source: a world of ours in which X = 1/share.
    """
    good = generator.random(records) < share
    points = SPREAD * generator.standard_normal((records, 2))
    points[:, 1] += np.where(good, PLACE, -PLACE)
    return points, (points[:, 0] > 0) == good, good


# The law of the noise on the errors: Gumbel is the exponential mechanism; None is no privacy.
LEARNERS: dict[str, Literal["Gumbel", "exponential"] | None] = {
    "exponential": "Gumbel",
    "permute and flip": "exponential",
    "least error": None,
}


def learn(
    learner: str,
    errors: Array,
    records: int,
    epsilon: float,
    generator: np.random.Generator,
    *,
    who: str = "",
    sampled: Callable[[float], float] | None = None,
) -> int:
    """Choose a rule by noisy error, which is ε₀-private, or the least error, which is not.

    With Gumbel noise its probability is proportional to exp(-ε₀ m · error / 2), the exponential
    mechanism; exponential noise is permute-and-flip, which is as private.

    Args:
        learner: One of `LEARNERS`.
        errors: Mean errors of the rules over the records; one record replaced moves each by at
            most 1/m.
        records: m.
        epsilon: ε₀, for the records that are shown.
        generator: Source of the noise.
        who: Whose records these are, for the book of the gate.
        sampled: What the budget costs one of the records that they are drawn from.

    Source: [KS] before Corollary 4.4; McSherry and Talwar (2007); McKenna and Sheldon (2020), in
    the form of Ding et al. (2021).
    """
    law = LEARNERS[learner]
    if law is None:
        noted(of="rule", who=who, epsilon=math.inf)
        return int(np.argmin(errors))
    said: dict[str, Any] = {"of": "rule", "law": law, "who": who, "sampled": sampled}
    return choose(-errors, generator, sensitivity=1.0 / records, epsilon=epsilon, **said)


MOST_RECORDS = 1_000_000
RECORDS = hybrid.VOLUNTEERS.within(
    f"100, ..., {MOST_RECORDS}", name="records", help="Volunteers whose records the curator holds."
)
SAMPLE = Parameter(
    "sample", "m", "1, ..., 10000", help="Records that are drawn for the learner in each round."
)
STEP = Parameter(
    "step",
    "η",
    "(0, 1]",
    help="How fast records lose weight on which a rule was right. The theorem has alpha/8.",
)
MOST_ROUNDS = hybrid.ROUNDS.within(
    "1, ..., 500",
    help="Rounds that are allowed, and paid for in advance by the volunteers' budget.",
)
LEARNER_BUDGET = replace(
    hybrid.BUDGET,
    name="learner_epsilon",
    symbol="ε₀",
    help="Budget of the learner for the records that it sees in one round.",
)
USER_BUDGET = replace(
    hybrid.BUDGET, name="epsilon", help="Budget of each user's one answer, under replacement of it."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """One setting of the method.

    Attributes:
        share: ρ, volunteers who are like the population.
        records: n.
        sample: m, records drawn per round.
        density: κ; the weights are projected so that none exceeds 1/(κ n).
        step: η.
        rounds: T, allowed and paid for.
        accuracy: α; the run ends when a test shows at most 3 α (2 α without privacy).
        epsilon: Budget of each user.
        delta: δ of users and volunteers.
        learner_epsilon: ε₀ of the learner in one round.
        users_per_test: N₀.
        learner: One of `LEARNERS`. "least error" means Algorithm 1, without any privacy.

    Raises:
        DomainError: κ n < m.

    >>> round(Setup().budgeted, 2)
    0.88
    """

    share: float = 0.3
    records: int = 100_000
    sample: int = 400
    density: float = 0.2
    step: float = 0.1
    rounds: int = 40
    accuracy: float = 0.1
    epsilon: float = 1.0
    delta: float = 1e-6
    learner_epsilon: float = 1.0
    users_per_test: int = 51_000
    learner: str = "exponential"

    def __post_init__(self) -> None:
        hybrid.check_run(self.sample, self.density, self.records)

    @property
    def private(self) -> bool:
        """Whether the learner and the test are private."""
        return self.learner != "least error"

    @property
    def threshold(self) -> float:
        """The test at which the run ends."""
        return self.accuracy * (3.0 if self.private else 2.0)

    @property
    def budgeted(self) -> float:
        """A volunteer's ε for all rounds allowed, at δ; ``inf`` without privacy."""
        if not self.private:
            return math.inf
        return _composed(self.paid(self.learner_epsilon), self.rounds, self.delta)

    def paid(self, budget: float) -> float:
        """A volunteer's ε for one round, of a learner with this budget for the sample.

        >>> round(Setup().paid(1.0), 5)
        0.03436
        """
        return hybrid.step_epsilon(budget, self.sample, self.density, self.records)


FIELDS = (
    hybrid.SHARE,
    RECORDS,
    SAMPLE,
    hybrid.DENSITY,
    STEP,
    MOST_ROUNDS,
    hybrid.ACCURACY,
    USER_BUDGET,
    DELTA,
    LEARNER_BUDGET,
    hybrid.USERS_PER_TEST,
)


_composed = lru_cache(maxsize=4096)(hybrid.composed_epsilon)


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """What one round did.

    Attributes:
        rule: Index of the rule in `halfspaces`.
        error: Its exact error on the population.
        test: The users' noisy mean, as the curator sees it.
        good: Weight of the volunteers who are like the population.
    """

    rule: int
    error: float
    test: float
    good: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run.

    Attributes:
        setup: What was asked.
        rounds: What each round did.
        halted: Whether a test was passed.
        chosen: The round whose rule is returned: the last one if a test was passed, otherwise
            the one with the least noisy test.
        pooled: Error on the population of the same learner, once, on volunteers without weights.
    """

    setup: Setup
    rounds: tuple[Round, ...]
    halted: bool
    chosen: int
    pooled: float

    @property
    def error(self) -> float:
        """Exact error on the population of the rule that is returned."""
        return self.rounds[self.chosen].error

    @property
    def users(self) -> int:
        """Users who answered."""
        return self.setup.users_per_test * len(self.rounds)


def run(setup: Setup, generator: np.random.Generator) -> Run:
    """Run the method once.

    >>> found = run(Setup(), np.random.default_rng(0))
    >>> found.halted and found.error < 0.3 < found.pooled
    True

    Source: [KS] Algorithm 2; Algorithm 1 with the learner "least error".
    """
    points, labels, good = volunteers(setup.share, setup.records, generator)
    rules, exact = halfspaces(), population_errors()
    noise = float(analytic_multiplier(setup.epsilon, setup.delta)) if setup.private else 0.0
    right = np.zeros(setup.records, dtype=np.intp)  # how often a shown rule was right
    rounds, halted = list[Round](), False
    for place in range(setup.rounds):
        level = np.arange(int(right.max()) + 1)
        counts = np.bincount(right, minlength=len(level)).astype(float)
        # By level, not by record: there are as many weights as rounds, not volunteers.
        value = _values(setup, level, counts)
        drawn = _draw(right, value, setup.sample, generator)
        rule = learn(
            setup.learner,
            mean_errors(points[drawn], labels[drawn]),
            setup.sample,
            setup.learner_epsilon,
            generator,
            who="volunteers",
            sampled=setup.paid,
        )
        test = float(exact[rule])
        if setup.private:
            users, of = setup.users_per_test, f"user test of round {place + 1}"
            test = ask_users(test, users, noise, generator, of=of, who=place)
        hit = (points @ rules[rule, :2] + rules[rule, 2] > 0) == labels
        at_good = np.bincount(right[good], minlength=len(level))
        weight = float(at_good @ value) / float(counts @ value)
        rounds.append(Round(rule=rule, error=float(exact[rule]), test=test, good=weight))
        if test <= setup.threshold:
            halted = True
            break
        right += hit
    # Chosen by what users said, never by the exact errors that only we know.
    chosen = len(rounds) - 1 if halted else int(np.argmin([r.test for r in rounds]))
    return Run(
        setup=setup,
        rounds=tuple(rounds),
        halted=halted,
        chosen=chosen,
        pooled=pooled_error(setup, generator),
    )


def ask_users(
    wrong: float,
    users: int,
    multiplier: float,
    generator: np.random.Generator,
    *,
    of: str,
    who: int,
) -> float:
    """Return the noisy mean of users, each of whom says whether a rule is wrong for them.

    Args:
        wrong: The rule's error on the population.
        users: How many are asked, each once.
        multiplier: Noise of one answer, which moves by at most 1.
        generator: Source of the users and of their noise.
        of: What is tested, in words.
        who: Which users these are.
    """
    said = generator.binomial(users, wrong) / users
    noisy = release(
        said,
        generator,
        of=of,
        sensitivity=1.0,
        multiplier=multiplier,
        who=("users", who),
        servers=users,
        weights=1.0 / users,
    )
    return float(noisy)


def _values(setup: Setup, level: NDArray[np.intp], counts: Array) -> Array:
    """The weights by level, each at most 1; empty levels play no part."""
    log_weights = -setup.step * level.astype(float)
    if setup.private:
        there = counts > 0
        out = np.zeros(len(level))
        out[there] = hybrid.project(log_weights[there], setup.density, counts[there])
        return out
    return np.asarray(np.exp(log_weights - log_weights[counts > 0].max()))


def _draw(
    right: NDArray[np.intp], value: Array, sample: int, generator: np.random.Generator
) -> NDArray[np.intp]:
    """Draw records with replacement, proportionally to their values.

    By the inverse of the distribution function, whose cost does not depend on the weights.
    """
    upto = np.cumsum(value[right])
    # From the right, so that a record of weight 0 is never drawn.
    return np.asarray(np.searchsorted(upto, generator.random(sample) * upto[-1], side="right"))


def pooled_error(setup: Setup, generator: np.random.Generator) -> float:
    """Return the population error of the learner, once, on 5000 volunteers without weights.

    It is ε₀-private with ``learner_epsilon`` for those 5000.

    >>> pooled_error(Setup(share=0.2), np.random.default_rng(0)) > 0.5
    True

    Source: learning on the source and hoping; no weights.
    """
    points, labels, _ = volunteers(setup.share, min(setup.records, 5000), generator)
    errors, who = mean_errors(points, labels), "volunteers without weights"
    m, budget = len(labels), setup.learner_epsilon
    rule = learn(setup.learner, errors, m, budget, generator, who=who)
    return float(population_errors()[rule])


def one_of(setup: Setup, seed: int, index: int) -> Run:
    """Return run ``index`` of a seed.

    >>> one_of(Setup(share=0.6), 0, 1).setup.share
    0.6
    """
    return run(setup, generator(seed, "reweighting", index))
