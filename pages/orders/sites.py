"""A rate with a sum over sites: at the sites of the current study, beside the engine's own."""

from __future__ import annotations

import math

import streamlit as st

import rates
from pages.charts import words
from pages.core import button, layout, tables
from pages.current import state
from pages.orders import asked, typed
from rates.numbers import DomainError
from rates.orders import Inquiry, Order
from rates.orders import sites as theory
from rates.study import Study, TransferStudy

_CLOSE = 1e-9


def show(now: Inquiry, order: Order, place: st.delta_generator.DeltaGenerator) -> None:
    """Show what the rate is for the current study."""
    study = state.current()
    table, controls = layout.beside()
    with controls:
        typed.values(now)
        own = theory.own_exponents(study)
        differ = {x: v for x, v in own.items() if x in now.values and now.values[x] != v}
        if differ:
            listed = ", ".join(f"{x} = {words.number(v)}" for x, v in differ.items())
            button(f"Use the study's {listed}", "rate_own", _use, differ)
    try:
        columns = theory.by_site(order.sites, study)
        sizes, exponents = now.split()
        fixed = {x: v for x, v in sizes.items() if x not in order.sites}
        powers = {x: columns.get(x, v) for x, v in exponents.items()}
        value = float(order.value({**fixed, **columns}, powers))
    except DomainError as problem:
        place.warning(words.plain(problem))
        return
    with table:
        tables.show(
            {
                "Site": theory.names(order.sites, study),
                **{x: [words.number(v) for v in column] for x, column in columns.items()},
            },
            alt="What each letter is at each site of the current study.",
            pinned="Site",
        )
        st.page_link(
            layout.page("study"),
            label="Change the sites",
            icon=":material/groups:",
            query_params=state.carried(),
        )
    place.markdown(_told(value, study, differ))


def _use(values: dict[str, float]) -> None:
    now = asked.RATE.get()
    asked.RATE.change(at=tuple((x, values.get(x, v)) for x, v in now.at))


def _told(value: float, study: Study, differ: dict[str, float]) -> str:
    text = f"For the current study the rate is of the order of **{words.number(value)}**, up to "
    text += "constants and logs."
    if differ:
        return text
    engine = _engine(study)
    if math.isclose(value, engine, rel_tol=_CLOSE):
        return f"{text} That is also what the app's own engine says on the Study page."
    return (
        f"{text} The app's own engine, which solves the equation of "
        f"{'[ACC] (5)' if isinstance(study, TransferStudy) else '[CCV] (6)'}, says "
        f"**{words.number(engine)}** for the same study."
    )


def _engine(study: Study) -> float:
    if isinstance(study, TransferStudy):
        return rates.solve(study).rate
    return rates.solve(study).integrated.rate
