"""Page: does a real private classifier follow the rate?"""

from __future__ import annotations

import streamlit as st

from pages.parts.frame import shell

shell.route()

from pages.parts.classification import draw as classification_draw
from pages.parts.classification import privacy as classification_privacy
from pages.parts.classification import rate as classification_rate
from pages.parts.classification import study as classification_study
from pages.parts.frame import ledger_links
from pages.parts.live import Tabs
from pages.parts.live import page as live_page
from pages.parts.live import panel as live
from pages.parts.paper_acc import adaptive as classification_adaptive
from pages.parts.paper_acc import hospitals as classification_hospitals
from pages.parts.paper_acc import panels as classification_paper

SHOWN = {
    "rate": ("Rate", classification_rate),
    "classifier": ("Classifier", classification_draw),
    "study": ("My study", classification_study),
    "paper": ("Paper figures", classification_paper),
    "adaptive": ("Adaptive", classification_adaptive),
    "hospitals": ("Hospitals", classification_hospitals),
}


def main() -> None:
    live_page.draw(
        "classification", "Does a real private classifier follow the rate?", SHOWN, below=_below
    )


def _below(tab: str, tabs: Tabs) -> None:
    del tabs
    _why()
    _limits(tab)


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
