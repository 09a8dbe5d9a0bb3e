"""Tab "Numbers": how many people each way asks, how close volunteers must be, what is cheapest."""

from __future__ import annotations

import functools
import math
from dataclasses import replace

import streamlit as st

from pages.figures import chart
from pages.figures.chart import words
from pages.parts.frame import figure_card, ledger_links, tables
from pages.parts.hybrid import figures
from pages.parts.hybrid import map_figure as hybrid_map
from pages.parts.live import Tabs, plan
from rates.hybrid import (
    COORDINATES,
    DENSITY,
    FIELDS,
    MEAN_SQUARE,
    PRICE,
    ROUNDS,
    SHARE,
    SPREAD,
    STRATEGIES,
    USERS,
    VOLUNTEERS,
    YARDSTICKS,
    Circumstances,
    Divergences,
    HybridDesign,
    SgdDesign,
    Strategy,
    strategies,
)
from rates.hybrid import divergence as hybrid_divergence
from rates.hybrid import needs as hybrid
from rates.hybrid import sgd as hybrid_sgd
from rates.numbers import DomainError, Parameter, Words, decades
from sims.engine import Choice, Number, Numbers, Values

TAB = "needs"
SOURCE_SPREAD = replace(SPREAD, name="source_spread", symbol="σ_S")
TARGET_SPREAD = replace(SPREAD, name="target_spread", symbol="σ_T")
COUNT = Parameter(
    name="volunteer_groups",
    symbol="S_g",
    low=0,
    high=1e15,
    rule="A frequency must be at least 0.",
    limit_rule="A frequency must be at most 1e15.",
    typical=(0, 100),
    help="Frequencies of the same groups of people, such as ages.",
)
DISTANCES = {
    "share": "Share alike",
    "groups": "Tables of groups",
    "spreads": "Two spreads",
    "number": "X itself",
}
PICTURES = {"people": "People asked", "closeness": "Closeness", "map": "Cheapest way"}
ACROSS = {"accuracy": "Accuracy α", "epsilon": "Budget ε", "dimension": "Dimension d"}
ERRORS = {"yes": "Yes", "no": "No"}
USUAL = plan(
    (
        Choice(
            name="picture",
            options=tuple(PICTURES),
            default="people",
            help="People each way asks; how they grow with X; or a map of the cheapest way.",
        ),
        Choice(
            name="across",
            options=tuple(ACROSS),
            default="accuracy",
            help="The number along the map's axis; X goes up.",
        ),
        Choice(
            name="distance",
            options=tuple(DISTANCES),
            default="share",
            help="How the distance of volunteers and population is known.",
        ),
        Choice(
            name="realizable",
            options=tuple(ERRORS),
            default="yes",
            help="Whether some rule is without error. Volunteers alone are enough only then.",
        ),
        Number(SHARE, 0.3),
        Numbers(COUNT, (40.0, 40.0, 20.0), most=50),
        Numbers(
            replace(COUNT, name="population_groups", symbol="T_g"),
            (25.0, 35.0, 40.0),
            most=50,
        ),
        Number(COORDINATES, 6),
        Number(SOURCE_SPREAD, 1.0),
        Number(TARGET_SPREAD, 0.4),
        Number(MEAN_SQUARE, 3.0),
        Number(FIELDS["accuracy"], 0.1),
        Number(FIELDS["failure"], 0.05),
        Number(FIELDS["epsilon"], 1.0),
        Number(FIELDS["delta"], 1e-6),
        Number(FIELDS["hypotheses"], 1e6),
        Number(FIELDS["dimension"], 1000),
        Number(VOLUNTEERS, 20_000),
        Number(USERS, 1_000_000),
        Number(ROUNDS, 20),
        Number(DENSITY, 0.25),
        Number(PRICE, 1.0),
    ),
    replicates=2,
)
STATEMENTS = {
    "KS:Cor4.4:domination": "Why the simple baseline asks for fewer",
    "KS:Sec2:users": "How many answers show a mean",
    "KS:Lem3.2:footnote": "The footnote that fails for large X",
}
LIMITS = (
    "- The numbers of reweighting are worst cases with the paper's constants. The runs on the "
    "next tab need tens of rounds and not tens of thousands; nobody can promise that in advance.\n"
    "- Constants of the learner are taken as 1 on both sides, so ratios mean more than values. "
    "Users alone, d/(εα)², is an order with constant 1, and does not hold for PARITY, which "
    "needs exponentially many users.\n"
    "- X has to be known in advance, and no data holder knows it: the population's frequencies "
    "are what is missing. Round figures for a hospital (20,000 patients), a city (a million) and "
    "a country (60 million) are yardsticks, not data.\n"
    "- The guarantee is (ε, δ) for every volunteer over the whole run and for every user's one "
    "answer, when one record is replaced."
)

build = functools.lru_cache(maxsize=32)(hybrid_map.build)
curves_of = functools.lru_cache(maxsize=32)(figures.closeness)


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        _controls(tabs)
    values = tabs.plan(TAB).values
    with right:
        try:
            found = divergences(values)
            if found.note:
                st.warning(found.note)
            design = design_of(values, found)
            given = circumstances(values, found)
        except DomainError as error:
            place.markdown("These numbers have no answer from the bounds of this page.")
            st.error(words.plain(error))
            return
        ways = strategies(design, given)
        place.markdown(answer(values, design, ways))
        asked = hybrid.needs(design)
        if asked.printed_users < asked.users_per_test:
            ledger_links.link("KS:Sec2:users", "Why more users than printed: test and proof")
        _picture(values, design, given, ways)
        _table(values, ways)
        _descent(design)


def divergences(values: Values) -> Divergences:
    """Return the divergences that the chosen distance means.

    Raises:
        DomainError: The tables do not fit.
    """
    if values["distance"] == "share":
        return hybrid_divergence.of_clusters(float(values["share"]))
    if values["distance"] == "groups":
        return hybrid_divergence.of_tables(values["volunteer_groups"], values["population_groups"])
    if values["distance"] == "spreads":
        return hybrid_divergence.of_gaussians(
            int(values["coordinates"]),
            float(values["source_spread"]),
            float(values["target_spread"]),
        )
    log_x = math.log(float(values["divergence"]))
    return Divergences(log_mean_square=log_x, kl=math.nan, log_supremum=math.inf)


def design_of(values: Values, found: Divergences) -> HybridDesign:
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
    given = {name: values[name] for name in FIELDS if name != "divergence"}
    return HybridDesign(**given, divergence=found.mean_square)


def circumstances(values: Values, found: Divergences) -> Circumstances:
    """Return what else decides between the ways."""
    ratio = math.inf
    if math.isfinite(found.log_supremum):
        ratio = max(1.0, math.exp(min(found.log_supremum - found.log_mean_square, 700.0)))
    return Circumstances(
        realizable=values["realizable"] == "yes",
        ratio=ratio,
        rounds=int(values["rounds"]),
        density=float(values["density"]),
        price=float(values["price"]),
    )


def _controls(tabs: Tabs) -> None:
    distance = tabs.plan(TAB).values["distance"]
    if distance == "share":
        tabs.number(TAB, "share", "Share of volunteers like the population ρ", decades(-2, 0))
    elif distance == "groups":
        tabs.listing(TAB, "volunteer_groups", "Volunteers by group, frequencies")
        tabs.listing(TAB, "population_groups", "Population by the same groups, frequencies")
    elif distance == "spreads":
        tabs.number(TAB, "coordinates", "Covariates that differ k", [1, 2, 3, 4, 6, 8, 10, 20])
        spreads = [0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0, 1.2, 1.4, 2.0]
        tabs.number(TAB, "source_spread", "Spread among volunteers σ_S", spreads)
        tabs.number(TAB, "target_spread", "Spread in the population σ_T", spreads)
    else:
        tabs.number(TAB, "divergence", "X, chi-square plus one", decades(0, 6))
    tabs.choice(TAB, "realizable", "Is some rule without error?", ERRORS)
    tabs.number(TAB, "accuracy", "Accuracy α", [0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.1, 0.12])
    tabs.number(TAB, "epsilon", "Budget ε", decades(-2, 1))
    tabs.number(TAB, "volunteers", "Volunteers you have n", decades(2, 9, whole=True))
    tabs.number(TAB, "users", "Local users you have N", decades(2, 10, whole=True))
    with st.expander("Dimension, rules, rounds, price, failure, δ"):
        tabs.number(TAB, "dimension", "Dimension d", decades(0, 6, whole=True))
        tabs.number(TAB, "hypotheses", "Number of rules |H|", [10.0**k for k in range(1, 31)])
        tabs.number(TAB, "rounds", "Own rounds T", [1, 5, 10, 20, 40, 100, 300, 1000])
        tabs.number(TAB, "density", "Own density κ", [0.01, 0.03, 0.1, 0.2, 0.25, 0.5, 1.0])
        tabs.number(TAB, "price", "Users that one volunteer is worth", decades(0, 4))
        tabs.number(TAB, "failure", "Failure probability β", [1e-6, 1e-4, 0.01, 0.05, 0.1])
        tabs.number(TAB, "delta", "δ", [1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-3])
    tabs.refusal()


def scale(people: float, kind: str) -> str:
    """Return a number of people beside the largest yardstick that is below it.

    >>> scale(4e4, "users"), scale(1.6e10, "users")
    ('**40,000** users (2 times a hospital)', '**1.6e10** users (2 times the world)')
    """
    below = [(name, size) for name, size in YARDSTICKS.items() if size <= people]
    text = f"**{words.number(people)}** {kind}"
    if not below:
        return text
    name, size = below[-1]
    return f"{text} ({words.number(people / size, 2)} times {name})"


def answer(values: Values, design: HybridDesign, ways: tuple[Strategy, ...]) -> str:
    """Return the answer as sentences."""
    asked = hybrid.needs(design)
    by_key = {way.key: way for way in ways}
    volunteers, users = float(values["volunteers"]), float(values["users"])
    parts = [
        f"At X = **{words.number(design.divergence)}** (1: volunteers are like the population) "
        f"each test of a rule asks **{words.number(asked.users_per_test)}** local users"
        f"{_printed(asked.printed_users, asked.users_per_test)}. In the worst case reweighting "
        f"takes {words.number(asked.iterations)} rounds, so {scale(asked.users, 'users')} and "
        f"{scale(asked.records, 'volunteers')}."
    ]
    if by_key["chi-square"].note:
        parts.append(
            "As no rule is without error, volunteers alone promise nothing: reweighting or users "
            "alone are what is left."
        )
    else:
        need = by_key["chi-square"].volunteers
        limit = hybrid.weights_must_be(design, volunteers)
        enough = volunteers >= need
        parts.append(
            f"The simple baseline, learning on the volunteers to error α²/X, asks "
            f"**{words.number(need)}** of them and no users. Your {words.number(volunteers)} are "
            + (
                f"**enough**, up to X = **{words.number(limit)}**."
                if enough
                else f"**too few**: they would do for volunteers up to X = "
                f"**{words.number(limit)}**."
                if limit >= 1
                else "**too few** for any volunteers."
            )
        )
    within = [STRATEGIES[way.key] for way in ways if way.within(volunteers, users)]
    reach = "; ".join(within) if within else "none"
    parts.append(f"Within reach of your numbers: **{reach}**.")
    return " ".join(parts)


def _printed(printed: float, asked: float) -> str:
    """Say that no proof covers the printed number of users, where it is the smaller one."""
    if printed >= asked:
        return ""
    return f" by our reading (printed: {words.number(printed)}, which no proof covers here)"


def _picture(
    values: Values, design: HybridDesign, given: Circumstances, ways: tuple[Strategy, ...]
) -> None:
    if note := hybrid.needs(design).note:
        st.info(note)
    if values["picture"] == "map":
        across = str(values["across"])
        plane = build(design, given, across)
        drawn = chart.Drawn(
            figure=hybrid_map.map_figure(plane, title="The way with the least cost"),
            caption="Cost is the price of a volunteer times the volunteers, plus the users. "
            "Worst-case numbers decide, except for own rounds. The cross marks your numbers.",
            alt=hybrid_map.alt(plane),
            rows=hybrid_map.rows(plane),
            name="cheapest-way",
        )
        figure_card.show(drawn, key="figure_hybrid_map")
    elif values["picture"] == "closeness":
        curves = curves_of(design, given)
        drawn = chart.Drawn(
            figure=figures.closeness_figure(
                curves,
                here=design.divergence,
                volunteers=float(values["volunteers"]),
                title="People asked as volunteers get less like the population",
            ),
            caption="The vertical line is your X. Own rounds and density do not grow with X "
            "because they are taken as known.",
            alt=figures.closeness_alt(curves),
            rows=figures.closeness_rows(curves),
            name="people-against-closeness",
        )
        figure_card.show(drawn, key="figure_hybrid_closeness")
    else:
        drawn = chart.Drawn(
            figure=figures.people_figure(ways, title="People asked by each way"),
            caption="Dotted lines are yardsticks: a hospital, a city, a country, the world.",
            alt=figures.people_alt(ways),
            rows=figures.people_rows(ways),
            name="people-asked",
        )
        figure_card.show(drawn, key="figure_hybrid_people")


def above(tabs: Tabs) -> None:
    """The switches that need the whole width."""
    tabs.choice(TAB, "distance", "How alike are volunteers and population?", DISTANCES)
    tabs.choice(TAB, "picture", "Picture", PICTURES)
    if tabs.plan(TAB).values["picture"] == "map":
        tabs.choice(TAB, "across", "Along the axis", ACROSS)


def _table(values: Values, ways: tuple[Strategy, ...]) -> None:
    volunteers, users = float(values["volunteers"]), float(values["users"])
    tables.wide(
        {
            "Way": [STRATEGIES[way.key] for way in ways],
            "Volunteers": [words.number(way.volunteers) for way in ways],
            "Users": [words.number(way.users) for way in ways],
            "Within reach": [
                "yes" if way.within(volunteers, users) else way.note or "no" for way in ways
            ],
        },
        alt="Volunteers and users asked by each way",
    )


def _descent(design: HybridDesign) -> None:
    """The numbers of Algorithm 4, whose learner is gradient descent."""
    with st.expander("Gradient descent as the learner"):
        try:
            found = hybrid_sgd.solve(
                SgdDesign(
                    accuracy=design.accuracy,
                    failure=design.failure,
                    divergence=design.divergence,
                    epsilon=design.epsilon,
                    delta=design.delta,
                    dimension=design.dimension,
                )
            )
        except DomainError as error:
            st.info(words.plain(error))
            return
        numbers = {
            "rounds T": found.iterations,
            "gradient steps per round R": found.steps,
            "noise σ on each coordinate": found.noise,
            "volunteers n": found.records,
            "users per test N₀": found.users_per_test,
            "volunteers' ε by the account": found.epsilon,
        }
        if found.printed_users < found.users_per_test:
            numbers["the same as printed, without proof here"] = found.printed_users
        tables.wide(
            {"Number": list(numbers), "Value": [words.number(x) for x in numbers.values()]},
            alt="Numbers of Algorithm 4 at these settings",
        )
        st.caption(
            "Algorithm 4 with gradients of length 1 over a set of diameter 1, by our reading. σ "
            "depends on n, R on σ and n on R; the three are solved together."
        )
        ledger_links.link("KS:Alg4:scaling", "Losses above 1: test and proof")


def below(tabs: Tabs) -> None:
    """What stands below the tab."""
    with st.expander("Why"):
        st.latex(
            r"\kappa = \frac{\alpha}{8X},\quad T = \frac{128\log_2(8X/\alpha)}{\alpha^2},\quad"
            r" N_0 = \max\Big\{\frac{4\log(2/\delta)\log(8T/\beta)}{(\varepsilon\alpha)^2},\,"
            r"\frac{\log(4T/\beta)}{\alpha^2}\Big(\frac12+\frac{4\log(2/\delta)}{\varepsilon^2}\Big)"
            r"\Big\}"
        )
        st.latex(
            r"N = N_0T,\qquad n = \frac{m\sqrt{288\,T\log(2/\delta)}}{\varepsilon\kappa},\qquad"
            r" n_{\text{baseline}} = \frac{X\log(|\mathcal H|/\beta)}{\alpha^2\varepsilon}"
        )
        st.markdown(
            "X is the mean, over the population, of how much more common a person is there than "
            "among the volunteers. By Cauchy and Schwarz an error of α²/X on the volunteers is at "
            "most α on the population, so where some rule is without error the baseline needs no "
            "users at all. The first N₀ is the printed one. It has no term for the sampling of the "
            "users, so that no proof covers it from a moderate ε on and it is too small for a "
            "large one; the second, our reading, is always enough. Reweighting pays for each of "
            "its rounds with new users and with the volunteers' budget."
        )
        for name, label in STATEMENTS.items():
            ledger_links.link(name, label)
        ledger_links.used("hybrid", "KS")
    with st.expander("What this does not say"):
        st.markdown(LIMITS)
