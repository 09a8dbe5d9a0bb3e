"""Tab "Paper figures": Figures 3, 4 and 5 rebuilt at chosen replicates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pages.charts import simulation, words
from pages.classification import common, privacy
from pages.core import Block, Note, Pills, Switch
from pages.core.live import Folded, Item, Plan, plan, repetition
from pages.paper_acc import claim_table
from sims.classification import BUDGET, GAMMA
from sims.engine import Choice, Numbers, Progress, Request, Spent, Values
from sims.paper_acc import ALGORITHM, BASE, SPLIT, claims, figures

EXPERIMENTS = {"3": figures.FIGURE_3, "4": figures.FIGURE_4, "5": figures.FIGURE_5}
TITLES = {"3": "Figure 3", "4": "Figure 4", "5": "Figure 5"}
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
    figures.KERNEL,
    figures.TUNING,
    figures.BIN_CHOICE,
    figures.LAW_CHOICE,
    SPLIT,
    BASE,
    ALGORITHM,
)
_KERNELS = {"both": "Both", "gaussian": "Gaussian", "triangular": "Triangular"}
_TUNING = {"setting": "Per point", "replicate": "Per replicate"}
_BINS = {"both": "Both", **{name: name.capitalize() for name in figures.BIN_CHOICE.options[1:]}}
_LAWS = {"printed and laplace": "Both", "printed": "Gauss", "exact": "Exact", "laplace": "Laplace"}
SPLIT_FIELD = Switch(
    "split",
    "Budget over bandwidths",
    {"printed": "As printed", "composed": "Composed", "unsplit": "Not split"},
)
GRID = Switch("base", "Grid of bandwidths", {"2": "Base 2", "e": "Natural"})
WHICH = Switch("algorithm", "Algorithm", {"2": "2, all weights", "1": "1, one weight"})


def _fields(asked: Plan) -> Iterator[Item]:
    figure = asked.values["figure"]
    yield Switch("figure", "Which", TITLES)
    yield Pills("gamma", "Signal exponents γ", (0.25, 0.5, 1.0, 1.5, 4.0))
    if figure == "5":
        yield Pills("epsilon", "Budgets ε", (float("inf"), 2.0, 1.0, 0.5))
    yield Switch("kernel", "Kernel", _KERNELS)
    yield Switch("tuning", "Tuned on the test set", _TUNING)
    if figure != "3":
        bins, noise = Switch("bins", "Bins", _BINS), Switch("noise", "Histogram noise", _LAWS)
        yield Folded("Histogram, adaptive rule", (bins, noise, SPLIT_FIELD, GRID, WHICH))
    yield from repetition(most=1_000)


def _made(asked: Plan) -> Request:
    """Return the run of the chosen figure, which takes some of the settings only."""
    figure = asked.values.word("figure")
    own = {setting.name for setting in EXPERIMENTS[figure].parameters}
    own -= {"epsilon"} if figure != "5" else set()
    values = Values({name: value for name, value in asked.values.items() if name in own})
    return asked.request(EXPERIMENTS[figure], values)


def _kept(request: Request) -> Iterable[Block]:
    yield from privacy.said_each(_spent(request))
    if request.values["tuning"] == "replicate":
        yield Note(
            "The best of every replicate is found by comparing tuned releases at all "
            "bandwidths, each with the whole budget; what is said above counts one of them."
        )


def _curves(progress: Progress) -> simulation.Scores:
    request = progress.request
    alone = len({point.settings["gamma"] for point in request.points}) == 1
    broken = privacy.broken(request, figures.point_spent)
    return simulation.scores(
        request.points,
        progress.estimates,
        lambda name: _short(name, alone) + privacy.NOT * (name in broken),
    )


def _spent(request: Request) -> dict[str, list[Spent]]:
    """What the releases of each method guarantee."""
    out: dict[str, list[Spent]] = {}
    for point in request.points:
        if found := figures.point_spent(request.values, point):
            out.setdefault(point.settings.word("method"), []).append(found)
    return out


def _short(series: str, alone: bool) -> str:
    """A series in the page's letters, without an exponent that all of them share."""
    kept = [part for part in series.split(", ") if not (alone and part.startswith("gamma"))]
    return claim_table.letters(", ".join(kept))


def answer(progress: Progress) -> str:
    """Return the finding so far as a sentence."""
    if not progress.done:
        return "**Run** rebuilds the figure; every accuracy is an exact integral, without test set."
    if min(progress.counts) < 1:
        return _begun(progress)
    found = {
        name: (xs[place], estimates[place])
        for name, (xs, estimates) in _curves(progress).items()
        for place in [len(xs) // 2]
        if estimates[place].replicates >= 2
    }
    if not found:
        return "The first replicates are being computed."
    x = next(iter(found.values()))[0]
    best = max(found, key=lambda name: found[name][1].mean)
    worst = min(found, key=lambda name: found[name][1].mean)
    label = "m" if progress.request.experiment is figures.FIGURE_5 else "ε"
    counts = words.span(str(min(progress.counts)), str(max(progress.counts)))
    return (
        f"After **{counts} replicates**: at {label} = {words.number(x)}, {best} is right for "
        f"**{words.around(found[best][1], words.tenths)}** of new records and {worst} for "
        f"**{words.around(found[worst][1], words.tenths)}**. No classifier exceeds "
        f"**{words.tenths(figures.BEST)}**."
    )


def _begun(progress: Progress) -> str:
    """What is known while some points have no replicate: nothing that compares methods."""
    begun = sum(count > 0 for count in progress.counts)
    tuning = (
        f" Most of the time goes into **tuning** every point on {figures.PILOT} replicates of its "
        "own; the replicates after it are quick."
        if progress.request.values["tuning"] == "setting"
        else ""
    )
    return (
        f"**{begun} of {len(progress.counts)}** points have replicates so far; methods are "
        f"compared once all have.{tuning}"
    )


def drawn(progress: Progress) -> Iterable[Block]:
    """Accuracies with their intervals, and what the text says of them."""
    spread = progress.request.experiment is figures.FIGURE_5
    yield simulation.budget_drawn(
        {"Accuracy": _curves(progress)},
        name="figure",
        start="Accuracy of each method.",
        caption="Bars are 95 % Monte-Carlo intervals. DTK, targetDTK and DT-HIST are **tuned on "
        "the test set**, as in the paper: their best bandwidth and weight are chosen by looking at "
        "the truth, which no data set would tell. DTK beats targetDTK by construction, since "
        "weight 1 is among its choices; only the size of the gain says something. AdaptDTK chooses "
        "from the releases alone.",
        title="Accuracy in the paper's design",
        x_title="Number of sources m" if spread else simulation.BUDGET,
    )
    if min(progress.counts) >= 2:
        note = "Claims about several γ need several γ in the run."
        if privacy.broken(progress.request, figures.point_spent):
            note += " Curves named not private exceed their budget; a claim does not count that."
        yield from claim_table.told(claims(progress), note=note)


TAB = common.tab(
    "paper",
    "Paper figures",
    usual=plan(_SETTINGS, replicates=50, defaults={"kernel": "gaussian"}),
    fields=_fields,
    made=_made,
    answer=answer,
    drawn=drawn,
    after=_kept,
)
