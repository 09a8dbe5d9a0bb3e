"""Page: how large are n numbers?"""

from __future__ import annotations

from dataclasses import dataclass

from pages import charts
from pages.core import Section, Slider, Text, UrlState, presenter, sync_url
from rates.numbers import EPSILON
from sims.engine import Number


@dataclass(frozen=True)
class Toy:
    """What is asked."""

    epsilon: float = 1.0


TOY = UrlState(parameter="toy", start=Toy(), settings=(Number(parameter=EPSILON, default=1.0),))


def figure(toy: Toy) -> charts.Figure:
    """Return the figure of a budget."""
    rows = [{"budget": x, "twice": 2 * x} for x in (toy.epsilon, 2 * toy.epsilon)]
    line = charts.line([row["budget"] for row in rows], [row["twice"] for row in rows], "twice")
    return charts.plot([line], charts.axis("ε"), {}, rows, title="Twice", name="twice")


SECTION = Section(
    id="toy",
    title="Twice",
    inputs=(Slider("epsilon", "Budget ε", (0.5, 1.0, 2.0)),),
    compute=figure,
    blocks=lambda result: [Text(f"At {result.rows[0]['budget']:g} it begins."), result],
)


def draw() -> None:
    """Draw the page."""
    presenter.title("How much is twice?")
    TOY.load()
    SECTION.show(TOY.get(), TOY)
    sync_url(TOY)
