"""The figures about a study: shares and budgets, and the balance of a rate equation in letters."""

from __future__ import annotations

import functools

import streamlit as st

from pages.charts import Figure, shares
from pages.charts import balance as figures
from pages.core import figure_card, with_lines
from pages.current import state
from rates.answer import Balance
from rates.answer import sides as curves
from rates.study import Study, TransferStudy

LETTERS = {"ACC": "ACC", "CCV": "CCV", "words": "Words"}
_CHOSEN = "letters_chosen"  # not a widget's key, so that it is kept across pages

_of_study = functools.lru_cache(maxsize=16)(curves.balance)


def show(study: Study, risk: str, *, key: str) -> None:
    """Draw the choice of letters, the figure, and two sentences about it.

    Args:
        study: Whose equation.
        risk: Which error counts.
        key: Widget key of the figure.
    """
    if not _of_study(study, risk).rows:
        st.caption("No site carries information, so there is nothing to balance.")
        return
    letters = _choice(isinstance(study, TransferStudy))
    figure_card.show(with_lines(drawn, study, risk, letters), key=key)


def drawn(study: Study, risk: str, letters: str) -> Figure:
    """Return the balance of a study's equation, in letters of `LETTERS`."""
    result, transfer = _of_study(study, risk), isinstance(study, TransferStudy)
    names = [server.name for server in study.servers]
    caption = _explanation(result, letters, transfer)
    return figures.balance_figure(
        result, names, letters=letters, transfer=transfer, caption=caption
    )


def _choice(transfer: bool) -> str:
    """Let the reader choose the letters; the choice holds on every page of the session."""
    memory = st.session_state
    memory["letters"] = memory.get(_CHOSEN, "ACC" if transfer else "CCV")
    chosen = st.segmented_control(
        "Letters",
        list(LETTERS),
        format_func=LETTERS.__getitem__,
        key="letters",
        required=True,
        on_change=_chosen,
        help="ACC writes r, CCV writes D = 1/r with one dimension and every signal exponent 1; "
        "otherwise both equations are the same.",
        persist_state="session",
    )
    return str(chosen)  # one is required


def _chosen() -> None:
    st.session_state[_CHOSEN] = st.session_state["letters"]


def _explanation(result: Balance, letters: str, transfer: bool) -> str:
    """How to read the upper panel and the lower one, and what is drawn there."""
    side = "left" if figures.in_r(letters, transfer) else "right"
    low, high = result.log_r[0], result.log_r[-1]
    kinks = any(low <= kink <= high for kink in result.kinks)  # false for nan
    upper = "Above: each site adds one line, and the answer is where the thick sum passes 1" + (
        f"; to the {side} of its diamond a site is bound by privacy." if kinks else "."
    )
    lower = (
        "Below: with the best weights, signal squared over noise is that sum if each site counts "
        "with the larger of its two noises; so these curves meet at the root, and sampling and "
        "privacy noise together are one to two times as large."
    )
    return f"{upper} {lower} {_FORMULAS[letters, transfer]}".rstrip()


_FORMULAS = {
    ("words", True): "",
    ("words", False): "",
    ("ACC", True): (
        r"Signal squared $(\sum w_j r^{\beta\gamma_j})^2$, sampling noise "
        r"$\sum w_j^2/(n_j r^d)$, privacy noise $\sum w_j^2/(n_j\varepsilon_j r^d)^2$."
    ),
    ("ACC", False): (
        r"Signal squared $r^{2g}$, sampling noise "
        r"$\sum w_j^2/(n_j r)$, privacy noise $\sum w_j^2/(n_j\varepsilon_j r)^2$."
    ),
    ("CCV", True): (
        r"Signal squared $(\sum w_j D^{-\beta\gamma_j})^2$, sampling noise "
        r"$\sum w_j^2 D^d/n_j$, privacy noise $\sum w_j^2 D^{2d}/(n_j\varepsilon_j)^2$."
    ),
    ("CCV", False): (
        r"Signal squared $D^{-2g}$, the squared bias; sampling noise "
        r"$\sum w_j^2 D/n_j$, privacy noise $\sum w_j^2 D^2/(n_j\varepsilon_j)^2$."
    ),
}


def shares_of(study: Study, risk: str, alike: bool = False) -> Figure:
    """Who carries the answer to one error; where all sites are alike, none is the target."""
    cost = next(cost for cost in state.cost(study) if cost.risk == risk)
    return shares.of_study(study, cost, alike=alike)
