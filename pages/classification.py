"""Page: does a real private classifier follow the rate?"""

from __future__ import annotations

import streamlit as st

from pages.parts import shell

shell.route()

from pages.parts import (  # noqa: E402
    classification_adaptive,
    classification_draw,
    classification_hospitals,
    classification_paper,
    classification_privacy,
    classification_rate,
    classification_study,
    ledger_links,
    live,
    state,
)
from pages.parts.live_tabs import PARAMETERS, Tabs  # noqa: E402

TITLES = {
    "rate": "Rate",
    "classifier": "Classifier",
    "study": "My study",
    "paper": "Paper figures",
    "adaptive": "Adaptive",
    "hospitals": "Hospitals",
}
SHOWN = {
    "rate": classification_rate,
    "classifier": classification_draw,
    "study": classification_study,
    "paper": classification_paper,
    "adaptive": classification_adaptive,
    "hospitals": classification_hospitals,
}


def main() -> None:
    state.load()
    st.title("Does a real private classifier follow the rate?")
    place = st.empty()
    shell.address_notes(*PARAMETERS)
    tabs = Tabs("classification", {name: part.USUAL for name, part in SHOWN.items()})
    tabs.load()
    tab = tabs.bar(TITLES)
    SHOWN[tab].show(tabs, place)
    _why()
    _limits(tab)
    tabs.publish()
    state.publish()
    live.go_on()


def _why() -> None:
    with st.expander("Why: the classifier, its rate and its risk"):
        classification_draw.why()
        classification_rate.why()
        ledger_links.used("classification")


def _limits(tab: str) -> None:
    with st.expander("What this does not say"):
        st.markdown(live.ERRORS)
        st.markdown(
            f"- {classification_privacy.OF_TAB[tab]}\n"
            "- One classifier on one world. A rate is about the worst world of a class and the "
            "best estimator; that this one follows it here proves neither half.\n"
            "- Rates hold up to constants and logarithms. C is fitted, not predicted, and differs "
            "between curves.\n"
            "- Bandwidth and weights are taken from the theory, which knows β, γ and α. Without "
            "them a rule has to choose, at a price.\n"
            "- A fitted slope is a statement about the range that was simulated. Where the curve "
            "bends, it is compared with the calibrated curve over the same points, not with an "
            "asymptote.\n"
            "- No slope is shown for the paper's own two-dimensional design: it is symmetric and "
            "far from its asymptote at every size that can be simulated.\n"
            "- This is a simulation, not a tool to release data."
        )


main()
