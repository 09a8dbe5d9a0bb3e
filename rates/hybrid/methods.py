"""Which way to learn about the population asks for the fewest people."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rates.hybrid import needs as hybrid
from rates.hybrid.design import HybridDesign
from rates.numbers import Parameter, check_fields

Array = NDArray[np.float64]

WORLD = 8.0e9  # people
STRATEGIES: Mapping[str, str] = {
    "local": "users alone",
    "supremum": "volunteers alone, largest weight",
    "chi-square": "volunteers alone, chi-square",
    "worst": "reweighting, worst case",
    "own": "reweighting, own rounds and density",
}
RATIO = Parameter(
    "ratio",
    "sup w / X",
    "[1, inf]",
    rule="The largest weight over X must be at least 1 (inf where weights are unbounded).",
    help="Largest weight sup dT/dS over X. 1 where a share of the volunteers is the population; "
    "inf where nothing is known.",
)
ROUNDS = Parameter(
    "rounds",
    "T",
    "1, ..., 1e12",
    noun="The rounds",
    help="Rounds of reweighting that are budgeted; runs on examples took tens.",
)
DENSITY = Parameter(
    "density",
    "κ",
    "(0, 1]",
    noun="The density kappa",
    help="No record may weigh more than 1/(kappa n). 1 keeps all weights equal.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What decides between the strategies besides the design.

    Attributes:
        realizable: Whether some rule is without error. The baselines on volunteers need it.
        ratio: sup w over X, at least 1; ``inf`` if unbounded.
        rounds: Rounds that are really needed.
        density: Density that is really needed.

    Raises:
        DomainError: A value lies outside its domain.

    >>> Circumstances().rounds
    20
    """

    realizable: bool = True
    ratio: float = math.inf
    rounds: int = 20
    density: float = 0.25

    def __post_init__(self) -> None:
        check_fields(self, (RATIO, ROUNDS, DENSITY), "Circumstances")


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """One way to learn, and whom it asks.

    Attributes:
        key: One of `STRATEGIES`.
        volunteers: n; ``inf`` where the way does not exist.
        users: N.
        note: Why it does not exist; empty if it does.
    """

    key: str
    volunteers: float
    users: float
    note: str = ""

    @property
    def people(self) -> float:
        """Volunteers and users together, n + N."""
        return self.volunteers + self.users

    def within(self, volunteers: float, users: float) -> bool:
        """Whether so many volunteers and users are enough for it.

        >>> Strategy(key="local", volunteers=0, users=100).within(0, 99)
        False
        """
        return self.volunteers <= volunteers and self.users <= users


def strategies(design: HybridDesign, given: Circumstances) -> tuple[Strategy, ...]:
    """Return every strategy with the people it asks, in the order of `STRATEGIES`.

    >>> found = strategies(HybridDesign(accuracy=0.1, divergence=2.0), Circumstances())
    >>> [f"{s.people:.2g}" for s in found]
    ['1e+03', 'inf', '3.4e+03', '9.9e+09', '1.2e+06']

    Source: [KS] Section 1 and Corollary 4.4.
    """
    args = (design.accuracy, design.divergence, design.epsilon, design.dimension)
    a, x, e, d = (np.asarray(v, float) for v in args)
    found = _people(a, x, e, d, design, given)
    notes = {}
    if not given.realizable:
        why = "Asks for an error on the volunteers that no rule has."
        notes = {"supremum": why, "chi-square": why}
    elif math.isinf(given.ratio):
        notes = {"supremum": "Single people may weigh without bound."}
    return tuple(
        Strategy(key=key, volunteers=float(n), users=float(users), note=notes.get(key, ""))
        for key, (n, users) in found.items()
    )


def _people(
    a: Array, x: Array, e: Array, d: Array, design: HybridDesign, given: Circumstances
) -> dict[str, tuple[Array, Array]]:
    """Volunteers and users of each strategy, whole people and whole rounds."""
    failure, delta, size = design.failure, design.delta, design.hypotheses
    none, never = np.zeros(a.shape), np.full(a.shape, math.inf)
    rounds = np.ceil(hybrid.iterations(a, x))
    kappa = hybrid.density(a, x)
    own = np.full(a.shape, float(given.rounds))
    sup = np.ceil(hybrid.supremum_records(a, failure, e, size, given.ratio * x))
    chi = np.ceil(hybrid.chi_square_records(a, failure, e, size, x))

    def reweighting(t: Array, k: Array) -> tuple[Array, Array]:
        m = hybrid.learner_sample(a, failure / t, 1.0, size)
        users = hybrid.users_needed(a, failure / (2.0 * t), e, delta) * t
        return np.ceil(hybrid.records_for(m, t, e, delta, k)), users

    return {
        "local": (none, np.ceil(hybrid.local_users(a, e, d))),
        "supremum": (sup if given.realizable else never, none),
        "chi-square": (chi if given.realizable else never, none),
        "worst": reweighting(rounds, kappa),
        "own": reweighting(own, np.full(a.shape, given.density)),
    }
