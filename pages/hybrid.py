"""Page: can volunteers stand in for the population?"""

from __future__ import annotations

import streamlit as st

from pages.parts import shell

shell.route()

from pages.parts import (  # noqa: E402
    hybrid_closeness,
    hybrid_learner,
    hybrid_needs,
    hybrid_parity,
    hybrid_run,
    live,
    state,
)
from pages.parts.live_tabs import PARAMETERS, Tabs  # noqa: E402

TITLES = {
    "needs": "Numbers",
    "run": "Private run",
    "alike": "How alike",
    "parity": "PARITY",
    "learner": "Private PARITY",
}
SHOWN = {
    "needs": hybrid_needs,
    "run": hybrid_run,
    "alike": hybrid_closeness,
    "parity": hybrid_parity,
    "learner": hybrid_learner,
}


def main() -> None:
    state.load()
    st.title("Can volunteers stand in for the population?")
    place = st.empty()
    shell.address_notes(*PARAMETERS)
    tabs = Tabs("hybrid", {name: part.USUAL for name, part in SHOWN.items()})
    tabs.load()
    tab = tabs.bar(TITLES)
    SHOWN[tab].above(tabs)
    SHOWN[tab].show(tabs, place)
    SHOWN[tab].below(tabs)
    tabs.publish()
    state.publish()
    live.go_on()


main()
