"""Both answers over everything that is not known, and what matters most."""

from __future__ import annotations

import functools
from dataclasses import replace

import streamlit as st

from pages.figures import envelope as figures
from pages.parts import figure_card, fit_words, state, verdict, words
from rates.cost import Cost
from rates.envelope import SEARCHED, Envelope
from rates.envelope import envelope as find
from rates.parameters import DomainError
from rates.scenario import Study, TransferStudy
from rates.scope import Scope

RISKS = {"integrated": "Over the whole curve", "pointwise": "At one point"}

_found = functools.lru_cache(maxsize=64)(find)


def risk() -> str:
    """Which error counts: chosen for a curve, the only one for a classifier."""
    if isinstance(state.current(), TransferStudy):
        return "classification"
    return st.segmented_control(
        "Error that counts",
        list(RISKS),
        default="integrated",
        format_func=RISKS.__getitem__,
        key="fit_risk",
        on_change=state.touch,
        required=True,
    )


def result(study: Study, chosen: str) -> tuple[Envelope | None, str]:
    """Return the envelope of a study, or why there is none."""
    ranges: Scope = replace(state.scope(), answers=(), prevalence=None, records_per_person=None)
    try:
        return _found(study, ranges, chosen), ""
    except DomainError as refusal:
        return None, str(refusal)


def section(study: Study, found: Envelope) -> None:
    """Show the intervals, the ranking, and what they rest on."""
    cost = next(c for c in state.costs() if c.risk == found.risk)
    figure_card.show(
        figures.figure(found, _here(cost), title=_title(found)),
        key="figure_envelope",
        caption="From the best to the worst case over the ranges. The grey stroke is the answer "
        "for the parameters of the Study page. Sample kept: what the records are worth, as a "
        "fraction of their worth without privacy. Both axes are logarithmic.",
        alt=figures.alt(found),
        csv_rows=figures.csv_rows(found),
        file_name="ranges",
    )
    if found.missing:
        st.caption(f"No named mechanism: {words.md(str(found.missing))}")
    transfer = isinstance(study, TransferStudy)
    moving = [e for e in found.effects if e.log_range > 0]
    if moving:
        names = [fit_words.unknown(e, transfer=transfer, plain=True) for e in moving]
        figure_card.show(
            figures.ranking(moving, names, title=f"{_upper(names[0])} moves the rate most"),
            key="figure_ranking",
            caption="The worst-case rate between the two ends of one range, the other unknowns in "
            "the middle of theirs, by the rate equation.",
            alt=figures.ranking_alt(moving, names),
            csv_rows=figures.ranking_rows(moving),
            file_name="unknowns",
        )
    else:
        st.caption("Nothing is left open, or the rate is 1 over all ranges.")
    _evidence(found)


def _title(found: Envelope) -> str:
    spread = found.mechanism or found.equation
    return f"Privacy costs a factor of {fit_words.span(spread.cost)} over the ranges"


def _upper(text: str) -> str:
    return text[0].upper() + text[1:]


def _here(cost: Cost) -> list[tuple[float, float]]:
    """Both answers at the parameters of the Study page."""
    out = [(cost.equation.kept, cost.equation.rate_ratio)]
    if cost.mechanism:
        named = verdict.middle(cost)
        out.append((named.kept, named.rate_ratio))
    return out


def _evidence(found: Envelope) -> None:
    with st.expander("How the ends were found"):
        rate = found.equation.rate
        st.markdown(
            f"- **Rate**: {words.span(words.number(rate.low), words.number(rate.high))}, up to "
            f"constants and logarithms; {rate.evidence}. It falls with β and α and rises with "
            "every γ, so its ends lie at two corners of the ranges."
            if found.risk == "classification"
            else f"- **Rate**: {words.span(words.number(rate.low), words.number(rate.high))}, up "
            f"to constants and logarithms; {rate.evidence}. It falls with the smoothness."
        )
        st.markdown(
            f"- **Sample kept and error against no privacy**: {SEARCHED}, from 2,000 drawn "
            "parameters, the corners where the ends are to be expected, and an ascent from the "
            "best of them. The ends are attained; that none lies beyond is not proved.\n"
            "- The named mechanism is taken with its bandwidth 1, 2 and 3 times r, and exact "
            "Gaussian noise.\n"
            "- The number of covariates, the sites, their records and budgets are taken as given."
        )
