"""Tab "Slopes": the error over budget, records and sites on real records, beside theory."""

from __future__ import annotations

from collections.abc import Iterable

from pages.charts import Figure, between, number, signed, simulation
from pages.core import Block, Fold, Note, Table
from pages.core.live import panel, plan, repetition
from pages.real import records
from sims import real
from sims.engine import Progress

_AXES = {
    "epsilon": "Budget ε of every site",
    "n": "Mean records of a site",
    "m": "Sites that take part",
}
NAMES = {name: records.first(words) for name, words in real.SERIES.items()}


def _findings(progress: Progress) -> real.Findings:
    return real.findings(progress, records.of_request(progress.request))


def answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    sites = records.of_request(progress.request)
    if not progress.done:
        return f"**Run** measures the slopes on {records.who(sites)}."
    found = _findings(progress)
    told = [
        f"{NAMES[one.series].lower()} **{signed(one.measured.value)}** against "
        f"**{signed(one.asymptotic)}**"
        for one in found.slopes
        if one.measured
    ]
    free = found.factors[1]
    factor = f" Where the equation calls privacy free for {free.name}, at ε = **"
    factor += f"{number(free.epsilon)}**, the error is **× {number(free.value)}**."
    return f"Slopes on {records.who(sites)}: {'; '.join(told)}.{factor * (free.value > 0)}"


def drawn(progress: Progress) -> Iterable[Block]:
    """The error along the budget, the tables, and the error along records and sites."""
    yield _along(progress, "epsilon")
    yield from tables(_findings(progress))
    yield Fold("Along records and sites", [_along(progress, axis) for axis in ("n", "m")])


def _along(progress: Progress, axis: str) -> Figure:
    labels = records.of_request(progress.request).kind == "classification"
    return simulation.rate_figure(
        progress,
        names={name: NAMES[name] for name in real.ASYMPTOTIC if name.split(",")[0] == axis},
        x_title=_AXES[axis],
        y_title="Excess risk" if labels else "Squared error, outcome on [-1, 1]",
        curve="mechanism's equation",
        left_out="Outside the window",
        title=f"{_AXES[axis].split(' ')[0]} and error on real records",
        name=f"real-{axis}",
    )


def tables(found: real.Findings) -> Iterable[Block]:
    """The slopes beside theory, and what privacy costs where the equation calls it free."""
    yield Table(
        {
            "Slope in": [NAMES[one.series] for one in found.slopes],
            "measured, 95%": [_measured(one) for one in found.slopes],
            "mechanism": [signed(one.mechanism) for one in found.slopes],
            "far out": [signed(one.asymptotic) for one in found.slopes],
            "verdict": [one.verdict for one in found.slopes],
        },
        "Measured slopes with 95% intervals beside those of theory",
    )
    yield Note(
        "Of the mechanism's own equation over the same points; far out, where one term decides. "
        "A slope agrees where its interval meets what lies between the two."
    )
    for one in found.slopes:
        if one.argument:
            yield Note(f"**{NAMES[one.series]}.** {one.argument}")
    yield Table(
        {
            "Privacy is free for": [one.name.capitalize() for one in found.factors],
            "from ε": [number(one.epsilon) for one in found.factors],
            "error there, equation": [f"× {number(one.equation)}" for one in found.factors],
            "measured, 95%": [
                f"× {number(one.value)} ({between(one.low, one.high)})" if one.value > 0 else "-"
                for one in found.factors
            ],
        },
        "Error over that without privacy, at the budgets from which the equation calls it free",
    )


def _measured(one: real.Slope) -> str:
    if one.measured is None:
        return "-"
    low, high = signed(one.measured.low), signed(one.measured.high)
    return f"{signed(one.measured.value)} ({low} to {high})"


TAB = records.tab(
    id="slopes",
    title="Slopes",
    usual=plan((records.KIND, *real.REAL.parameters), replicates=real.REAL.replicates),
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
