"""The page: is my public data close enough to help?

Here the tabs computed at once, weights of one draw and budgets; and every method on real tables.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from typing import Any

import streamlit as st

from pages import charts, core
from pages.adaptation import runs
from pages.adaptation.runs import BOUND, CONCEPT, COVARIATE, DELTA, PENALTY, SHARE, STEPS, tab
from pages.charts import number, simulation, words
from pages.core import Block, Note, Slider, live
from rates import adaptation, numbers
from rates.numbers import decades
from sims import bcmm
from sims.engine import Number, Progress, Request, Values

_weights = functools.lru_cache(32)(lambda asked: bcmm.weights_look(asked.values, asked.seed))
_alone = functools.lru_cache(256)(adaptation.true_budget)
_GRID = tuple(round(0.25 * 100 ** (k / 24), 3) for k in range(25))


def weights_answer(found: bcmm.WeightsLook) -> str:
    """Return the finding as sentences."""
    return (
        f"The exact minimiser cuts **{words.percent(found.halved)}** of the public records to less "
        "than half of their reference weight. The printed algorithm moves no inverse weight of "
        f"them by more than **{words.percent(found.moved)}**. With the discrepancy set to 0 its "
        f"coefficients change by **{number(found.deaf)}**, the minimiser's by "
        f"**{number(found.hears)}**."
    )


def weights_figure(found: bcmm.WeightsLook) -> Iterable[Block]:
    """The shares of records by their weight over the reference weight."""
    weights = {
        "Public records, exact minimiser": (found.public, ""),
        "Private records, exact minimiser": (found.private, "/"),
        "Public records, printed algorithm": (found.printed, "x"),
    }
    marks = []
    middles = [(k + 0.5) / bcmm.BINS for k in range(bcmm.BINS)]
    for place, (name, (shares, shape)) in enumerate(weights.items()):
        colour = charts.look(place)[0]
        marks.append(charts.bars(middles, shares, name, colour, shape))
    yield charts.plot(
        marks,
        charts.axis("Weight over the reference weight", (0, 1.02)),
        charts.axis("Share of the records", share=True),
        title="The printed weights stay where they start",
        **charts.room(460, 120, 48, charts.SINGLE),
        barmode="group",
        bargap=0.1,
        name="adaptation_weights",
    )


def budget_answer(asked: Values) -> str:
    """Return the finding as sentences."""
    nominal, delta, copies = (asked.number(name) for name in ("budget", "delta", "copies"))
    alone = _alone(nominal, delta)
    person = ""
    if copies > 1:
        real = number(adaptation.person_budget(nominal, delta, copies))
        person = f" Whoever stands behind {number(copies)} records has ε = **{real}**."
    return (
        f"Noise meant for ε = {number(nominal)} at δ = {number(delta)} really gives "
        f"ε = **{number(alone.epsilon, 4)}** by Algorithm 1 alone, which "
        f"{'keeps' if alone.valid else '**breaks**'} its promise (good up to "
        f"{number(adaptation.validity_limit(delta))}), and "
        f"**{number(runs.deployed(nominal, delta).epsilon, 4)}** for the whole procedure.{person}"
    )


def budget_figure(asked: Values) -> Iterable[Block]:
    """True budgets against nominal ones, in logarithms, beside the line of equality."""
    nominal, delta = asked.number("budget"), asked.number("delta")
    grid = sorted({*_GRID, nominal})
    curves = {
        "Algorithm 1 alone": [_alone(e, delta).epsilon for e in grid],
        "whole procedure, half and half": [runs.deployed(e, delta).epsilon for e in grid],
    }
    marks = [charts.line(grid, grid, "as promised", dash="dot", width=1.5)]
    for place, (name, curve) in enumerate(curves.items()):
        colour, symbol, dash = charts.look(place)
        # Every point is there for the pointer; the chosen one can be seen.
        sizes = [11 if x == nominal else 1 for x in grid]
        marker = {"symbol": symbol, "color": colour, "size": sizes}
        # A budget of 0 has no place on a logarithmic axis.
        ys = [y if y > 0 else None for y in curve]
        hover = "nominal %{x:.3g}: really %{y:.3g}"
        marks.append(charts.line(grid, ys, name, colour, dash, 2.5, marker=marker, hover=hover))
    heights = [y for curve in curves.values() for y in curve]
    low = min([y for y in heights if y > 0.02], default=0.02)
    limit = adaptation.validity_limit(delta)
    yield charts.plot(
        marks,
        charts.log_axis("Nominal budget ε", charts.around(grid, 1.1)),
        charts.log_axis("True budget ε", (low / 1.2, max(heights + grid) * 1.2)),
        title="True against nominal budget",
        **charts.room(460, 110, 48, charts.SINGLE),
        shapes=[charts.upright(limit, colour=charts.GREY, width=1.5)],
        caption="Above the dotted diagonal the promise is broken. The dotted upright line is where "
        "Algorithm 1 starts to break it; the larger marks are the budget chosen.",
        name="adaptation_budget",
    )


WEIGHTS = tab(
    id="weights",
    title="Weights",
    usual=live.plan(bcmm.WEIGHTS_SETTINGS, replicates=2, gone=("start",)),
    inputs=(
        Slider("public", "Public records m", [100, 300, 1000, 3000, 5000]),
        Slider("private", "Private records n", [50, 100, 200, 500, 1000, 5000]),
        CONCEPT,
        COVARIATE,
        SHARE,
        PENALTY,
        STEPS,
        live.seed("Draw"),
        live.Folded(
            "Budget, bound, δ", (Slider("budget", "Budget ε", decades(-1, 1)), BOUND, DELTA)
        ),
    ),
    compute=_weights,
    answer=weights_answer,
    blocks=weights_figure,
    privacy="Neighbours differ by replacing one private record; the public sample is not "
    "protected. Nothing on this tab is private as a whole: the exact minimiser and the discrepancy "
    "read the private sample without noise. The printed descent adds noise meant for (ε/2, δ), "
    "which for a large ε gives less.",
    formula=r"\frac{|u_T - u_0|}{m/\alpha} \le \frac{\alpha\sqrt T}{m^{3/2}}"
    "\n"
    r"\frac{q_i^*}{a_i} = \min\bigl(1, \sqrt{\kappa_1/(\ell_i + \hat d\,1_{i\le m})}\bigr)",
    why="An inverse weight starts at m/α, but a step moves it by at most 1/√(mT). So the weights "
    "stay at the start, and the discrepancy, which only acts through them, acts on nothing. The "
    "best weights need no descent: for given coefficients they have a closed form.",
    limits="- One draw of the synthetic world in ten dimensions.\n"
    "- The minimum is over coefficients and weights of (6) without its last two penalties.\n"
    "- This is a simulation, not a tool to release data.",
    statements=(
        "BCMM:Alg1:movement",
        "BCMM:Eq6:profile",
        "BCMM:Eq3:weights",
        "BCMM:Thm4.3:condition",
    ),
)
BUDGET = tab(
    id="budget",
    title="Budget",
    usual=live.plan(
        (
            Number(adaptation.BUDGET.within("(0, 100)", name="budget"), 10.0),
            Number(numbers.DELTA, 0.01),
            Number(adaptation.COPIES, 1.0),
        ),
        replicates=2,
        gone=("public", "private", "dimension", "steps", "alpha", "norm_bound"),
    ),
    inputs=(
        Slider("budget", "Nominal budget ε", [0.5, 1, 2, 5, 7.5, 8.9, 10, 15, 20]),
        DELTA,
        Slider("copies", "Records per person", [1, 2, 4, 8, 16]),
    ),
    compute=lambda asked: asked.values,
    answer=budget_answer,
    blocks=budget_figure,
    privacy="Neighbours differ by replacing one private record. Algorithm 1 alone spends ε; the "
    "whole procedure spends ε/2 on the discrepancy and ε/2 on Algorithm 1.",
    formula=r"\mu = \sqrt{2T}\cdot\frac{s_j}{\sigma_j} = \frac{\varepsilon}{\sqrt{2\log(3/\delta)}}"
    "\n"
    r"\delta(e) = \Phi(\tfrac\mu2 - \tfrac e\mu) - e^e\,\Phi(-\tfrac\mu2 - \tfrac e\mu)",
    why="All T steps together are one normal release at distance μ, in which T cancels. Its exact "
    "profile gives the true ε at δ; the Laplace release of the discrepancy is averaged over its "
    "privacy loss. For small ε the printed noise is up to twice as large as needed, for large ε "
    "too small.",
    limits="- The true budget is that of the noise as printed, for samples that attain the "
    "sensitivities in every step; no sample is protected less.\n"
    "- Tuning on private data is not counted.",
    statements=(
        "BCMM:Thm4.2:privacy",
        "BCMM:Sec4:halves",
        "BCMM:AppE:copies",
        "BCMM:Thm4.2:bound",
    ),
)


# Real tables ----------------------------------------------------------------------------------

DATA = {
    "diabetes": "Diabetes: high body mass index",
    "breast cancer": "Breast cancer: large radius",
}
SHORT = {
    "descent": "descent on the target",
    "printed": "printed algorithm",
    "profiled": "our minimiser",
    "mixed descent": "descent on the mixture",
    "target": "target alone",
    "source": "source alone",
    "mixture": "mixture",
    "exact": "exact minimiser",
}
OWN = core.Upload(
    "adaptation_own",
    "Your own table: columns domain, label and features",
    bcmm.read_table,
    'domain is "public" or "private"; labels lie in [-1, 1] or have two values. It stays in this '
    "session, is not in the link, and nothing of it is released.",
    ("csv",),
)
_with = core.of_visitor(8)(bcmm.with_table)


def _choose(source: live.Open) -> None:
    """One of the tables, or the way back to them."""
    if OWN.now() is None:
        core.Menu("data", "Table", DATA).draw(source)
    else:
        st.info("**Your own table** is in use.", icon=":material/table:")
        core.button("Back to the tables of the page", "adaptation_own_drop", OWN.drop)


def made(asked: live.Plan) -> Request:
    """Return the run on the table in use."""
    table = OWN.now()
    if table is not None:
        # An own table is not one of the known ones, whose name the experiment would look up.
        values = Values({name: v for name, v in asked.values.items() if name != "data"})
        return asked.request(_with(table), values)
    if not bcmm.have_tables():
        raise live.Missing(
            "These tables need **scikit-learn**, which is not installed here. Upload your own."
        )
    return asked.request(bcmm.TABLE)


def _used(request: Request) -> bcmm.Domains:
    name = request.values.get("data")
    table = OWN.now() if name is None else bcmm.known(str(name))
    assert table is not None
    return table


def before(request: Request) -> Iterable[Block]:
    """What is known of the table, and what its privacy does not give."""
    used = _used(request)
    yield Note(f"**{words.md(used.name)}.** {words.md(used.note)}")
    yield from runs.promises(request.values)


def job(request: Request) -> dict[str, Any]:
    """A run on one's own table is told from others and repeated by lines of Python."""
    if "data" in request.values:
        return {}
    imports = ["from sims.bcmm import read_table, with_table"]
    lines = live.repeat_lines(
        request, imports, "with_table(table)", 'table = read_table(Path("table.csv").read_bytes())'
    )
    return {"key": f"adaptation_table_own_{OWN.count()}", "repeat": lines}


def answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    seen = [(p.series, p.x, e) for p, e in progress.seen()]
    private = [row for row in seen if row[0] in bcmm.PRIVATE_ROWS]
    source = next((e for name, _, e in seen if name == "source"), None)
    if not private or source is None:
        return "**Run** fits every method and tests on held-out people."
    # At the loosest budget a private fit has its best chance.
    largest = max(x for _, x, _ in private)
    fits = {name: e for name, x, e in private if x == largest}
    name = min(fits, key=lambda fit: fits[fit].mean)
    best = fits.pop(name)
    near = [SHORT[other] for other, e in fits.items() if not bcmm.apart(e, best)]
    unclear = f", not told apart from {words.names(near)}" if near else ""
    return (
        f"At ε = {number(largest)} the private fit with the smallest mean error is {SHORT[name]}, "
        f"with {runs.told(best)}{unclear}. The source alone, which costs no budget, has "
        f"{runs.told(source)}."
    )


def drawn(progress: Progress) -> Iterable[Block]:
    """The figure of the private fits and the table of all."""
    yield simulation.error_figure(
        progress,
        "Budget ε",
        runs.ERRORS[_used(progress.request).loss],
        name="figure_adaptation_table",
        title="Error on held-out people of the target",
        names={name: SHORT[name] for name in bcmm.PRIVATE_ROWS},
    )
    fits = {}
    for point, found in progress.seen():
        budget = point.settings.number("budget")
        of = "" if math.isinf(budget) else f", ε = {number(budget)}"
        fits[f"{SHORT[point.series]}{of}"] = words.around(found)
    yield core.Table(
        {"Fit": list(fits), "Error (95%)": list(fits.values())},
        alt="Errors of every method with their intervals",
    )
    yield Note("Rows without a budget are not private; the source alone uses no private record.")


TAB = tab(
    id="table",
    title="Real tables",
    alone=lambda: OWN.now() is None,
    usual=live.of_experiment(bcmm.TABLE),
    inputs=(
        _choose,
        core.Pills("epsilon", "Budgets ε", (10.0, 3.0, 1.0, 0.3)),
        SHARE,
        Slider("private", "Private records n (0: all)", [0, 50, 100, 300, 1000, 5000]),
        *live.repetition(most=200),
        live.Folded("Penalty, steps, bound, δ", runs.TUNING),
        lambda source: OWN.draw(),
    ),
    compute=made,
    before=before,
    job=job,
    answer=answer,
    blocks=drawn,
    privacy=bcmm.TABLE.privacy,
    formula=r"x \mapsto \frac{x - \bar x_{pub}}{s_{pub}\sqrt{2p}}, \qquad \|x\| \le 1",
    why="Features are scaled by the public records, so nothing private is used before the noise; "
    "rows longer than 1 are shortened. A third of the target is the test, drawn anew each time.",
    statements=("BCMM:Sec1:outperform", "BCMM:AppE:tuning"),
)
TABS = (runs.RATE, runs.MIXTURE, runs.CLOSENESS, WEIGHTS, BUDGET, TAB)


def draw() -> None:
    """Draw the page."""
    live.page.show("Is my public data close enough to help?", *TABS)
