"""Page: is my public data close enough to help?"""

from __future__ import annotations

import streamlit as st

from pages.parts import shell

shell.route()

from pages.parts import (  # noqa: E402
    adaptation_budget,
    adaptation_closeness,
    adaptation_mixture,
    adaptation_rate,
    adaptation_table,
    adaptation_weights,
    live,
    state,
)
from pages.parts.live_tabs import PARAMETERS, Tabs  # noqa: E402

TITLES = {
    "rate": "Records",
    "mixture": "Share of the source",
    "closeness": "Is it close?",
    "weights": "Weights",
    "budget": "Budget and bounds",
    "table": "Real tables",
}
SHOWN = {
    "rate": adaptation_rate,
    "mixture": adaptation_mixture,
    "closeness": adaptation_closeness,
    "weights": adaptation_weights,
    "budget": adaptation_budget,
    "table": adaptation_table,
}


def main() -> None:
    state.load()
    st.title("Is my public data close enough to help?")
    place = st.empty()
    shell.address_notes(*PARAMETERS)
    tabs = Tabs("adaptation", {name: part.USUAL for name, part in SHOWN.items()})
    tabs.load()
    tab = tabs.bar(TITLES)
    SHOWN[tab].show(tabs, place)
    SHOWN[tab].below()
    tabs.publish()
    state.publish()
    live.go_on()


main()
