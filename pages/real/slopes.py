"""Tab "Slopes": the error over budget, records and sites on real records, beside theory."""

from __future__ import annotations

from collections.abc import Iterable

from pages.charts import Figure, number, signed, simulation
from pages.core import Block, Fold
from pages.core.live import panel, plan, repetition
from pages.real import found, records
from sims import real
from sims.engine import Progress

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
    if min(progress.counts) >= 2:
        yield from found.tables(_findings(progress))
    yield Fold("Along records and sites", [_along(progress, axis) for axis in ("n", "m")])


def _along(progress: Progress, axis: str) -> Figure:
    sites = records.of_request(progress.request)
    unit = ", outcome on [-1, 1]" * (sites.kind == "curve")
    return simulation.rate_figure(
        progress,
        names={name: found.NAMES[name] for name in real.ASYMPTOTIC if name.split(",")[0] == axis},
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
