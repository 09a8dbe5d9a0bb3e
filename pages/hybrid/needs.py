"""Tab "Numbers": how many people each way asks, how close volunteers must be, what is cheapest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pages.charts import words
from pages.core import Block, Fold, Link, Note, Table, blocks
from pages.core.live import Missing, Plan
from pages.hybrid import asked, common, figures, map_figure
from rates import hybrid
from rates.numbers import DomainError
from sims.engine import Values

CANNOT = "These numbers have no answer from the bounds of this page."


@dataclass(frozen=True, slots=True)
class Made:
    """What is asked, and what each way asks for.

    Attributes:
        values: What is asked.
        found: How far volunteers and population are apart.
        design: The study.
        given: What else decides between the ways.
        ways: The ways.
    """

    values: Values
    found: hybrid.Divergences
    design: hybrid.HybridDesign
    given: hybrid.Circumstances
    ways: tuple[hybrid.Strategy, ...]


def made(plan: Plan) -> Made:
    """Return what each way asks for.

    Raises:
        DomainError: The numbers are refused.
        Missing: They are, and something is to be said of the distance besides.
    """
    values = plan.values
    found = asked.divergences(values)
    try:
        design, given = asked.design_of(values, found), asked.circumstances(values, found)
    except DomainError as error:
        if not found.note:
            raise
        refused = Note(words.plain(error), "error")
        raise Missing(CANNOT, (Note(found.note, "warning"), refused)) from None
    return Made(values, found, design, given, hybrid.strategies(design, given))


def scale(people: float, kind: str) -> str:
    """Return a number of people beside the largest yardstick that is below it.

    >>> scale(4e4, "users"), scale(1.6e10, "users")
    ('**40,000** users (2 times a hospital)', '**1.6e10** users (2 times the world)')
    """
    below = [(name, size) for name, size in hybrid.YARDSTICKS.items() if size <= people]
    text = f"**{words.number(people)}** {kind}"
    if not below:
        return text
    name, size = below[-1]
    return f"{text} ({words.number(people / size, 2)} times {name})"


def answer(made: Made) -> str:
    """Return the answer as sentences."""
    values, design, ways, needs = (
        made.values,
        made.design,
        made.ways,
        hybrid.needs.needs(made.design),
    )
    by_key = {way.key: way for way in ways}
    volunteers, users = values.number("volunteers"), values.number("users")
    parts = [
        f"At X = **{words.number(design.divergence)}** (1: volunteers are like the population) "
        f"each test of a rule asks **{words.number(needs.users_per_test)}** local users"
        f"{_printed(needs.printed_users, needs.users_per_test)}. In the worst case reweighting "
        f"takes {words.number(needs.iterations)} rounds, so {scale(needs.users, 'users')} and "
        f"{scale(needs.records, 'volunteers')}."
    ]
    if by_key["chi-square"].note:
        parts.append(
            "As no rule is without error, volunteers alone promise nothing: reweighting or users "
            "alone are what is left."
        )
    else:
        need = by_key["chi-square"].volunteers
        limit = hybrid.needs.weights_must_be(design, volunteers)
        parts.append(
            f"The simple baseline, learning on the volunteers to error α²/X, asks "
            f"**{words.number(need)}** of them and no users. Your {words.number(volunteers)} are "
            + (
                f"**enough**, up to X = **{words.number(limit)}**."
                if volunteers >= need
                else f"**too few**: they would do for volunteers up to X = "
                f"**{words.number(limit)}**."
                if limit >= 1
                else "**too few** for any volunteers."
            )
        )
    within = [hybrid.STRATEGIES[way.key] for way in ways if way.within(volunteers, users)]
    reach = "; ".join(within) if within else "none"
    parts.append(f"Within reach of your numbers: **{reach}**.")
    return " ".join(parts)


def _printed(printed: float, asked: float) -> str:
    """Say that no proof covers the printed number of users, where it is the smaller one."""
    if printed >= asked:
        return ""
    return f" by our reading (printed: {words.number(printed)}, which no proof covers here)"


def before(made: Made) -> Iterable[Block]:
    """What to know of the distance and of the users."""
    if made.found.note:
        yield Note(made.found.note, "warning")
    needs = hybrid.needs.needs(made.design)
    if needs.printed_users < needs.users_per_test:
        yield Link("KS:Sec2:users", "Why more users than printed: test and proof")
    if needs.note:
        yield Note(needs.note, "info")


def drawn(made: Made) -> Iterable[Block]:
    """The picture that is chosen, what each way asks, and gradient descent."""
    values, ways = made.values, made.ways
    if values["picture"] == "map":
        yield map_figure.drawn(map_figure.build(made.design, made.given, values.word("across")))
    elif values["picture"] == "closeness":
        volunteers = values.number("volunteers")
        yield figures.closeness(made.design, made.given, volunteers=volunteers)
    else:
        yield figures.people(ways)
    volunteers, users = values.number("volunteers"), values.number("users")
    yield Table(
        {
            "Way": [hybrid.STRATEGIES[way.key] for way in ways],
            "Volunteers": [words.number(way.volunteers) for way in ways],
            "Users": [words.number(way.users) for way in ways],
            "Within reach": [
                "yes" if way.within(volunteers, users) else way.note or "no" for way in ways
            ],
        },
        alt="Volunteers and users asked by each way",
    )
    yield Fold("Gradient descent as the learner", list(_descent(made.design)))


def _descent(design: hybrid.HybridDesign) -> Iterable[Block]:
    """The numbers of Algorithm 4, whose learner is gradient descent."""
    names = ("accuracy", "failure", "divergence", "epsilon", "delta", "dimension")
    try:
        found = hybrid.sgd.solve(
            hybrid.SgdDesign(**{name: getattr(design, name) for name in names})
        )
    except DomainError as error:
        yield Note(words.plain(error), "info")
        return
    rows = {
        "rounds T": found.iterations,
        "gradient steps per round R": found.steps,
        "noise σ on each coordinate": found.noise,
        "volunteers n": found.records,
        "users per test N₀": found.users_per_test,
        "volunteers' ε by the account": found.epsilon,
    }
    if found.printed_users < found.users_per_test:
        rows["the same as printed, without proof here"] = found.printed_users
    yield blocks.numbers("Number", "Value", rows, alt="Numbers of Algorithm 4 at these settings")
    yield Note(
        "Algorithm 4 with gradients of length 1 over a set of diameter 1, by our reading. σ "
        "depends on n, R on σ and n on R; the three are solved together."
    )
    yield Link("KS:Alg4:scaling", "Losses above 1: test and proof")


TAB = common.tab(
    name="needs",
    title="Numbers",
    usual=asked.USUAL,
    wide=asked.wide,
    fields=asked.fields,
    made=made,
    cannot=CANNOT,
    answer=answer,
    before=before,
    drawn=drawn,
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
    why=(
        "X is the mean, over the population, of how much more common a person is there than "
        "among the volunteers. By Cauchy and Schwarz an error of α²/X on the volunteers is at "
        "most α on the population, so where some rule is without error the baseline needs no "
        "users at all. The first N₀ is the printed one. It has no term for the sampling of the "
        "users, so that no proof covers it from a moderate ε on and it is too small for a "
        "large one; the second, our reading, is always enough. Reweighting pays for each of "
        "its rounds with new users and with the volunteers' budget."
    ),
    limits=(
        "- The numbers of reweighting are worst cases with the paper's constants. The runs on the "
        "next tab need tens of rounds and not tens of thousands; nobody can promise that in "
        "advance.\n"
        "- Constants of the learner are taken as 1 on both sides, so ratios mean more than values. "
        "Users alone, d/(εα)², is an order with constant 1, and does not hold for PARITY, which "
        "needs exponentially many users.\n"
        "- X has to be known in advance, and no data holder knows it: the population's frequencies "
        "are what is missing. Round figures for a hospital (20,000 patients), a city (a million) "
        "and a country (60 million) are yardsticks, not data.\n"
        "- The guarantee is (ε, δ) for every volunteer over the whole run and for every user's one "
        "answer, when one record is replaced."
    ),
    statements={
        "KS:Cor4.4:domination": "Why the simple baseline asks for fewer",
        "KS:Sec2:users": "How many answers show a mean",
        "KS:Lem3.2:footnote": "The footnote that fails for large X",
    },
    used=("hybrid", "KS"),
)
