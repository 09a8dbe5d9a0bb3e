"""Tab "What theory does not see": sites that differ, and the constant in front of a rate."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from pages.charts import Figure, number, percent, shares, words
from pages.core import Block, Note, Table, Text
from pages.core.live import Plan, plan
from pages.real import found as stored_runs
from pages.real import records
from rates.numbers import DELTA
from sims import real
from sims.engine import Number

BUDGETS = (8.0, 2.0, 1.0, 0.5, 0.25, 0.1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """The parts of the error over budgets, what privacy costs where it is free, and the test."""

    sites: real.Sites
    parts: dict[float, real.Parts]
    free: dict[str, real.Look]
    between: real.Heterogeneity


@records.stored_looks(16)
def _found(sites: real.Sites, delta: float) -> _Found:
    budgets = (math.inf, *BUDGETS)
    return _Found(
        sites=sites,
        parts=dict(zip(budgets, real.causes(sites, budgets, delta), strict=True)),
        free={
            name: real.look(sites, epsilon=epsilon, delta=delta)
            for name, epsilon in real.thresholds(sites).items()
        },
        between=real.heterogeneity(sites),
    )


def _compute(asked: Plan) -> _Found:
    return _found(records.sites(asked.values), asked.values.number("delta"))


def answer(found: _Found) -> str:
    """Return the finding as sentences."""
    half, what = found.free[real.HALF], records.error(found.sites)
    cost = f"There the {what} is **{_times(half)}** that without privacy."
    if math.isnan(half.factor):
        cost = "What privacy costs there, these records cannot tell."
    return (
        f"From ε = **{number(half.epsilon)}** the rate equation takes half of the records for "
        f"unprotected. {cost} {_differ(found)}"
    )


def _differ(found: _Found) -> str:
    named = words.md(found.sites.words["sites"])
    if found.between.outcome.clear:
        return f"The {named} **differ** beyond chance, which no rate here knows of."
    return f"How the {named} differ, sampling explains."


def drawn(found: _Found) -> Iterable[Block]:
    """The parts of the error, and the two tables."""
    yield _parts(found)
    yield stored_runs.free_table(
        [(name, x.epsilon, x.equation, _times(x)) for name, x in found.free.items()],
        "expected",
    )
    tests = (found.between.outcome, found.between.covariate)
    yield Table(
        {
            "Between sites": [one.of.capitalize() for one in tests],
            "Spread beyond sampling": [number(one.spread) for one in tests],
            "Noise of a site": [number(one.noise) for one in tests],
            "F and p": [f"F {one.statistic:.2f}, p {one.chance}" for one in tests],
        },
        "How far sites differ beyond chance, by analysis of variance",
    )
    yield Text(words.md(found.between.words))
    yield Note(
        "Expected errors are exact for a curve; for labels the statistic is taken as normal. "
        "*Slopes* measures them."
    )


def _times(one: real.Look) -> str:
    return "not known" if math.isnan(one.factor) else f"× {number(one.factor)}"


def _parts(found: _Found) -> Figure:
    named = {math.inf: "No privacy"} | {e: f"ε = {number(e)}" for e in BUDGETS}
    told = {e: one for e, one in found.parts.items() if one.total > 0}
    title = "What the error consists of"
    if 1.0 in told:
        differ = percent(max(told[1.0].shares[-1], 0.0))
        title = f"Sites that differ make {differ} of the error at ε = 1"
    return shares.by_cause(
        {named[e]: (one.total, one.shares) for e, one in told.items()},
        title=title,
        caption="Each error over the first, and what it consists of, with the best resolution for "
        "these records. Errors that the truth is too rough to tell are left out.",
    )


TAB = records.tab(
    id="differ",
    title="What theory does not see",
    usual=plan((records.DATA, records.KIND, Number(DELTA, real.USUAL_DELTA)), replicates=2),
    inputs=(records.ask,),
    compute=_compute,
    answer=answer,
    blocks=drawn,
    privacy=real.PRIVACY,
    why="[CCV] draws every site's records from one law; [ACC] lets a site's signal be weaker, on "
    "the same side of one half. The last part of an error is what is left of that: how far the "
    "weighted mean of the sites' own curves is from that of all records. A rate has no constant, "
    "so that it cannot say by how much privacy costs where it calls it free.",
    limits="- An analysis of variance compares means in four parts of the covariate; two curves "
    "that cross within a part may look alike.\n"
    "- The records are what they are: other covariates may explain a difference.",
    statements=("CCV:Lem3.1:constant",),
)
