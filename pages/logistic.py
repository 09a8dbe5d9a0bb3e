"""Page: which sources should a private transfer logistic regression drop?"""

from __future__ import annotations

import streamlit as st

from pages.parts import shell

shell.route()

from pages.parts import (  # noqa: E402
    live,
    logistic_accuracy,
    logistic_meaning,
    logistic_records,
    logistic_sources,
    logistic_table,
    state,
)
from pages.parts.live_tabs import PARAMETERS, Tabs  # noqa: E402

TITLES = {
    "sources": "Which to drop",
    "accuracy": "Does pooling help?",
    "table": "Table 1",
    "meaning": "What ε is that?",
    "records": "My records",
}
SHOWN = {
    "sources": logistic_sources,
    "accuracy": logistic_accuracy,
    "table": logistic_table,
    "meaning": logistic_meaning,
    "records": logistic_records,
}


def main() -> None:
    state.load()
    st.title("Which sources should I drop?")
    place = st.empty()
    shell.address_notes(*PARAMETERS)
    tabs = Tabs("logistic", {name: part.USUAL for name, part in SHOWN.items()})
    tabs.load()
    tab = tabs.bar(TITLES)
    SHOWN[tab].show(tabs, place)
    SHOWN[tab].below()
    tabs.publish()
    state.publish()
    live.go_on()


main()
