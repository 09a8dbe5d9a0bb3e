"""Tab "Is it close?": three private readings of how far source and target are apart."""

from __future__ import annotations

import math
from collections.abc import Iterable

from pages.adaptation import common, figures
from pages.charts import words
from pages.core import Between, Block, Note, Slider, Table
from pages.core.live import Folded, of_experiment, repetition
from rates.numbers import decades
from sims.adaptation import CLOSENESS, GAP, NEAR, SCALAR, readable, reading_scale
from sims.engine import Progress

NAMES = {
    GAP: "discrepancy over all coefficients",
    NEAR: "discrepancy near the public fit",
    SCALAR: "excess loss of the public fit, one number,",
}


def answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    values = progress.request.values
    found = readable(progress.request.points, progress.estimates)
    if not found:
        scale = reading_scale(GAP, values)
        return (
            f"The noise of the discrepancy has scale **{words.number(scale)}** at this budget. "
            "**Run** shows which reading tells a shift from none."
        )
    parts = []
    for row in found:
        seen = (
            f"a shift from s = **{words.number(row.smallest)}** on"
            if math.isfinite(row.smallest)
            else "**none** of these shifts"
        )
        parts.append(f"the {NAMES[row.series]} tells {seen}")
    return (
        f"With n = {values.number('private'):,.0f} and ε = "
        f"{words.number(values.number('budget'))}, from one private reading: {'; '.join(parts)}."
    )


def drawn(progress: Progress) -> Iterable[Block]:
    """The figure and the table of readings."""
    yield figures.errors(
        progress,
        "figure_adaptation_closeness",
        "Mean of three private readings against the shift",
        "Concept shift s",
        "Private reading",
        log_x=False,
        log_y=False,
    )
    request = progress.request
    found = readable(request.points, progress.estimates)
    scales = [reading_scale(row.series, request.values) for row in found]
    yield Table(
        {
            "Reading": [row.series for row in found],
            "Noise scale": [words.number(scale) for scale in scales],
            "Spread": [words.number(row.spread) for row in found],
            "Smallest s seen": [
                words.number(row.smallest) if math.isfinite(row.smallest) else "none"
                for row in found
            ],
        },
        alt="Noise and spread of the readings, and the smallest shift that one of them tells",
    )
    yield Note(
        "Bars are intervals of the mean; one reading scatters by the spread in the table, chance "
        "and privacy noise together. Seen: with 5 % errors of either kind, for normal readings."
    )


TAB = common.tab(
    name="closeness",
    title="Is it close?",
    usual=of_experiment(CLOSENESS),
    fields=(
        Slider("private", "Private records n", [50, 100, 200, 500, 1000, 3000, 10_000]),
        Slider("budget", "Budget ε of the reading", decades(-1, 1)),
        Between("concept", "Concept shifts s", (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5)),
        common.COVARIATE,
        *repetition(most=500),
        Folded(
            "Public records, dimension, bounds", (common.PUBLIC, common.DIMENSION, common.BOUND)
        ),
    ),
    experiment=CLOSENESS,
    auto=True,
    answer=answer,
    drawn=drawn,
    formula=r"\hat d = \max_{\|w\|\le\Lambda}\;\bigl|\hat L_{priv}(w) - \hat L_{pub}(w)\bigr|",
    why=(
        "The discrepancy is a maximum over all coefficients, so it is large by chance even where "
        "source and target are alike, and its noise is set by B, the largest loss of any of them. "
        "Near the public fit both are smaller. One number, the private minus the public loss of "
        "the public fit with losses cut at 1, has sensitivity 1/n whatever the dimension."
    ),
    statements={
        "BCMM:Eq2:sensitivity": "Sensitivity of the discrepancy",
        "BCMM:Sec4:dca": "How the discrepancy is computed",
    },
)
