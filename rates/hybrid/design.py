"""What is asked of the hybrid model of [KS], and how far volunteers are from the population.

With the weight w = dT/dS, [KS] measures closeness by X = E_S w² = E_T w, which is one plus the
chi-square divergence. It is 1 for equal distributions and infinite where the source misses
people, or has too few of them, that the target holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rates.numbers import DELTA, DIMENSION, EPSILON, DomainError, Parameter, Words, check_fields

MAX_PEOPLE = 1e10
ACCURACY = Parameter(
    "accuracy",
    "α",
    "(0, 1/8)",
    rule="The accuracy alpha must be above 0 and below 1/8: the theorems hold only there.",
    help="The error you aim at; the method promises four times this.",
)
FAILURE = replace(
    ACCURACY,
    name="failure",
    symbol="β",
    rule="The failure probability beta must be above 0 and below 1/8: the theorems hold only "
    "there.",
    help="Probability scale on which the promise may fail.",
)
MEAN_SQUARE = Parameter(
    "divergence",
    "X",
    "[1, inf)",
    rule="The chi-square divergence plus one must be at least 1 and finite. Where it is infinite "
    "no bound here holds; the users' own answers still do.",
    help="Mean over the population of how much more common a person is there than among the "
    "volunteers. 1: the volunteers are the population; 10: people ten times rarer.",
)
BUDGET = EPSILON.within(
    "(0, inf)",
    noun="The budget epsilon",
    help="Privacy budget of each volunteer over the whole run, and of each user's one answer, "
    "under replacement of one record.",
)
HYPOTHESES = Parameter(
    "hypotheses",
    "|H|",
    "[2, 1e300]",
    rule="The number of hypotheses must be at least 2 and at most 1e300.",
    help="How many rules the learner chooses from. Choosing s out of d features gives about d^s.",
)
VOLUNTEERS = Parameter(
    "volunteers",
    "n",
    f"0, ..., {MAX_PEOPLE}",
    rule="The number of volunteers must be a whole number of at least 0.",
    limit_rule="There are not more than 1e10 people: at most 1e10 volunteers. The bounds may ask "
    "for more; then the method is out of reach.",
    help="Volunteers whose records a curator holds.",
)
USERS = replace(
    VOLUNTEERS,
    name="users",
    symbol="N",
    rule="The number of local users must be a whole number of at least 0.",
    limit_rule="There are not more than 1e10 people: at most 1e10 users. The bounds may ask for "
    "more; then the method is out of reach.",
    help="People of the population who each send one noisy answer.",
)
USERS_PER_TEST = replace(
    VOLUNTEERS,
    name="users_per_test",
    symbol="N₀",
    domain=f"1, ..., {MAX_PEOPLE}",
    rule="The users per test must be a whole number of at least 1.",
    limit_rule="There are not more than 1e10 people.",
    help="Users who answer whether a rule is right for them, in each round.",
)
PSEUDO_DIMENSION = replace(DIMENSION, help="Number of features, and pseudo-dimension of the rules.")
FIELDS = {
    p.name: p for p in (ACCURACY, FAILURE, MEAN_SQUARE, BUDGET, DELTA, HYPOTHESES, PSEUDO_DIMENSION)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HybridDesign:
    """What is asked of the hybrid model.

    Attributes:
        accuracy: α in (0, 1/8).
        failure: β in (0, 1/8).
        divergence: X, at least 1: chi-square of the population from the volunteers, plus one.
        epsilon: Budget of every volunteer and of every user.
        delta: δ of both, in (0, 1).
        hypotheses: Size of the finite class.
        dimension: d.

    Raises:
        DomainError: A value lies outside its domain.

    >>> HybridDesign(accuracy=0.1, divergence=2).epsilon
    1.0
    """

    accuracy: float
    failure: float = 0.05
    divergence: float
    epsilon: float = 1.0
    delta: float = 1e-6
    hypotheses: float = 1e6
    dimension: int = 10

    def __post_init__(self) -> None:
        check_fields(self, FIELDS.values(), "Hybrid")


# Divergences of a target T from a source S --------------------------------------------------------

SHARE = Parameter(
    "share",
    "ρ",
    "(0, 1]",
    noun="The share of volunteers who are like the population",
    help="Share of the volunteers who are like the population; the others differ from it.",
)


def of_tables(source: Sequence[float], target: Sequence[float]) -> tuple[float, float]:
    r"""Return X and the largest weight of two tables of frequencies over the same groups.

    .. math:: X = \sum_g T_g^2/S_g, \quad \sup w = \max_g T_g/S_g.

    Both tables are divided by their sums, so counts may be given.

    Args:
        source: Frequencies among the volunteers, at least 0 and not all 0.
        target: Frequencies in the population, of the same length.

    Raises:
        DomainError: A table is empty, negative, not finite, all zero or of another length, or the
            population has a group in which there is no volunteer.

    >>> of_tables([1, 1], [3, 1])
    (1.25, 1.5)

    Source: [KS] Section 2, definitions.
    """
    s, t = _table("source", source), _table("target", target)
    if s.size != t.size:
        rule = "Both tables must have the same number of groups."
        raise DomainError(rule, "target", Words(f"{s.size} and {t.size}"))
    if missing := int(np.count_nonzero((s == 0) & (t > 0))):
        rule = (
            "Every group of the population must have volunteers: no reweighting can stand in for "
            "it otherwise, X is infinite, and only the population's own answers can help."
        )
        raise DomainError(rule, "source", Words(f"{missing} without"))
    there = t > 0
    with np.errstate(over="ignore"):
        weight = t[there] / s[there]
    return max(float(t[there] @ weight), 1.0), max(float(weight.max()), 1.0)


def _table(name: str, values: Sequence[float]) -> np.ndarray:
    """Return frequencies that sum to one."""
    table = np.asarray(list(values), dtype=float)
    rule = f"The table {name} must list frequencies of at least 0, finite and not all 0."
    if table.ndim != 1 or table.size == 0 or not np.isfinite(table).all() or (table < 0).any():
        raise DomainError(rule, name, Words(f"{table.size} entries"))
    if table.max() == 0:
        raise DomainError(rule, name, 0.0)
    # Counts near the largest numbers would overflow in their sum.
    scaled = table / table.max()
    return np.asarray(scaled / scaled.sum())
