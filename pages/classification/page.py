"""The page: does a real private classifier follow the rate?

Here the tabs "Rate" and "My study", simulated risk over the calibrated rate and over the study's,
and "Attacker": what many runs on two neighbouring data sets prove about a promise.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from pages import charts
from pages.charts import number, percent, signed, simulation, words
from pages.classification import classifier, common, hospitals, paper
from pages.core import Between, Block, Formula, Listing, Menu, Note, Pills, Slider, Switch, Text
from pages.core.live import Folded, Item, Plan, Tab, along, kept, page, panel, repetition
from pages.current import simulated
from rates.answer import offered_delta
from rates.numbers import decades, steps
from rates.study import TransferStudy
from sims import acc as sim
from sims.audit import AUDIT, BY_NAME, bounds
from sims.engine import Estimate, Point, Progress, Value, fits, scaling

SWEEPS = {"n": "Sample size n", "epsilon": "Budget ε", "m": "Number of sources m"}
_BUDGETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
_COUNTS = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1e3, 3e3, 1e4)
_STOPS = {"n": (100.0, 300.0, 1e3, *sim.SIZES, 3e8, 1e9), "epsilon": _BUDGETS, "m": _COUNTS}
_LISTS: dict[str, dict[str, Value]] = {  # what each sweep starts with
    "n": {"n": sim.SIZES, "epsilon": (math.inf, 1.0, 0.1), "m": (1.0,)},
    "epsilon": {"n": (1e6, 1e5, 1e4), "epsilon": _BUDGETS, "m": (1.0,)},
    "m": {"n": (1e6,), "epsilon": (math.inf, 1.0, 0.1), "m": _COUNTS},
}


def _fields(asked: Plan) -> Iterator[Item]:
    alone = asked.values["servers"] == "target"
    servers = {"target": "Target", "sources": "Sources", "both": "Both"}
    yield Switch("servers", "Who releases", servers, then=_of_servers)
    yield from along(
        asked,
        {name: title for name, title in SWEEPS.items() if name != "m" or not alone},
        lists=_LISTS,
        stops=_STOPS,
        budgets=(math.inf, 10.0, 1.0, 0.1, 0.01),
        sizes=(1e4, 1e5, 1e6, 1e7),
    )
    if not alone:
        yield common.SIGNAL
        if asked.values["sweep"] != "m":
            yield Slider("m", "Number of sources m", decades(0, 4, whole=True))
        if asked.values["servers"] == "both":
            yield Slider("n0", "Target records n₀", decades(2, 8, whole=True))
    yield from repetition()
    lists = ("n", "epsilon") if alone else ("n", "epsilon", "m", "gamma")
    more: list[Item] = [*common.WORLD, *(Listing(name, f"{name}, exact list") for name in lists)]
    yield Folded("World, mechanism, exact lists", more)


def _of_servers(servers: str) -> Mapping[str, Value]:
    """A sweep over sources makes no sense for a target alone."""
    return {"sweep": "n", **_LISTS["n"]} if servers == "target" else {}


def rate_answer(progress: Progress) -> str:
    """Return the finding so far as a sentence."""
    if not progress.done:
        return (
            "The dotted lines are the classifier's exact risk, computed without simulation. "
            "**Run** puts simulated points beside them and fits the slope."
        )
    found = [fit for fit in fits(progress.request.points, progress.estimates) if fit.slope]
    seen = sum(count >= 2 for count in progress.counts)
    start = f"After **{seen} points** and **{common.replicates(progress)} replicates**, "
    if not found:
        return f"{start}there are too few points for a slope."
    # A fitted slope may fit the far ends as well, and then proves nothing.
    far = sim.asymptotic_slopes(progress.request.values)
    verdicts = [simulation.judged(fit, far.get(fit.series)) for fit in found]
    named = "; ".join(
        f"{fit.series} **{words.slope(fit)}** against **{signed(fit.theory)}** ({verdict})"
        for fit, verdict in zip(found, verdicts, strict=True)
    )
    agreed = sum(verdict.startswith(scaling.AGREES) for verdict in verdicts)
    return (
        f"{start}**{agreed} of {len(found)}** fitted slopes agree with the calibrated rate's "
        f"over the same window: {named}. ± is a standard error."
    )


def rate_blocks(progress: Progress) -> Iterable[Block]:
    """The figure."""
    request = progress.request
    swept = request.values.word("sweep")
    yield simulation.rate_figure(
        progress,
        name="rate",
        x_title=SWEEPS[swept],
        y_title="Excess risk",
        title="Excess risk over C times the calibrated rate",
        curve="calibrated rate",
    )
    reasons = dict.fromkeys(point.left_out for point in request.points if point.left_out)
    if progress.done and reasons:
        yield Note(f"Left out of the fits, drawn hollow: {'; '.join(reasons)}.")


RATE_TAB = common.tab(
    "rate",
    "Rate",
    inputs=_fields,
    experiment=kept(sim.RATE),
    auto=True,
    answer=rate_answer,
    blocks=rate_blocks,
    after=lambda request: common.said(sim.rate_spent(request.values)),
)

# My study -------------------------------------------------------------------------------------

_STUDY = kept(sim.STUDY)
_NAMES = {"matched": "Calibrated", "printed": "(11), (12)"}  # in the legend
_ANSWERED = {"matched": "the mechanism's own equation", "printed": "the paper's (11) and (12)"}


def _caps(study: TransferStudy, note: str) -> str:
    """What had to be changed or filled in to simulate the study."""
    parts = [
        "Sizes, budgets and signal exponents are the study's. Smoothness, dimension and margin "
        "are the world's (β = 1, α β = d), not the study's "
        f"(β = {number(study.smoothness)}, d = {study.dimension}, α = {number(study.margin)})."
    ]
    if study.without_delta:
        parts.append(f"Where no δ is given it is {number(offered_delta(study))}.")
    if note:
        parts.append(f"**Capped.** {words.plain(note)}")
    return " ".join(parts)


def study_answer(progress: Progress) -> str:
    """Return the finding so far as a sentence."""
    own = simulated.at_one(progress)
    if not own:
        return simulated.ABSENT
    parts = ", ".join(
        f"{_risk(point, found)} with bandwidth and weights of {_ANSWERED[sim.RULES[series]]}"
        for series, (point, found) in own.items()
    )
    # A saturated point errs at the border of the world, where no rate holds.
    full = any(point.left_out for point, _ in own.values())
    end = " At these sizes it is **saturated**: the rate cannot show yet." * full
    return f"On this world the study's classifier errs more than the best one by {parts}.{end}"


def _risk(point: Point, found: Estimate) -> str:
    if found.replicates >= 2:
        return f"**{words.around(found, percent)}**"
    return "not computed yet" if point.exact is None else f"**{percent(point.exact)}** (exact)"


def study_blocks(progress: Progress) -> Iterable[Block]:
    """The figure, under short names."""
    yield simulation.rate_figure(
        progress,
        names={series: _NAMES[rule] for series, rule in sim.RULES.items()},
        name="study",
        caption="Two ways to choose bandwidth and weights, each over its own rate: **calibrated**, "
        "from the mechanism's equation, and **(11), (12)** of the paper over that of (5), without "
        "constants. Only shapes can be compared.",
        x_title="Factor on every budget",
        y_title="Excess risk",
        title="This study on a known world, as its budgets scale",
        curve="its rate",
    )


STUDY_TAB = common.tab(
    "study",
    "My study",
    alone=False,
    usual=simulated.usual(sim.STUDY, ("n", "epsilon", "delta", "gamma", "count"), replicates=200),
    lacks=lambda: simulated.lacks(
        TransferStudy, "The current study fits a **curve**; a classifier needs a target."
    ),
    inputs=(
        common.WORLD[0],
        Between("factor", "All budgets times", tuple(2.0**k for k in range(-6, 7))),
        *repetition(),
        Folded("Mechanism, bandwidth", common.WORLD[1:]),
    ),
    compute=lambda asked: simulated.made(asked, _STUDY, sim.study_values, _caps),
    cannot=simulated.CANNOT,
    privacy=sim.STUDY.privacy,
    before=lambda made: [made.told],
    answer=study_answer,
    blocks=study_blocks,
    after=lambda made: common.said(sim.study_spent(made.request.values), who="Each row's release"),
)


# Attacker -------------------------------------------------------------------------------------

_AUDITED = {name: name[0].upper() + name[1:] for name in BY_NAME}
_HOW = (
    Formula(
        r"\Pr(\text{says replaced} \mid \text{replaced}) \le e^{\varepsilon} "
        r"\Pr(\text{says replaced} \mid \text{not}) + \delta"
    ),
    Text(
        "This holds for every attacker, so two measured shares bound ε from below. The attacker "
        "knows all records but one, which in one world is replaced by the one that moves the "
        "release most. His threshold on the likelihood ratio is chosen on the first half of the "
        "runs, the shares come from the second, with exact limits of Clopper and Pearson at 97.5% "
        "each. Where all noise is Gaussian, they bound its size, and ε is that of this size at δ."
    ),
)
_GUESSES = Note(
    "Both worlds have 50 simulated records. A share of right guesses of one half is blind "
    r"guessing; with ε and δ no attacker can exceed $(e^\varepsilon + \delta)/(1 + e^\varepsilon)$."
)
_LIMITS = (
    "- A lower bound proves that a promise is broken, never that it holds.\n"
    "- Two data sets of 50 records and one attacker; another pair may tell more.\n"
    "- Floating-point numbers, timing and the random generator are not attacked."
)


def attacker_answer(progress: Progress) -> str:
    """Return what has been proved so far, as a sentence."""
    values, found = progress.request.values, bounds(progress)
    if not found:
        return "An attacker must tell whether one record was replaced. **Run** lets him try."
    broken = [one for one in found if one.broken]
    # The strongest that was proved: of a broken promise, or the closest to one that is kept.
    tight = max(broken or found, key=lambda one: one.proved / one.epsilon)
    start = (
        f"**{_AUDITED[values.word('mechanism')]}**, after {found[0].runs:,} runs in each world: "
    )
    end = "is promised. **Nothing speaks against the promise.**"
    if broken:
        less = ", as it should be with less noise" if values.number("noise") < 1 else ""
        end = f"is promised: **the promise is broken**{less}."
    return (
        f"{start}ε is proved to be at least **{tight.proved:.2g}** where **{tight.epsilon:g}** "
        f"{end} Each bound holds with 95% confidence."
    )


def _promise(asked: Plan) -> str:
    audited, factor = BY_NAME[asked.values.word("mechanism")], asked.values.number("noise")
    less = f" Here with {factor:g} of its noise, so that it does not hold." if factor < 1 else ""
    return audited.promise + less


def attacker_blocks(progress: Progress) -> Iterable[Block]:
    """The lower bounds of ε over the promises."""
    found, promised = bounds(progress), [p.x for p in progress.request.points[::2]]
    right, top = 1.1 * max(promised), 1.1 * max([*promised, *(one.proved for one in found)])
    marks = [charts.line([0.0, right], [0.0, right], "Promise", charts.GREY, "dash")]
    hover = "promised %{x:.3g}, at least %{y:.3g}; %{customdata:.1%} guessed right"
    for place, (name, symbol) in enumerate(
        (("At least, 95%", "circle"), ("At least, promise broken", "x"))
    ):
        mine = [one for one in found if one.broken == bool(place)]
        if mine or not place:
            look: charts.Fields = {"customdata": [one.right for one in mine], "hover": hover}
            x, y = [one.epsilon for one in mine], [one.proved for one in mine]
            marks.append(charts.dots(x, y, name, symbol, 11, charts.look(place)[0], **look))
    yield charts.plot(
        marks,
        charts.axis("Promised ε", (0.0, right)),
        charts.axis("ε at least", (0.0, top)),
        title="What an attacker proves about ε",
        height=380,
        foot=80,
        uirevision="audit",
        name="attacker",
        caption="Points below the dashed line are what an honest mechanism shows; a point above it "
        "refutes the promise.",
    )


TAB = Tab(
    page="classification",
    id="attacker",
    title="Attacker",
    inputs=(
        Menu("mechanism", "Mechanism", _AUDITED),
        Pills("epsilon", "Promised ε", (0.5, 1.0, 2.0, 4.0, 8.0)),
        Slider("delta", "Promised δ", decades(-12, -1)),
        Slider("noise", "Share of the noise", steps(0.1, 1.0, 0.1)),
        *repetition(),
    ),
    experiment=kept(AUDIT),
    privacy=_promise,
    answer=attacker_answer,
    blocks=attacker_blocks,
    after=lambda request: [_GUESSES],
    why=_HOW,
    limits=(panel.ERRORS, _LIMITS),
)
TABS = (
    *(classifier.TAB, RATE_TAB, STUDY_TAB),
    *(paper.FIGURES_TAB, paper.PRICE_TAB, hospitals.TAB, TAB),
)


def draw() -> None:
    """Draw the page."""
    page.show("Does a real private classifier follow the rate?", *TABS)
