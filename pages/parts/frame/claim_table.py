"""The table of what a paper's text claims and what a run says of it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts.frame import tables
from sims.paper_acc import Claim


def show(found: Sequence[Claim], *, note: str = "") -> None:
    """Show claims with their verdicts and the difference that decides each."""
    st.header("What the text says, and this run")
    worst = [min(claim.differences, key=lambda one: one.low, default=None) for claim in found]
    tables.wide(
        {
            "This run": [claim.verdict for claim in found],
            "Claim": [claim.text for claim in found],
            "Smallest difference, points": [
                "none" if one is None else _points(one.mean, one.low, one.high) for one in worst
            ],
            "Where": ["" if one is None else letters(one.where) for one in worst],
            "Note": [claim.note for claim in found],
        },
        alt="Claims of the text with the verdict of this run",
    )
    st.caption(
        "A claim holds if every difference that it calls positive has its interval above 0, and "
        "does not hold if one lies below; otherwise it is inside the noise. The intervals of one "
        f"claim hold together at 95 %. {note}"
    )


def _points(mean: float, low: float, high: float) -> str:
    texts = [f"{100 * x:.1f}".replace("-", "−") for x in (mean, low, high)]
    return f"{texts[0]} ({texts[1]} to {texts[2]})"


def letters(text: str) -> str:
    """Return the text with the papers' letters for gamma and epsilon."""
    return text.replace("gamma", "γ").replace("epsilon", "ε")
