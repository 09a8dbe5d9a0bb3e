"""What a decision assumes, in one line: each number can be changed where it stands."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from pages.figures.chart import number_text, words
from pages.parts.session import chip, number, state
from pages.parts.session import draft as drafts
from pages.parts.study import parameters, questions, uses
from rates.decision import Decision
from rates.numbers import DELTA, SIGNAL_EXPONENT, Parameter, decades, steps
from rates.study import GAIN, USES, TransferStudy

_GAMMAS = steps(0.1, 4.0, 0.1)
_DELTAS = decades(-12, -2)
_GAINS = (1.0, 1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """One thing that is assumed.

    Attributes:
        key: Its name in the session.
        text: It in a few words, Markdown.
        told: Whether somebody told it.
        ask: Draws what changes it.
    """

    key: str
    text: str
    told: bool
    ask: Callable[[], None]


def line(found: Decision) -> None:
    """Show what is assumed in a row; a click on one changes it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.caption("If (?: nobody told)", width="content")
        for one in assumptions(found):
            label = one.text if one.told else f"{one.text} ?"
            if place := chip(f"chip_{one.key}", label):
                with place:
                    one.ask()


def assumptions(found: Decision) -> list[Assumption]:
    """Return what a decision assumes: numbers, answers that nobody gave, the use and the gain."""
    study, scope = state.current(), state.scope()
    open_ = questions.assumed(study, scope)
    draft = state.draft()
    out = []
    for parameter, title in parameters.of(draft.kind):
        name = parameter.name
        value = draft.parameters[draft.kind][name]
        letter = title.rpartition(" ")[2]
        if name == "dimension" and "covariates" in open_:
            continue  # a question of its own, below
        out.append(
            Assumption(
                key=name,
                text=f"{letter} = {number_text(value)}",
                told=name not in scope.assumed,
                ask=functools.partial(parameters.control, parameter, title, "if"),
            )
        )
    if isinstance(study, TransferStudy) and study.sources and not state.alike():
        told = "signal_exponent" not in scope.assumed
        out.append(_signal(study, told or any(s.signal_exponent != 1 for s in study.servers)))
    if (deltas := [s.delta for s in study.servers if s.private and s.delta is not None]) != []:
        text = f"δ = {words.between(min(deltas), max(deltas))}"
        ask = functools.partial(_common, "delta", "δ of every protected site", DELTA, _DELTAS)
        told = "delta" not in scope.assumed
        out.append(Assumption(key="delta", text=text, told=told, ask=ask))
    for name, text in open_.items():
        ask_again = functools.partial(questions.draw, name, f"if_{name}")
        out.append(Assumption(key=name, text=words.md(text), told=False, ask=ask_again))
    use = Assumption(
        key="use",
        text=f"for {USES[found.use][0].lower()}{USES[found.use][1:]}",
        told=scope.use is not None,
        ask=functools.partial(uses.ask, "if_use"),
    )
    return [*out, use, *([] if found.use == "others" else [_gain(found)])]


def _signal(study: TransferStudy, told: bool) -> Assumption:
    gammas = [s.signal_exponent for s in study.sources]
    title = f"Signal γ of {study.sources[0].name}"
    title = title if len(gammas) == 1 else "Signal γ of all others"
    return Assumption(
        key="signal_exponent",
        text=f"γ = {words.between(min(gammas), max(gammas))}",
        told=told,
        ask=functools.partial(_common, "signal_exponent", title, SIGNAL_EXPONENT, _GAMMAS),
    )


def _common(field: str, title: str, parameter: Parameter, stops: tuple[float, ...]) -> None:
    """Ask for one value in place of those that the rows have."""
    study = state.current()
    rows = study.sources if isinstance(study, TransferStudy) else study.servers
    if field == "delta":
        rows = tuple(s for s in study.servers if s.private)
    values = sorted({getattr(s, field) for s in rows} - {None})
    if len(values) > 1:
        st.caption(f"The rows differ: {words.between(values[0], values[-1])}. This sets them all.")
    apply = functools.partial(_write, field, {s.name for s in rows})
    number(f"if_{field}", title, parameter, values[0], apply, stops)


def _write(field: str, names: set[str], value: float) -> None:
    draft = state.draft()
    text = drafts.number_text(value)
    state.set_scope(state.scope().told(field))
    rows = tuple({**row, field: text} if row["name"] in names else row for row in draft.rows)
    state.show(replace(draft, rows=rows))


def _gain(found: Decision) -> Assumption:
    more = words.percent(found.factor - 1.0)
    return Assumption(
        key="gain",
        text="a quarter more pays" if found.factor == 1.25 else f"{more} more pays",
        told=state.scope().gain is not None,
        ask=lambda: number("if_gain", "Gain asked for", GAIN, found.factor, _take_gain, _GAINS),
    )


def _take_gain(value: float) -> None:
    state.set_scope(replace(state.scope(), gain=value))
