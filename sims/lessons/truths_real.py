"""What is true of the questions about real pupils: the stored run on their records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sims.lessons.records import Question, Truth
from sims.lessons.truths_plain import chosen, exactly

if TYPE_CHECKING:
    from sims.real import Factor, Stored

DATA = "chem97"


def measured() -> Stored:
    """Return the stored run; it is there without the records."""
    from sims.real import stored

    found = stored(DATA)
    assert found is not None
    return found


def factor(name: str) -> Factor:
    """Return what privacy costs from where the equation calls it free for these."""
    return next(one for one in measured().findings.factors if one.name == name)


def pupils(question: Question) -> Truth:
    """What privacy costs where the equation takes half of the pupils for unprotected."""
    from sims.real import HALF

    cost = factor(HALF)
    slopes = {one.series: one.value for one in measured().findings.slopes}
    said = exactly(
        [],
        "",
        factor=cost.value,
        span=(cost.low, cost.high),
        equation=cost.equation,
        budget=slopes["epsilon"],
        records_slope=slopes["n"],
        sites_slope=slopes["m"],
    ).said
    return Truth((cost.low,), (cost.high,), _source(), said, measured().findings.seed)


def doubled(question: Question) -> Truth:
    """From which budget the error is at most twice that without privacy."""
    from sims.real import EVERY, HALF

    costs = [factor(name) for name in (HALF, EVERY)]
    place = next((k for k, one in enumerate(costs) if one.high <= 2.0), len(costs))
    every = costs[-1]
    return chosen(
        question,
        place,
        _source(),
        verdict=f"{question.parts[place]}.",
        factor=every.value,
        span=(every.low, every.high),
    )


def _source() -> str:
    run = measured().findings
    return (
        f"measured on real records: experiment real-sites, {run.replicates} replicates, seed "
        f"{run.seed}, 95% intervals"
    )
