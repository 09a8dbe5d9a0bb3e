"""Tab "How alike": the error after reweighting against the share of volunteers alike, live."""

from __future__ import annotations

from collections.abc import Iterable

from pages.charts import words
from pages.core import Between, Block, Listing
from pages.core.live import Folded, of_experiment, repetition
from pages.hybrid import common, figures
from sims.engine import Progress
from sims.hybrid import CLOSENESS, POOLED, REWEIGHTED, privacy_of, setup_of

_LEAST = 5  # replicates before a difference is told


def answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    request = progress.request
    seen = {(p.series, p.x): e for p, e in progress.seen(min(_LEAST, request.replicates))}
    # A pair counts where both series have an interval and those do not meet.
    better = [
        x
        for x in sorted({p.x for p in request.points})
        if (REWEIGHTED, x) in seen
        and (POOLED, x) in seen
        and seen[REWEIGHTED, x].interval()[1] < seen[POOLED, x].interval()[0]
    ]
    if not seen:
        return "**Run** compares reweighting with one learner without weights, at each share."
    if not better:
        return (
            "At **no** share so far does reweighting lower the error beyond the 95 % intervals. "
            "Move the range, or give it more rounds."
        )
    best = min(better, key=lambda x: seen[REWEIGHTED, x].mean)
    one, other = seen[REWEIGHTED, best], seen[POOLED, best]
    return (
        f"Reweighting lowers the error at shares from **{words.number(better[0])}** to "
        f"**{words.number(better[-1])}**, that is X from {words.number(1 / better[-1])} to "
        f"{words.number(1 / better[0])}. At {words.number(best)} it errs by "
        f"**{words.around(one, words.percent)}**, one learner without weights by "
        f"**{words.around(other, words.percent)}**."
    )


def drawn(progress: Progress) -> Iterable[Block]:
    """The figure."""
    request = progress.request
    setup = setup_of(request.values.changed(share=request.points[0].x))
    yield figures.sweep(
        progress,
        "alike",
        "Error with and without weights",
        "Share of volunteers like the population",
        "Error on the population",
        setting="share",
        letter="ρ",
        level=setup.threshold,
        caption=f"The dashed line is the test at which a run ends, {3 if setup.private else 2} α. "
        "X = 1/ρ. Mean over runs with 95 % Monte-Carlo intervals.",
    )


TAB = common.tab(
    name="alike",
    title="How alike",
    usual=of_experiment(CLOSENESS),
    fields=(
        Between(
            "share", "Range of the share ρ", (0.01, 0.03, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
        ),
        *common.RUN,
        *repetition(most=200),
        Folded(
            "Sample, users, accuracy, exact list",
            (*common.TESTS, Listing("share", "ρ, exact list")),
        ),
    ),
    experiment=CLOSENESS,
    auto=True,
    answer=answer,
    drawn=drawn,
    privacy=lambda asked: privacy_of(asked.values),
    formula=r"S = \rho\,T + (1-\rho)\,Q, \qquad X = \sup w = 1/\rho",
    why=(
        "The two clusters have opposite labels, so for ρ < 1/2 the best rule for the "
        "volunteers is the wrong one for the population. No amount of volunteers repairs "
        "this; the users' tests do."
    ),
    limits=(
        "- Where half of the volunteers or more are like the population, a learner without weights "
        "is right for the majority anyway, and reweighting has nothing to repair.\n"
        "- The number of volunteers and the density stay the same along the axis, so for a small "
        "share the cut of large weights holds the good cluster down: a smaller κ needs more "
        "volunteers for the same budget.\n"
        "- Bars are Monte-Carlo intervals of 95 % over runs. The scatter of single runs is larger. "
        "Where all runs agree, a bar allows for an outcome that none of them had.\n"
        "- Near the share at which reweighting begins to fail, a run ends either well or badly. Of "
        "a few runs none may be a bad one: bars there cover the mean less often than in 95 % of "
        "cases, and more replicates are the remedy."
    ),
    statements={"KS:Sec1:baseline": "When a small error on volunteers is enough"},
)
