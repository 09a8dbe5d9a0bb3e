"""Tabs with runs in a synthetic world: error against records and shares, and how close it is."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping

from pages.charts import number, simulation, words
from pages.core import Between, Block, Listing, Menu, Note, Pills, Slider, Switch, live
from rates.adaptation import deployed_budget
from rates.numbers import decades, steps
from sims import bcmm
from sims.engine import Estimate, Progress, Value, Values

METHODS = {
    "printed": "The printed algorithm",
    "profiled": "Our minimiser, weights profiled out",
    "descent": "Noisy descent, target alone",
}
LOSSES = {"squared": "Numbers", "logistic": "±1"}
ERRORS = {"squared": "Mean squared error", "logistic": "Share of wrong signs"}
PLAIN = (bcmm.PLAIN, bcmm.TARGET, bcmm.SOURCE, bcmm.EXACT)
READINGS = {
    bcmm.GAP: "discrepancy over all coefficients",
    bcmm.SCALAR: "excess loss of the public fit, one number,",
}
STOPS = (50.0, 100.0, 200.0, 400.0, 800.0, 1500.0, 3000.0, 10_000.0, 30_000.0)
LIMITS = (
    f"{live.panel.ERRORS}\n\n"
    "- The world is synthetic; the last tab has two real tables.\n"
    "- Choosing α, penalty or steps by private data costs budget, which no figure includes.\n"
    "- One record per person. People with several are less protected; see *Budget*.\n"
    "- This is a simulation, not a tool to release data."
)
tab = functools.partial(live.Tab, page="adaptation", limits=LIMITS)
CONCEPT = Slider("concept", "Concept shift s", steps(0, 2, 0.1))
COVARIATE = Slider("covariate", "Covariate shift c", steps(0, 1.5, 0.1))
PUBLIC = Slider("public", "Public records m", [100, 500, 1000, 2000, 5000, 10_000])
DIMENSION = Slider("dimension", "Dimension d", [2, 5, 10, 20, 50])
SHARE = Slider("alpha", "Share α of the source", steps(0.05, 0.95, 0.05))
PENALTY = Slider("penalty", "Penalty κ₁", [0.001, 0.01, 0.04, 0.1, 0.3, 1.0])
STEPS = Slider("steps", "Steps T of the printed algorithm", [10, 100, 300, 1000, 3000])
BOUND = Slider("norm_bound", "Bound Λ of the coefficients", steps(1, 4, 0.5))
DELTA = Slider("delta", "δ", [1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 0.01])
TUNING = (PENALTY, STEPS, BOUND, DELTA)

Curve = dict[float, Estimate]
deployed = functools.lru_cache(maxsize=128)(deployed_budget)


def promises(values: Values) -> Iterable[Block]:
    """Say at which budgets the printed noise gives less than it promises, where it is used."""
    delta, used = values.number("delta"), values.get("method", "printed") == "printed"
    found = [deployed(e, delta) for e in values.numbers("epsilon") if used and not math.isinf(e)]
    if broken := [x for x in found if not x.valid]:
        each = "; ".join(f"ε = {number(x.nominal)} is really {number(x.epsilon)}" for x in broken)
        yield Note(
            f"**The printed noise breaks its promise**, at δ = {number(delta)}: {each}.", "warning"
        )


def told(estimate: Estimate) -> str:
    """Return a mean with its 95% interval, in bold.

    >>> told(Estimate(0.5, 0.01, 1000))
    '**0.5 (95%: 0.48 to 0.52)**'
    """
    return f"**{words.around(estimate)}**"


def rate_answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    values = progress.request.values
    budgets = [e for e in values.numbers("epsilon") if not math.isinf(e)]
    sizes = sorted(values.numbers("private"))
    if not budgets:
        return "Choose a budget."
    small, large = ends = sizes[0], sizes[-1]
    tight, plain = bcmm.budget_name(min(budgets)), bcmm.PLAIN
    # Ratios of the same draws, whose errors largely cancel.
    near, far = (bcmm.ratio_at(progress, (tight, n), (plain, n)) for n in ends)
    if near is None or far is None:
        return "**Run** compares private fits with none, the target and the source alone."
    text = (
        f"With ε = {number(min(budgets))} the error is {told(near)} times that without privacy at "
        f"n = {small:,.0f}, and {told(far)} times at n = {large:,.0f}."
    )
    found = {p.series: e for p, e in progress.seen() if p.x == small}
    if not (source := found.get(bcmm.SOURCE)):
        return text
    private = {e: found[name] for e in budgets if (name := bcmm.budget_name(e)) in found}
    return (
        f"{text} At n = {small:,.0f} the source alone, free of budget, has error {told(source)} "
        f"{against(source, private)}."
    )


def against(source: Estimate, private: Mapping[float, Estimate]) -> str:
    """Say how the source alone stands against private fits, where the intervals separate.

    >>> good, bad = Estimate(1.0, 0.01, 9), Estimate(2.0, 0.01, 9)
    >>> against(good, {1.0: bad, 3.0: good}), against(good, {1.0: bad})
    ('and is not told apart from the private fit at ε = 3', 'and beats every private fit here')
    >>> against(bad, {3.0: bad, 10.0: good})
    'and is beaten by the private fit at ε = 10'
    """
    # Only where intervals are apart; the rest is said to be open.
    better = [e for e, fit in private.items() if fit.high < source.low]
    unclear = [e for e, fit in private.items() if not source.high < fit.low]
    if not better and not unclear:
        return "and beats every private fit here"
    word = "is beaten by" if better else "is not told apart from"
    which = sorted(better or unclear)
    budgets = ", ".join(number(e) for e in which)
    return f"and {word} the private fit{'s' * (len(which) > 1)} at ε = {budgets}"


def rate_figure(progress: Progress) -> Iterable[Block]:
    """The errors by records."""
    values = progress.request.values
    yield simulation.error_figure(
        progress,
        "Private records n",
        ERRORS[values.word("loss")],
        name="figure_adaptation_rate",
        title=f"Error on the target: {METHODS[values.word('method')].lower()}",
        plain=PLAIN,
        ranked=True,
        caption="Orange: private, darker is stricter. Grey: not private. Bars: 95% intervals.",
    )


def _with_loss(loss: str) -> dict[str, Value]:
    """Labels ±1 have no private minimiser of ours, and steps that take longer."""
    return {"method": "printed", "steps": 200.0 if loss == "logistic" else 1000.0}


def mixture_answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    found: dict[str, Curve] = {}
    for point, estimate in progress.seen():
        found.setdefault(point.series, {})[point.x] = estimate
    if not found:
        return "**Run** fits mixtures of source and target, with and without privacy."
    return f"Smallest error at {'; '.join(f'{name}: {_best(row)}' for name, row in found.items())}."


def _best(curve: Curve) -> str:
    """The share with the smallest error, and those that are not told apart from it."""
    best = min(curve, key=lambda share: curve[share].mean)
    # Where a curve is flat its minimum says little.
    near = [number(a) for a, e in curve.items() if a != best and not bcmm.apart(e, curve[best])]
    flat = f" (not told apart: {', '.join(near)})" if near else ""
    return f"α = **{number(best)}**{flat}"


def mixture_figure(progress: Progress) -> Iterable[Block]:
    """The errors by share."""
    request = progress.request
    series = dict.fromkeys(point.series for point in request.points)
    yield simulation.error_figure(
        progress,
        "Share α of the source",
        ERRORS[request.values.word("loss")],
        name="figure_adaptation_mixture",
        title="Error on the target against the share of the source",
        plain=[name for name in series if name.endswith(bcmm.PLAIN)],
        log="y",
        caption="Shares are told apart where the 95% intervals of their errors do not meet.",
    )


def closeness_answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    values = progress.request.values
    parts = [
        f"the {READINGS[series]} tells a shift from s = **{number(smallest)}** on"
        if math.isfinite(smallest)
        else f"the {READINGS[series]} tells **none** of these shifts"
        for series, smallest in bcmm.readable(progress.request.points, progress.estimates).items()
    ]
    if not parts:
        return "**Run** shows which reading tells a shift from none."
    return (
        f"With n = {values.number('private'):,.0f} and ε = {number(values.number('budget'))}, "
        f"from one private reading: {'; '.join(parts)}."
    )


def closeness_figure(progress: Progress) -> Iterable[Block]:
    """The readings by shift."""
    yield simulation.error_figure(
        progress,
        "Concept shift s",
        "Private reading",
        name="figure_adaptation_closeness",
        title="Mean of two private readings against the shift",
        log="",
        caption="Bars are 95% intervals of the mean; one reading scatters more. It tells a shift "
        "where it errs in 5% of cases of either kind.",
    )


RATE_MORE = (
    *(PUBLIC, DIMENSION, *TUNING),
    *(Listing("private", "n, exact list"), Listing("epsilon", "ε, exact list")),
)
RATE = tab(
    id="rate",
    title="Records",
    usual=live.plan(bcmm.RATE.parameters, replicates=10),
    inputs=(
        Menu("method", "Private algorithm", METHODS),
        Switch("loss", "Labels", LOSSES, then=_with_loss),
        Between("private", "Private records n", STOPS),
        Pills("epsilon", "Budgets ε, one curve each", (10.0, 3.0, 1.0, 0.5, 0.1)),
        SHARE,
        CONCEPT,
        COVARIATE,
        *live.repetition(most=200),
        live.Folded("Public records, tuning, lists", RATE_MORE),
    ),
    experiment=bcmm.RATE,
    auto=True,
    before=lambda request: promises(request.values),
    answer=rate_answer,
    blocks=rate_figure,
    formula=r"\min_{w}\; \alpha\,\frac1m\sum_{i\le m} \ell_i(w)"
    r" + (1-\alpha)\frac1n\sum_{i>m}\ell_i(w)",
    why="With weights that stay where they start, the printed algorithm is noisy descent on this "
    "fixed mixture. Its noise is set by the largest gradient of a record, G = 2r(Λr + 1). "
    "Profiling the weights out bounds that gradient by 2r√κ₁ instead.",
    statements=(
        "BCMM:Eq3:weights",
        "BCMM:Alg1:movement",
        "BCMM:Fig1:approach",
        "BCMM:Fig2:target-only",
    ),
)
MIXTURE = tab(
    id="mixture",
    title="Share of the source",
    inputs=(
        Pills("private", "Private records n", (10_000.0, 1000.0, 100.0)),
        Slider("budget", "Budget ε", decades(-1, 1)),
        CONCEPT,
        COVARIATE,
        Switch("loss", "Labels", LOSSES),
        *live.repetition(most=200),
        live.Folded(
            "Public records, dimension, bounds, δ, exact list",
            (PUBLIC, DIMENSION, BOUND, DELTA, Listing("alpha", "α, exact list")),
        ),
    ),
    experiment=bcmm.MIXTURE_CURVE,
    auto=True,
    answer=mixture_answer,
    blocks=mixture_figure,
    formula=r"\sigma \;\propto\; \frac{(1-\alpha)\,G}{n\,\varepsilon}",
    why="A larger share of the source brings its bias, which no sample size removes; a smaller one "
    "brings privacy noise, which falls like 1/(nε). No rule here finds the best α privately.",
    statements=("BCMM:Lem4.1:sensitivity-w",),
)
CLOSENESS = tab(
    id="closeness",
    title="Is it close?",
    inputs=(
        Slider("private", "Private records n", [50, 100, 200, 500, 1000, 3000, 10_000]),
        Slider("budget", "Budget ε of the reading", decades(-1, 1)),
        Between("concept", "Concept shifts s", (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5)),
        COVARIATE,
        *live.repetition(most=500),
        live.Folded("Public records, dimension, bounds", (PUBLIC, DIMENSION, BOUND)),
    ),
    experiment=bcmm.CLOSENESS,
    auto=True,
    answer=closeness_answer,
    blocks=closeness_figure,
    formula=r"\hat d = \max_{\|w\|\le\Lambda}\;\bigl|\hat L_{priv}(w) - \hat L_{pub}(w)\bigr|",
    why="The discrepancy is a maximum over all coefficients: large by chance even where source and "
    "target are alike, with noise set by the largest loss B. "
    "One number, the private minus the public loss of the public fit with losses cut at 1, has "
    "sensitivity 1/n whatever the dimension.",
    statements=("BCMM:Eq2:sensitivity", "BCMM:Sec4:dca"),
)
