"""The page: can volunteers stand in for the population?

Here the tab "Numbers": how many people each way asks, and how close volunteers must be.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from pages.charts import number
from pages.core import Block, Listing, Menu, Note, Slider, Switch, choice
from pages.core.live import Folded, Item, Plan, Tab, page, plan
from pages.hybrid import figures, runs
from rates import hybrid
from rates.numbers import Parameter, decades
from sims.engine import Number, Numbers, Values

CANNOT = "These numbers have no answer from the bounds of this page."
COUNT = Parameter(
    "volunteer_groups",
    "S_g",
    "[0, 1e15]",
    rule="A frequency must be at least 0.",
    limit_rule="A frequency must be at most 1e15.",
    help="Frequencies of the same groups of people, such as ages.",
)
POPULATION = replace(COUNT, name="population_groups", symbol="T_g")
DISTANCES = {
    "share": "Share alike",
    "groups": "Tables of groups",
    "number": "X itself",
}
ERRORS = {"yes": "Yes", "no": "No"}
USUAL = plan(
    (
        choice("distance", DISTANCES, "How the distance of volunteers and population is known."),
        choice(
            "realizable",
            ERRORS,
            "Whether some rule is without error. Volunteers alone are enough only then.",
        ),
        Number(hybrid.SHARE, 0.3),
        Numbers(COUNT, (40.0, 40.0, 20.0), most=50),
        Numbers(POPULATION, (25.0, 35.0, 40.0), most=50),
        Number(hybrid.MEAN_SQUARE, 3.0),
        Number(hybrid.ACCURACY, 0.1),
        Number(hybrid.FIELDS["failure"], 0.05),
        Number(hybrid.BUDGET, 1.0),
        Number(hybrid.FIELDS["delta"], 1e-6),
        Number(hybrid.FIELDS["hypotheses"], 1e6),
        Number(hybrid.FIELDS["dimension"], 1000),
        Number(hybrid.VOLUNTEERS, 20_000),
        Number(hybrid.USERS, 1_000_000),
        Number(hybrid.ROUNDS, 20),
        Number(hybrid.DENSITY, 0.25),
    ),
    replicates=2,
    gone=("picture", "across", "price", "coordinates", "source_spread", "target_spread"),
)
OF_DISTANCE: dict[str, tuple[Item, ...]] = {
    "share": (Slider("share", "Share of volunteers like the population ρ", decades(-2, 0)),),
    "groups": (
        Listing("volunteer_groups", "Volunteers by group, frequencies"),
        Listing("population_groups", "Population by the same groups, frequencies"),
    ),
    "number": (Slider("divergence", "X, chi-square plus one", decades(0, 6)),),
}
OF_STUDY: tuple[Item, ...] = (
    Switch("realizable", "Is some rule without error?", ERRORS),
    Slider("accuracy", "Accuracy α", [0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.1, 0.12]),
    Slider("epsilon", "Budget ε", decades(-2, 1)),
    Slider("volunteers", "Volunteers you have n", decades(2, 9, whole=True)),
    Slider("users", "Local users you have N", decades(2, 10, whole=True)),
    Folded(
        "Dimension, rules, rounds, failure, δ",
        (
            Slider("dimension", "Dimension d", decades(0, 6, whole=True)),
            Slider("hypotheses", "Number of rules |H|", [10.0**k for k in range(1, 31)]),
            Slider("rounds", "Own rounds T", [1, 5, 10, 20, 40, 100, 300, 1000]),
            Slider("density", "Own density κ", [0.01, 0.03, 0.1, 0.2, 0.25, 0.5, 1.0]),
            Slider("failure", "Failure probability β", [1e-6, 1e-4, 0.01, 0.05, 0.1]),
            Slider("delta", "δ", [1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-3]),
        ),
    ),
)


def fields(asked: Plan) -> Sequence[Item]:
    """What is asked: the distance, and the study."""
    return (
        *OF_DISTANCE[asked.values.word("distance")],
        Menu("distance", "How alike are volunteers and population?", DISTANCES),
        *OF_STUDY,
    )


class Made(NamedTuple):
    """What is asked, and what each way asks for.

    Attributes:
        values: What is asked.
        design: The study.
        ways: The ways.
    """

    values: Values
    design: hybrid.HybridDesign
    ways: tuple[hybrid.Strategy, ...]


def made(asked: Plan) -> Made:
    """Return what each way asks for.

    Raises:
        DomainError: The numbers are refused.
    """
    values = asked.values
    # Of X alone the largest weight is not known, and that baseline does not exist.
    mean_square, supremum = values.number("divergence"), math.inf
    if values["distance"] == "share":
        mean_square = supremum = 1.0 / values.number("share")
    if values["distance"] == "groups":
        groups = values.numbers("volunteer_groups"), values.numbers("population_groups")
        mean_square, supremum = hybrid.of_tables(*groups)
    given: dict[str, Any] = {name: values[name] for name in hybrid.FIELDS}
    design = hybrid.HybridDesign(**given | {"divergence": mean_square})
    ways = hybrid.strategies(
        design,
        realizable=values["realizable"] == "yes",
        supremum=supremum,
        rounds=values.whole("rounds"),
        density=values.number("density"),
    )
    return Made(values, design, ways)


def answer(made: Made) -> str:
    """Return the answer as sentences."""
    values, design, ways = made.values, made.design, {way.key: way for way in made.ways}
    needs, simple = hybrid.needs.needs(design), ways["chi-square"]
    volunteers, users = values.number("volunteers"), values.number("users")
    printed = (  # no proof covers the printed number where it is the smaller one
        f" by our reading (printed: {number(needs.printed_users)}, which no proof covers here)"
        if needs.printed_users < needs.users_per_test
        else ""
    )
    limit = hybrid.needs.weights_must_be(design, volunteers)
    alone = "As no rule is without error, volunteers alone promise nothing."
    if not simple.note:
        enough = "enough" if volunteers >= simple.volunteers else "too few"
        reach = f": this reaches X = **{number(limit)}**" if limit >= 1 else " for any volunteers"
        alone = (
            f"Learning on volunteers alone takes **{number(simple.volunteers)}** and no users. "
            f"Your {number(volunteers)} are **{enough}**{reach}."
        )
    within = [hybrid.STRATEGIES[key] for key, way in ways.items() if way.within(volunteers, users)]
    return (
        f"At X = **{number(design.divergence)}** (1: volunteers are like the population) each test "
        f"of a rule asks **{number(needs.users_per_test)}** local users{printed}. In the worst "
        f"case reweighting takes {number(needs.iterations)} rounds, so "
        f"**{number(needs.users)}** users and **{number(needs.records)}** volunteers. {alone} "
        f"Within reach of your numbers: **{'; '.join(within) or 'none'}**."
    )


def drawn(made: Made) -> Iterable[Block]:
    """What to know of the numbers, and what each way asks."""
    needs, ways = hybrid.needs.needs(made.design), made.ways
    if needs.note:
        yield Note(needs.note, "info")
    yield figures.people(ways)
    for way in ways:
        if way.note:
            yield Note(f"{hybrid.STRATEGIES[way.key].capitalize()}: {way.note}")


TAB = Tab(
    page="hybrid",
    id="needs",
    title="Numbers",
    usual=USUAL,
    inputs=fields,
    compute=made,
    cannot=CANNOT,
    answer=answer,
    blocks=drawn,
    formula=r"\kappa = \frac{\alpha}{8X},\quad T = \frac{128\log_2(8X/\alpha)}{\alpha^2},"
    r"\quad N_0 = \max\{N_0', N_0''\}"
    "\n"
    r"N_0' = \frac{4\log(2/\delta)\log(8T/\beta)}{(\varepsilon\alpha)^2}"
    "\n"
    r"N_0'' = \frac{\log(4T/\beta)}{\alpha^2}"
    r"\Big(\frac12+\frac{4\log(2/\delta)}{\varepsilon^2}\Big)"
    "\n"
    r"N = N_0T,\qquad n = \frac{m\sqrt{288\,T\log(2/\delta)}}{\varepsilon\kappa},\qquad"
    r" n_{\text{baseline}} = \frac{X\log(|\mathcal H|/\beta)}{\alpha^2\varepsilon}",
    why="X is the mean, over the population, of how much more common a person is there than among "
    "the volunteers. An error of α²/X on the volunteers is at most α on the population, so where "
    "some rule is without error the baseline needs no users. No proof covers the first N₀, the "
    "printed one, from a moderate ε on: it has no term for the sampling of the users. The second, "
    "our reading, is always enough.",
    limits="- Reweighting: worst cases, with the paper's constants; those of the learner are 1.\n"
    "- Users alone, d/(εα)², is an order, and does not hold for PARITY.\n"
    "- X has to be known in advance, and no data holder knows it.\n"
    "- The guarantee is (ε, δ) for every volunteer over the whole run and for every user's one "
    "answer, when one record is replaced.",
    statements=("KS:Cor4.4:domination", "KS:Sec2:users", "KS:Lem3.2:footnote"),
    used=("hybrid", "KS"),
)
TABS = (TAB, runs.RUN, runs.ALIKE, runs.PARITY)


def draw() -> None:
    """Draw the page."""
    page.show("Can volunteers stand in for the population?", *TABS, gone=("learner",))
