"""Page: do real private estimators of a curve follow the rate?"""

from __future__ import annotations

import streamlit as st

from pages.parts import shell

shell.route()

from pages.parts import (  # noqa: E402
    live,
    regression_constants,
    regression_estimate,
    regression_levels,
    regression_pointwise,
    regression_rate,
    regression_study,
    regression_weights,
    state,
)
from pages.parts.live_tabs import PARAMETERS, Tabs  # noqa: E402

TITLES = {
    "rate": "Rate",
    "estimate": "Estimate",
    "weights": "Weights",
    "levels": "Level",
    "constants": "Constants",
    "pointwise": "Global and pointwise",
    "study": "My study",
}
SHOWN = {
    "rate": regression_rate,
    "estimate": regression_estimate,
    "weights": regression_weights,
    "levels": regression_levels,
    "constants": regression_constants,
    "pointwise": regression_pointwise,
    "study": regression_study,
}


def main() -> None:
    state.load()
    st.title("Do real private estimators follow the rate?")
    place = st.empty()
    shell.address_notes(*PARAMETERS)
    tabs = Tabs("regression", {name: part.USUAL for name, part in SHOWN.items()})
    tabs.load()
    tab = tabs.bar(TITLES)
    SHOWN[tab].show(tabs, place)
    SHOWN[tab].below()
    tabs.publish()
    state.publish()
    live.go_on()


main()
