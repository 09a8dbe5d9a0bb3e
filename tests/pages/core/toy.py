"""A page with one record in session and address; tests say what the browser sends."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from pages.core import UrlState, address, controls, inputs, sync_url
from rates.numbers import EPSILON, MARGIN, DomainError
from sims.engine import Choice, Number, Numbers


@dataclass(frozen=True)
class Toy:
    """A record with one setting of every kind; the margin may not exceed the budget."""

    epsilon: float = 1.0
    margin: float = 0.5
    kind: str = "soft"
    sizes: tuple[float, ...] = (1.0, 2.0)

    def __post_init__(self) -> None:
        if self.margin > self.epsilon:
            rule = "The margin may not exceed the budget."
            raise DomainError(rule, field="margin", value=self.margin)


def old(text: str) -> Toy:
    """Read the earlier form: budget and margin with a comma between."""
    epsilon, margin = text.split(",")
    return Toy(epsilon=EPSILON.check(float(epsilon)), margin=MARGIN.check(float(margin)))


TOY = UrlState(
    parameter="toy",
    start=Toy(),
    settings=(
        Number(parameter=EPSILON, default=1.0),
        Number(parameter=MARGIN, default=0.5),
        Choice(name="kind", options=("soft", "hard"), default="soft", help="How hard."),
        Numbers(parameter=replace(EPSILON, name="sizes"), default=(1.0, 2.0)),
    ),
    noun="A toy",
    refused="The toy in the address could not be opened.",
    old=old,
)
FIELDS = (
    controls.Slider("epsilon", "Budget", (0.5, 1.0, 2.0, 4.0)),
    controls.Switch("kind", "Kind", {"soft": "Soft", "hard": "Hard"}),
)


def main() -> None:
    """The page."""
    page = st.navigation([st.Page(_one, title="One")])
    if address.enter(page.url_path):
        inputs.apply_inputs(entered=True)
    inputs.apply_inputs()
    page.run()
    address.rest()


def _one() -> None:
    TOY.load()
    controls.draw(TOY, *FIELDS)
    controls.refusal(TOY, "Nothing was changed.")
    now = TOY.get()
    st.markdown(f"{now.epsilon:g} {now.margin:g} {now.kind}")
    sync_url(TOY)
