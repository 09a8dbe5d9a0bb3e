"""What is asked about numbers of people: the distance, the study, what it may cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pages.charts import words
from pages.core import Listing, Slider, Switch, choice
from pages.core.live import Folded, Item, Plan, plan
from pages.hybrid import map_figure
from rates import hybrid
from rates.hybrid import divergence as hybrid_divergence
from rates.numbers import DomainError, Parameter, Words, decades
from sims.engine import Number, Numbers, Values

SOURCE_SPREAD = replace(hybrid.SPREAD, name="source_spread", symbol="σ_S")
TARGET_SPREAD = replace(hybrid.SPREAD, name="target_spread", symbol="σ_T")
COUNT = Parameter(
    "volunteer_groups",
    "S_g",
    "[0, 1e15]",
    rule="A frequency must be at least 0.",
    limit_rule="A frequency must be at most 1e15.",
    help="Frequencies of the same groups of people, such as ages.",
)
DISTANCES = {
    "share": "Share alike",
    "groups": "Tables of groups",
    "spreads": "Two spreads",
    "number": "X itself",
}
PICTURES = {"people": "People asked", "closeness": "Closeness", "map": "Cheapest way"}
ACROSS = {name: title for name, (title, _, _) in map_figure.ACROSS.items()}
ERRORS = {"yes": "Yes", "no": "No"}


_STUDY = {
    **{"accuracy": 0.1, "failure": 0.05, "epsilon": 1.0, "delta": 1e-6},
    **{"hypotheses": 1e6, "dimension": 1000},
}
USUAL = plan(
    (
        choice(
            "picture",
            PICTURES,
            "People each way asks; how they grow with X; or a map of the cheapest way.",
        ),
        choice("across", ACROSS, "The number along the map's axis; X goes up."),
        choice("distance", DISTANCES, "How the distance of volunteers and population is known."),
        choice(
            "realizable",
            ERRORS,
            "Whether some rule is without error. Volunteers alone are enough only then.",
        ),
        Number(hybrid.SHARE, 0.3),
        Numbers(COUNT, (40.0, 40.0, 20.0), most=50),
        Numbers(
            replace(COUNT, name="population_groups", symbol="T_g"), (25.0, 35.0, 40.0), most=50
        ),
        Number(hybrid.COORDINATES, 6),
        Number(SOURCE_SPREAD, 1.0),
        Number(TARGET_SPREAD, 0.4),
        Number(hybrid.MEAN_SQUARE, 3.0),
        *(Number(hybrid.FIELDS[name], usual) for name, usual in _STUDY.items()),
        Number(hybrid.VOLUNTEERS, 20_000),
        Number(hybrid.USERS, 1_000_000),
        Number(hybrid.ROUNDS, 20),
        Number(hybrid.DENSITY, 0.25),
        Number(hybrid.PRICE, 1.0),
    ),
    replicates=2,
)


def fields(asked: Plan) -> Sequence[Item]:
    """What is asked of the distance that is chosen, and of the study."""
    spreads = [0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0, 1.2, 1.4, 2.0]
    distance: dict[str, tuple[Item, ...]] = {
        "share": (Slider("share", "Share of volunteers like the population ρ", decades(-2, 0)),),
        "groups": (
            Listing("volunteer_groups", "Volunteers by group, frequencies"),
            Listing("population_groups", "Population by the same groups, frequencies"),
        ),
        "spreads": (
            Slider("coordinates", "Covariates that differ k", [1, 2, 3, 4, 6, 8, 10, 20]),
            Slider("source_spread", "Spread among volunteers σ_S", spreads),
            Slider("target_spread", "Spread in the population σ_T", spreads),
        ),
        "number": (Slider("divergence", "X, chi-square plus one", decades(0, 6)),),
    }
    return (
        *distance[asked.values.word("distance")],
        Switch("realizable", "Is some rule without error?", ERRORS),
        Slider("accuracy", "Accuracy α", [0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.1, 0.12]),
        Slider("epsilon", "Budget ε", decades(-2, 1)),
        Slider("volunteers", "Volunteers you have n", decades(2, 9, whole=True)),
        Slider("users", "Local users you have N", decades(2, 10, whole=True)),
        Folded(
            "Dimension, rules, rounds, price, failure, δ",
            (
                Slider("dimension", "Dimension d", decades(0, 6, whole=True)),
                Slider("hypotheses", "Number of rules |H|", [10.0**k for k in range(1, 31)]),
                Slider("rounds", "Own rounds T", [1, 5, 10, 20, 40, 100, 300, 1000]),
                Slider("density", "Own density κ", [0.01, 0.03, 0.1, 0.2, 0.25, 0.5, 1.0]),
                Slider("price", "Users that one volunteer is worth", decades(0, 4)),
                Slider("failure", "Failure probability β", [1e-6, 1e-4, 0.01, 0.05, 0.1]),
                Slider("delta", "δ", [1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-3]),
            ),
        ),
    )


def wide(asked: Plan) -> Sequence[Item]:
    """The switches that need the whole width."""
    across = Switch("across", "Along the axis", ACROSS)
    return (
        Switch("distance", "How alike are volunteers and population?", DISTANCES),
        Switch("picture", "Picture", PICTURES),
        *((across,) if asked.values["picture"] == "map" else ()),
    )


def divergences(values: Values) -> hybrid.Divergences:
    """Return the divergences that the chosen distance means.

    Raises:
        DomainError: The tables do not fit.
    """
    if values["distance"] == "share":
        return hybrid_divergence.of_clusters(values.number("share"))
    if values["distance"] == "groups":
        return hybrid_divergence.of_tables(
            values.numbers("volunteer_groups"), values.numbers("population_groups")
        )
    if values["distance"] == "spreads":
        return hybrid_divergence.of_gaussians(
            values.whole("coordinates"),
            values.number("source_spread"),
            values.number("target_spread"),
        )
    log_x = math.log(values.number("divergence"))
    return hybrid.Divergences(log_mean_square=log_x, kl=math.nan, log_supremum=math.inf)


def design_of(values: Values, found: hybrid.Divergences) -> hybrid.HybridDesign:
    """Return the design that checked values ask for.

    Raises:
        DomainError: X is infinite, or finite and too large to hold.
    """
    if math.isinf(found.mean_square) and math.isfinite(found.log_mean_square):
        rule = (
            "X is finite here but above 1e308, more than can be reckoned with: volunteers so far "
            "from the population are of no use, and the users' own answers are what is left."
        )
        value = Words(f"log10 X = {words.number(found.log_mean_square / math.log(10.0), 4)}")
        raise DomainError(rule, field="divergence", value=value, where="Hybrid")
    given: dict[str, Any] = {name: values[name] for name in hybrid.FIELDS if name != "divergence"}
    return hybrid.HybridDesign(**given, divergence=found.mean_square)


def circumstances(values: Values, found: hybrid.Divergences) -> hybrid.Circumstances:
    """Return what else decides between the ways."""
    ratio = math.inf
    if math.isfinite(found.log_supremum):
        ratio = max(1.0, math.exp(min(found.log_supremum - found.log_mean_square, 700.0)))
    return hybrid.Circumstances(
        realizable=values["realizable"] == "yes",
        ratio=ratio,
        rounds=values.whole("rounds"),
        density=values.number("density"),
        price=values.number("price"),
    )
