"""Tabs "Slopes" and "What theory does not see": the errors on real records, and their constant."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from pages.charts import Figure, number, percent, shares, signed, simulation, words
from pages.core import Block, Fold, Note, Text, kept_for
from pages.core.live import panel, plan, repetition
from pages.real import records
from rates.numbers import DELTA
from sims import real
from sims.engine import Number, Progress

_AXES = {
    "epsilon": "Budget ε of every site",
    "n": "Mean records of a site",
    "m": "Sites that take part",
}


def _findings(progress: Progress) -> real.Findings:
    return real.findings(progress, records.of_request(progress.request))


def answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    sites = records.of_request(progress.request)
    if not progress.done:
        return f"**Run** measures the slopes on {records.who(sites)}."
    seen = _findings(progress)
    # A slope needs two points within its window.
    told = [
        f"{real.SERIES[one.series]} **{signed(one.value)}** against **{signed(one.asymptotic)}**"
        for one in seen.slopes
        if one.used > 1
    ]
    free = next(one for one in seen.factors if one.name == real.HALF)
    factor = f" Where the equation calls privacy free for {free.name}, at ε = **"
    factor += f"{number(free.epsilon)}**, the error is **× {number(free.value)}**."
    return f"Slopes on {records.who(sites)}: {'; '.join(told)}.{factor * (free.value > 0)}"


def drawn(progress: Progress) -> Iterable[Block]:
    """The error along the budget, the tables, and the error along records and sites."""
    yield _along(progress, "epsilon")
    # Nor has one replicate an interval.
    if min(progress.counts) >= 2:
        yield from records.tables(_findings(progress))
    yield Fold("Along records and sites", [_along(progress, axis) for axis in ("n", "m")])


def _along(progress: Progress, axis: str) -> Figure:
    sites = records.of_request(progress.request)
    # Outcomes are scaled; unsaid, an error would be read in points of an exam.
    unit = ", outcome on [-1, 1]" * (sites.kind == "curve")
    return simulation.rate_figure(
        progress,
        names={name: records.NAMES[name] for name in real.ASYMPTOTIC if name.split(",")[0] == axis},
        x_title=_AXES[axis],
        y_title=records.first(records.error(sites)) + unit,
        curve="mechanism's equation",
        left_out="Outside the window",
        title=f"{_AXES[axis].split(' ')[0]} and error on real records",
        name=f"real-{axis}",
    )


TAB = records.tab(
    id="slopes",
    title="Slopes",
    usual=plan(
        (records.KIND, records.DATA, *(x for x in real.REAL.parameters if x.name != "data")),
        replicates=real.REAL.replicates,
    ),
    inputs=(records.ask, *repetition(most=200)),
    experiment=real.REAL,
    compute=records.request,
    answer=answer,
    blocks=drawn,
    auto=True,
    job=records.job,
    limits=f"{panel.ERRORS}\n\n"
    "- The window of each slope was written down before any was looked at: privacy makes three "
    "quarters of the variance, or there is none; the resolution is neither coarse nor as fine as "
    "the truth; the error lies between what the truth cannot tell and that of a flat guess.\n"
    "- Records are drawn with replacement from a site's own: they stand for the law they come "
    "from.\n"
    "- A slope that disagrees is about these records and this estimator. It refutes no theorem.",
    statements=("CCV:Lem3.1:constant",),
)


# Sites that differ, and the constant in front of a rate -------------------------------------------

BUDGETS = (8.0, 2.0, 1.0, 0.5, 0.25, 0.1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """The parts of the error over budgets, what privacy costs where it is free, and the test."""

    sites: real.Sites
    parts: dict[float, real.Parts]
    half: real.Look
    between: real.Heterogeneity


@kept_for(16, records.private)
def _found(sites: real.Sites, delta: float) -> _Found:
    budgets = (math.inf, *BUDGETS)
    return _Found(
        sites=sites,
        parts=dict(zip(budgets, real.causes(sites, budgets, delta), strict=True)),
        half=real.look(sites, epsilon=real.thresholds(sites)[real.HALF], delta=delta),
        between=real.heterogeneity(sites),
    )


def differ_answer(found: _Found) -> str:
    """Return the finding as sentences."""
    half, what = found.half, records.error(found.sites)
    cost = f"There the {what} is **× {number(half.factor)}** that without privacy."
    if math.isnan(half.factor):
        cost = "What privacy costs there, these records cannot tell."
    named = words.md(found.sites.words["sites"])
    differ = f"How the {named} differ, sampling explains."
    if found.between.clear:
        differ = f"The {named} **differ** beyond chance, which no rate here knows of."
    return (
        f"From ε = **{number(half.epsilon)}** the rate equation takes half of the records for "
        f"unprotected. {cost} {differ}"
    )


def differ_drawn(found: _Found) -> Iterable[Block]:
    """The parts of the error, and how sites differ."""
    yield _parts(found)
    yield Text(words.md(found.between.told(found.sites)))
    yield Note(
        "Expected errors are exact for a curve; for labels the statistic is taken as normal. "
        "*Slopes* measures them."
    )


def _parts(found: _Found) -> Figure:
    named = {math.inf: "No privacy"} | {e: f"ε = {number(e)}" for e in BUDGETS}
    # What the truth itself is not known to has no parts.
    told = {e: one for e, one in found.parts.items() if one.total > 0}
    title = "What the error consists of"
    if 1.0 in told:
        # The share of what is left over, which chance can make negative.
        differ = percent(max(told[1.0].shares[-1], 0.0))
        title = f"Sites that differ make {differ} of the error at ε = 1"
    return shares.by_cause(
        {named[e]: (one.total, one.shares) for e, one in told.items()},
        title=title,
        caption="Each error over the first, and what it consists of, with the best resolution for "
        "these records. Errors that the truth is too rough to tell are left out.",
    )


DIFFER = records.tab(
    id="differ",
    title="What theory does not see",
    usual=plan((records.DATA, records.KIND, Number(DELTA, real.USUAL_DELTA)), replicates=2),
    inputs=(records.ask,),
    compute=lambda asked: _found(records.sites(asked.values), asked.values.number("delta")),
    answer=differ_answer,
    blocks=differ_drawn,
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
