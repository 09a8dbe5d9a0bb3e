"""Tabs "Paper figures" and "Adaptive": Figures 3 to 5 rebuilt, and the price of not knowing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from pages.charts import between, number, simulation, words
from pages.classification import common
from pages.core import Block, Heading, Note, Pills, Slider, Switch, Table
from pages.core.live import Folded, Item, Plan, plan, repetition
from rates.numbers import decades
from sims import acc as sim
from sims.acc import BUDGET, GAMMA, figures
from sims.engine import Choice, Numbers, Progress, Request, Values

EXPERIMENTS = {"3": figures.FIGURE_3, "4": figures.FIGURE_4, "5": figures.FIGURE_5}
_SETTINGS = (
    Choice(
        name="figure",
        options=tuple(EXPERIMENTS),
        default="4",
        help="3: transfer or the target alone. 4: all methods. 5: 500 records spread over "
        "more servers.",
    ),
    Numbers(parameter=GAMMA, default=(1.0,), most=3),
    Numbers(parameter=BUDGET, default=(2.0,), most=3),
    *(figures.KERNEL, figures.BIN_CHOICE, figures.LAW_CHOICE),
    *(sim.SPLIT, sim.BASE, sim.ALGORITHM),
)
_BINS = {"both": "Both", **{name: name.capitalize() for name in figures.BIN_CHOICE.options[1:]}}
_LAWS = {"printed and laplace": "Both", "printed": "Gauss", "exact": "Exact", "laplace": "Laplace"}
_SPLIT = Switch("split", "Budget over bandwidths", common.SPLITS)
_ALGORITHM = Switch("algorithm", "Algorithm", {"2": "2, all weights", "1": "1, one weight"})


def _fields(asked: Plan) -> Iterator[Item]:
    figure = asked.values["figure"]
    yield Switch("figure", "Which", {name: f"Figure {name}" for name in EXPERIMENTS})
    yield Pills("gamma", "Signal exponents γ", (0.25, 0.5, 1.0, 1.5, 4.0))
    if figure == "5":
        yield Pills("epsilon", "Budgets ε", (math.inf, 2.0, 1.0, 0.5))
    yield Switch("kernel", "Kernel", {"both": "Both", **common.KERNELS})
    if figure != "3":
        bins, noise = Switch("bins", "Bins", _BINS), Switch("noise", "Histogram noise", _LAWS)
        yield Folded("Histogram, adaptive rule", (bins, noise, _SPLIT, common.GRID, _ALGORITHM))
    yield from repetition(most=1_000)


def _made(asked: Plan) -> Request:
    """Return the run of the chosen figure, which takes some of the settings only."""
    figure = asked.values.word("figure")
    own = {setting.name for setting in EXPERIMENTS[figure].parameters}
    # Figures 3 and 4 run over all budgets; only Figure 5 asks for some.
    own -= {"epsilon"} if figure != "5" else set()
    values = Values({name: value for name, value in asked.values.items() if name in own})
    return asked.request(EXPERIMENTS[figure], values)


def _curves(progress: Progress) -> simulation.Scores:
    """Accuracies by series in the page's letters, without a γ that all of them share."""
    request = progress.request
    # A γ that all series share tells none of them apart.
    alone = len({point.settings["gamma"] for point in request.points}) == 1
    broken = common.broken(request, figures.point_spent)

    def named(series: str) -> str:
        kept = (part for part in series.split(", ") if not (alone and part.startswith("gamma")))
        return letters(", ".join(kept)) + common.NOT * (series in broken)

    return simulation.scores(request.points, progress.estimates, named)


def answer(progress: Progress) -> str:
    """Return the finding so far as a sentence."""
    if not progress.done:
        return "**Run** rebuilds the figure; every accuracy is an exact integral, without test set."
    begun, many = sum(count > 0 for count in progress.counts), len(progress.counts)
    # Means over different points would compare the points, not the methods.
    if begun < many:
        return f"**{begun} of {many}** points have replicates; methods are compared once all have."
    middle = (
        (name, xs[len(xs) // 2], estimates[len(xs) // 2])
        for name, (xs, estimates) in _curves(progress).items()
    )
    found = [(name, x, estimate) for name, x, estimate in middle if estimate.replicates >= 2]
    if not found:
        return "The first replicates are being computed."
    (best, x, most), (worst, _, least) = (f(found, key=lambda one: one[2].mean) for f in (max, min))
    label = "m" if progress.request.experiment is figures.FIGURE_5 else "ε"
    return (
        f"After **{common.replicates(progress)} replicates**: at {label} = {number(x)}, {best} is "
        f"right for **{words.around(most, words.tenths)}** of new records and {worst} for "
        f"**{words.around(least, words.tenths)}**. No classifier exceeds "
        f"**{words.tenths(figures.BEST)}**."
    )


def drawn(progress: Progress) -> Iterable[Block]:
    """Accuracies with their intervals, and what the text says of them."""
    spread = progress.request.experiment is figures.FIGURE_5
    yield simulation.budget_figure(
        _curves(progress),
        "Accuracy",
        name="figure",
        caption="Bars are 95% Monte-Carlo intervals. DTK, targetDTK and DT-HIST are **tuned on "
        "the test set**, as in the paper; DTK beats targetDTK by construction. AdaptDTK chooses "
        "from the releases alone.",
        title="Accuracy in the paper's design",
        x_title="Number of sources m" if spread else simulation.BUDGET,
    )
    if min(progress.counts) >= 2:
        note = "Claims about several γ need several γ in the run."
        if common.broken(progress.request, figures.point_spent):
            note += " Curves named not private exceed their budget; a claim does not count that."
        yield from claim_blocks(sim.claims(progress), note=note)


def claim_blocks(found: Sequence[sim.Claim], *, note: str = "") -> Iterable[Block]:
    """Say claims of the text with their verdicts and the difference that decides each."""
    yield Heading("What the text says, and this run")
    # The difference that decides: a claim stands or falls with its weakest part.
    worst = [min(claim.differences, key=lambda one: one.low, default=None) for claim in found]
    yield Table(
        {
            "This run": [claim.verdict for claim in found],
            "Claim": [claim.text for claim in found],
            "Smallest difference, points": [
                "none" if one is None else _points(one.mean, one.low, one.high) for one in worst
            ],
            "Where": ["" if one is None else letters(one.where) for one in worst],
            "Note": [claim.note for claim in found],
        },
        "Claims of the text with the verdict of this run",
    )
    yield Note(
        "A claim holds if every difference that it calls positive has its interval above 0, and "
        "does not hold if one lies below; otherwise it is inside the noise. The intervals of one "
        f"claim hold together at 95%. {note}"
    )


def _points(*shares: float) -> str:
    mean, low, high = (f"{100 * x:.1f}".replace("-", "−") for x in shares)
    return f"{mean} ({low} to {high})"


def letters(text: str) -> str:
    """Return the text with the papers' letters for gamma and epsilon."""
    return text.replace("gamma", "γ").replace("epsilon", "ε")


FIGURES_TAB = common.tab(
    "paper",
    "Paper figures",
    usual=plan(_SETTINGS, replicates=50, defaults={"kernel": "gaussian"}, gone=("tuning",)),
    inputs=_fields,
    compute=_made,
    answer=answer,
    blocks=drawn,
    after=lambda request: common.said_each(request, figures.point_spent),
    privacy=figures.FIGURE_3.privacy,
)

# Adaptive -------------------------------------------------------------------------------------

_WHO = {sim.ORACLE: "The oracle", sim.ADAPTIVE: "The adaptive rule"}


def price_answer(progress: Progress) -> str:
    """Return the finding so far as a sentence."""
    found = sim.prices(progress)
    if not found:
        return "The oracle knows what the adaptive rule has to find. **Run** measures the price."
    ends = [_price(f(found, key=lambda price: price.ratio)) for f in (min, max)]
    return f"Not knowing multiplies the excess risk by {ends[0]}, and by {ends[1]}."


def _price(price: sim.Price) -> str:
    private = not math.isinf(price.epsilon)
    budget = f"ε = {number(price.epsilon)}" if private else "no privacy"
    interval = f"95%: {between(price.low, price.high)}"
    return f"**{number(price.ratio)}** ({interval}) at {budget}, m = {price.m}"


def price_blocks(progress: Progress) -> Iterable[Block]:
    """Both risks, and a list of the prices."""
    broken = common.broken(progress.request, sim.price_spent)
    curves = simulation.scores(
        progress.request.points,
        progress.estimates,
        lambda name: name + common.NOT * (name in broken),
    )
    yield simulation.budget_figure(
        curves,
        "Excess risk",
        name="price",
        caption="The oracle takes bandwidth (11) and weights (12), which ignore constants. Not "
        "split means the whole budget at every bandwidth, which is **not** (ε, δ)-private.",
        title="Excess risk of the oracle and of the adaptive rule",
        per_cent=False,
    )
    if found := sim.prices(progress):
        budgets = [price.epsilon for price in found]
        yield Table(
            {
                "Sources m": [str(price.m) for price in found],
                "Budget ε": ["none" if math.isinf(e) else number(e) for e in budgets],
                "Price": [f"× {number(price.ratio)}" for price in found],
                "95% interval": [between(price.low, price.high) for price in found],
            },
            "Price of not knowing by number of sources and budget",
        )


PRICE_TAB = common.tab(
    "adaptive",
    "Adaptive",
    usual=plan(sim.PRICE.parameters, replicates=50, defaults={"m": (1.0,)}),
    inputs=(
        Switch("world", "World", {"quadrants": "The paper's design", "cusp": "Cusp"}),
        Slider("n", "Records of each server n", decades(2, 4, whole=True)),
        Pills("m", "Number of sources m", (1.0, 4.0, 9.0, 19.0)),
        common.SIGNAL,
        *(_SPLIT, common.GRID),
        *repetition(most=1_000),
        Folded("Kernel, algorithm", (common.KERNEL, _ALGORITHM)),
    ),
    experiment=sim.PRICE,
    answer=price_answer,
    blocks=price_blocks,
    after=lambda request: common.said_each(request, sim.price_spent, _WHO),
)
