"""Both answers over everything that is not known, and what matters most."""

from __future__ import annotations

import functools
from dataclasses import replace

import streamlit as st

from pages.charts import Figure, words
from pages.core import figure_card, lines
from pages.current import state
from pages.fit import pictures as fit_pictures
from pages.fit import words as fit_words
from pages.fit.designs import for_everyone
from rates.fit import SEARCHED, Envelope
from rates.fit import envelope as find
from rates.numbers import DomainError, budgets
from rates.study import Scope, Study

_found = functools.lru_cache(maxsize=64)(find)


def _ranges(scope: Scope) -> Scope:
    """The ranges alone, and whether all sites are alike: the rest of the answers moves nothing."""
    kept = tuple(pair for pair in scope.answers if pair == ("target", "shared"))
    return replace(scope, answers=kept, prevalence=None, records_per_person=None)


def of(study: Study, scope: Scope, chosen: str) -> tuple[Envelope | None, str]:
    """Return the envelope of a study over its ranges, or why there is none."""
    if len(study.servers) > budgets.RANGE_ROWS:
        return None, (
            f"With more than {budgets.RANGE_ROWS:,} rows answers over ranges take minutes and are "
            "not computed here."
        )
    try:
        return _found(study, _ranges(scope), chosen), ""
    except DomainError as refusal:
        return None, str(refusal)


def ranges_drawn(study: Study, scope: Scope, risk: str) -> Figure:
    """Both answers over the ranges of a scope.

    Raises:
        DomainError: There is no answer over them.
    """
    cost = next(c for c in state.cost(study) if c.risk == risk)
    return fit_pictures.of_ranges(_found(study, scope, risk), cost)


def ranking_drawn(study: Study, scope: Scope, risk: str) -> Figure | None:
    """What moves the rate most over the ranges of a scope; None if nothing does.

    Raises:
        DomainError: There is no answer over them.
    """
    return fit_pictures.of_unknowns(study, _found(study, scope, risk))


def intervals(study: Study, found: Envelope) -> None:
    """Show both answers over the ranges: the page's main figure."""
    asked = study, _ranges(state.scope()), found.risk
    figure_card.show(lines.drawn(ranges_drawn, *asked), key="figure_envelope")


def section(study: Study, found: Envelope) -> None:
    """Show the ranking, and what it and the intervals rest on."""
    asked = study, _ranges(state.scope()), found.risk
    if found.missing:
        offer = " A button in section 5 offers a δ." if fit_words.lacks_delta(study) else ""
        st.caption(f"No named mechanism: {words.md(str(found.missing))}{offer}")
    if picture := lines.drawn(ranking_drawn, *asked):
        figure_card.show(picture, key="figure_ranking")
    else:
        st.caption("Nothing is left open, or the rate is 1 over all ranges.")
    _evidence(study, found)


def _evidence(study: Study, found: Envelope) -> None:
    with st.expander("How the ends were found"):
        rate = found.equation.rate
        falls = "the smoothness"
        if found.risk == "classification":
            rises = "" if for_everyone(study, state.scope()) else " and rises with every γ"
            falls = f"β and α{rises}, so its ends lie at two corners of the ranges"
        st.markdown(
            f"- **Rate**: {words.between(rate.low, rate.high)}, up to constants and logarithms; "
            f"{rate.evidence}. It falls with {falls}."
        )
        st.markdown(
            f"- **Sample kept and error against no privacy**: {SEARCHED}, among three "
            "families of parameters in which the ends must lie, on grids that close in. The ends "
            "are attained; that none lies beyond is not proved.\n"
            "- The named mechanism is taken with its bandwidth 1, 2 and 3 times r, and exact "
            "Gaussian noise.\n"
            "- The number of covariates, the sites, their records and budgets are taken as given."
        )
