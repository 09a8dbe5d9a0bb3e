"""What stands below a tab: its privacy, why, what it does not say, the printed statements."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from pages.figures.chart import words
from pages.parts.frame import ledger_links


def show(
    why: Callable[[], None],
    limits: str,
    statements: Mapping[str, str],
    *,
    privacy: str,
    more: Callable[[], None] | None = None,
) -> None:
    """Draw the caption and both folds.

    Args:
        why: Draws the reason.
        limits: What the answer leaves open, as a list.
        statements: Statements of the ledger that the tab uses, with their labels.
        privacy: Guarantee and neighbour relation of what is simulated.
        more: Draws what follows the statements.
    """
    st.caption(f"**Privacy.** {words.plain(privacy)}")
    with st.expander("Why"):
        why()
        for name, label in statements.items():
            ledger_links.link(name, label)
        if more is not None:
            more()
    with st.expander("What this does not say"):
        st.markdown(limits)
