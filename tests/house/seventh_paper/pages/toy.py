"""The view: what a private mean costs."""

from __future__ import annotations

from collections.abc import Iterable

from sims.toy import MEAN

from pages.charts import words
from pages.core import Block, Slider, Table
from pages.core.live import Tab, of_experiment, page, repetition
from rates.numbers import decades
from sims.engine import Progress


def answer(progress: Progress) -> str:
    """Return the finding so far."""
    point = progress.request.points[-1]
    assert point.exact is not None
    return f"At n = {words.number(point.x)} the mean errs by **{words.number(point.exact)}**."


def drawn(progress: Progress) -> Iterable[Block]:
    """The simulated errors."""
    yield Table(
        {
            "n": [words.number(point.x) for point in progress.request.points],
            "Squared error": [words.number(e.mean) for e in progress.estimates],
        },
        alt="Squared errors",
    )


TAB = Tab(
    page="toy",
    id="mean",
    title="A mean",
    usual=of_experiment(MEAN),
    inputs=(Slider("epsilon", "Budget ε", decades(-1, 1)), *repetition(most=200)),
    experiment=MEAN,
    auto=True,
    answer=answer,
    blocks=drawn,
    privacy=MEAN.privacy,
    formula=r"\frac{1}{4n} + \frac{2}{n^2\varepsilon^2}",
    why="Counting costs one, noise two.",
    limits="- Coins are fair.",
    statements={"TOY:Sec1:noise": "The price of a private mean"},
)


def draw() -> None:
    """Draw the view."""
    page.show("What does a private mean cost?", TAB)
