"""What is asked of the hybrid model of [KS]: its numbers, each with domain, refusal and help."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rates.numbers import DELTA, DIMENSION, EPSILON, Parameter, check_fields

MAX_PEOPLE = 1e10
ACCURACY = Parameter(
    "accuracy",
    "α",
    "(0, 1/8)",
    rule="The accuracy alpha must be above 0 and below 1/8: the theorems hold only there.",
    help="The error that is aimed at; the method promises four times this.",
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
