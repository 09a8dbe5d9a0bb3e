"""The homogeneous design of the resolution page: kept across pages, and shared by ``?detail=``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pages.charts import resolution as figures
from pages.core import Field, Menu, Part, Slider, Switch, UrlState, choice, controls
from rates.numbers import decades
from rates.resolution import Detail
from rates.resolution import design as details

DETAIL = UrlState(
    parameter="detail",
    start=Detail(),
    settings=(
        *(Part(name, parameter) for name, parameter in details.NUMBERS.items()),
        *(choice(name, options) for name, options in details.CHOICES.items()),
    ),
    noun="A design",
    refused="The design in the address could not be opened.",
    old=details.from_text,
)
_RECORDS = {
    "site": Slider("records", "Records per site n"),
    "total": Slider("records", "Records of all sites N", decades(2, 8, whole=True)),
}


def _held(word: str) -> Mapping[str, Any]:
    """Keep the records that each site has when what is held fixed changes."""
    now = DETAIL.get()
    return {"records": now.n * now.sites if word == "total" else now.n}


VIEW = Switch(
    "view", "Show", {"alike": "One kind of site", "dominating": "Alike or dominating"}, hidden=True
)
_HELD = Switch("held", "Held fixed", {"site": "Records per site", "total": "All records"}, _held)
_ALIKE = (
    Menu("axis", "Horizontal axis", figures.AXES),
    Switch("quantity", "Vertical axis", {"D": "D and level", "rate": "Rate"}),
)
_DOMINATING = (Slider("moved", "Moved to one site, per cent"),)


def ask() -> None:
    """Ask for the design, and say why the last change was not taken, if it was not."""
    now = DETAIL.get()
    fields: tuple[Field, ...] = (
        _HELD,
        Slider("sites", "Number of sites m"),
        _RECORDS[now.held],
        Slider("epsilon", "Budget ε of each site"),
        Slider("smoothness", "Smoothness α"),
        Slider("integrability", "Integrability p"),
        *(_DOMINATING if now.view == "dominating" else _ALIKE),
    )
    controls.draw(DETAIL, *fields)
    controls.refusal(DETAIL, "The design is left as it was.")
