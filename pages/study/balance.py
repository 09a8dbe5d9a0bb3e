"""The figures about a study: shares and budgets, and the balance of its rate equation."""

from __future__ import annotations

import functools

import streamlit as st

from pages.charts import Figure, shares
from pages.charts import curves as figures
from pages.core import figure_card, with_lines
from pages.current import state
from rates.answer import balance
from rates.study import Study

_of_study = functools.lru_cache(maxsize=16)(balance)


def show(study: Study, risk: str, *, key: str) -> None:
    """Draw the balance of a study's equation for one error; `key` names the figure's widgets."""
    if not _of_study(study, risk).rows:
        st.caption("No site carries information, so there is nothing to balance.")
        return
    figure_card.show(with_lines(drawn, study, risk), key=key)


def drawn(study: Study, risk: str) -> Figure:
    """Return the balance of a study's equation, in the letters of its paper: r, or D = 1/r."""
    result, transfer = _of_study(study, risk), study.kind == "transfer"
    names = [server.name for server in study.servers]
    low, high = result.log_r[0], result.log_r[-1]
    upper = "Above: each site adds one line, and the answer is where the thick sum passes 1" + (
        f"; to the {'left' if transfer else 'right'} of its diamond a site is bound by privacy."
        if any(low <= kink <= high for kink in result.kinks)  # false for nan
        else "."
    )
    lower = (
        "Below: with the best weights, signal squared over noise is that sum if each site counts "
        "with the larger of its two noises; so these curves meet at the root, and sampling and "
        "privacy noise together are one to two times as large."
    )
    caption = f"{upper} {lower} {_FORMULAS[transfer]}"
    return figures.balance_figure(result, names, transfer=transfer, caption=caption)


_FORMULAS = {
    True: r"Signal squared $(\sum w_j r^{\beta\gamma_j})^2$, sampling noise "
    r"$\sum w_j^2/(n_j r^d)$, privacy noise $\sum w_j^2/(n_j\varepsilon_j r^d)^2$.",
    False: r"Signal squared $D^{-2g}$, the squared bias; sampling noise "
    r"$\sum w_j^2 D/n_j$, privacy noise $\sum w_j^2 D^2/(n_j\varepsilon_j)^2$.",
}


def shares_of(study: Study, risk: str, alike: bool = False) -> Figure:
    """Who carries the answer to one error; where all sites are alike, none is the target."""
    cost = next(cost for cost in state.cost(study) if cost.risk == risk)
    return shares.of_study(study, cost, alike=alike)
