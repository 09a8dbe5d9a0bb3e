"""The page: can columns that never meet be correlated?"""

from __future__ import annotations

from collections.abc import Iterable

from pages.charts import number, simulation, words
from pages.core import Block, Listing, Slider
from pages.core.live import Folded, Tab, page, panel, repetition
from rates import columns
from rates.numbers import decades, steps
from sims.cac import APART, LISTENING, SPLIT
from sims.engine import Progress, fits


def _bends(progress: Progress) -> tuple[float, float]:
    """Where the listener's privacy becomes free, by the rate and by the mechanism."""
    values = progress.request.values
    n, first, rho = values.whole("n"), values.number("epsilon_1"), values.number("rho")
    # A rate has no constants: where the mechanism really bends may be far from it.
    return columns.bend(n), columns.actual_bend(n, first, rho)


def answer(progress: Progress) -> str:
    """Return both answers, and the slopes so far, as sentences."""
    rate, actual = map(number, _bends(progress))
    said = (
        f"The listener's privacy is free from ε₂ = **{rate}** by the rate, **{actual}** by the "
        "mechanism."
    )
    found = [fit for fit in fits(progress.request.points, progress.estimates) if fit.slope]
    slopes = [
        f"{fit.series.lower()} **{words.slope(fit)}** (rate **{words.signed(fit.theory)}**)"
        for fit in found
    ]
    told = f"Slopes: {'; '.join(slopes)}." if slopes else "**Run** simulates both."
    return f"{said} {told}"


def drawn(progress: Progress) -> Iterable[Block]:
    """The errors of both ways over the budget of server 2."""
    yield simulation.rate_figure(
        progress,
        x_title="Budget ε₂: strict → loose",
        y_title="Squared error",
        curve="rate",
        bends={LISTENING: _bends(progress)},
        left_out="Left out",
        title="Apart or listening",
        name="split-columns",
        caption="Upright: the two bends.",
    )


TAB = Tab(
    page="columns",
    id="errors",
    title="Errors",
    experiment=SPLIT,
    auto=True,
    inputs=(
        # Under the figure: what the other server gains rests on this budget.
        Slider("epsilon_1", "Budget ε₁", decades(-1, 1)),
        Slider("n", "People n", [1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000]),
        Folded(
            "Correlation, runs",
            (
                Slider("rho", "Correlation ρ", steps(-0.9, 0.9, 0.1)),
                *repetition(most=200),
                Listing("epsilon_2", "Budgets ε₂ of server 2"),
            ),
        ),
    ),
    answer=answer,
    blocks=drawn,
    formula=r"\frac{1}{n\,(\varepsilon_1\vee\varepsilon_2)^2} \vee "
    r"\frac{1}{n^2\varepsilon_1^2\varepsilon_2^2} \quad\text{one listens}"
    "\n"
    r"\frac{1}{n\varepsilon_1^2} \vee \frac{1}{n\varepsilon_2^2} \quad\text{apart}"
    "\n"
    r"\hat\eta = \frac{c}{n}\sum_i \tilde s_i\,\mathrm{sign}(y_i) + \mathrm{Lap}\Big("
    r"\frac{2c}{n\varepsilon_2}\Big), \quad c = \coth\frac{\varepsilon_1}{2}, \quad"
    r" \hat\rho = \sin\frac{\pi\hat\eta}{2}",
    why="Apart, both servers have to add noise to every batch, and the stricter budget decides. "
    "The one that hears the other's flipped signs adds noise once, to a mean over all people: its "
    "privacy costs 1/n², not 1/n. Between equal budgets the rate sees no gain; the mechanism "
    "errs several times less.",
    limits=f"{panel.ERRORS}\n\n"
    "- Columns are jointly normal with known means and variances. Finding those privately would "
    "cost more.\n"
    "- Rates count a budget above 1 as 1.\n"
    f"- Of *{APART.lower()}* the error is simulated alone; only that of the listener is exact.\n"
    "- Of the article the abstract and the code were read: the rates are as we derive them.\n"
    "- This is a simulation, not a tool to release data.",
    statements=("CAC:Abs:better", "CAC:Rate:free", "CAC:Rate:alike", "CAC:Code:batch"),
)


def draw() -> None:
    """Draw the page."""
    page.show("Can columns that never meet be correlated?", TAB)
