"""What a decision assumes, in one line: each number can be changed where it stands."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from pages.charts import number_text, words
from pages.core import chip, number
from pages.current import state
from pages.study import parameters, questions, sites
from rates.decision import Decision
from rates.numbers import DELTA, SIGNAL_EXPONENT, Parameter, decades, steps
from rates.study import GAIN, USES, Scope, Server, Study, alike

_GAMMAS = steps(0.1, 4.0, 0.1)
_DELTAS = decades(-12, -2)
_GAINS = (1.0, 1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Assumption:
    """One thing that a decision takes as given.

    Attributes:
        key: Its name: a number of the study, a question of the scope, "use" or "gain".
        text: It in a few words, Markdown.
        told: Whether somebody told it.
    """

    key: str
    text: str
    told: bool


def taken(study: Study, scope: Scope, found: Decision) -> list[Assumption]:
    """Return what a decision takes as given: numbers, answers, the use and the gain."""
    transfer, all_alike = study.target is not None, alike(study, scope)
    out: list[Assumption] = []
    for parameter, title in parameters.CONTROLS[study.kind]:
        name, letter = parameter.name, title.rpartition(" ")[2]
        text = f"{letter} = {number_text(getattr(study, name))}"
        out.append(Assumption(name, text, name not in scope.assumed))
    if study.sources and not all_alike:
        gammas = [s.signal_exponent for s in study.sources]
        told = "signal_exponent" not in scope.assumed or {*gammas} != {1}
        out.append(Assumption("signal_exponent", f"γ = {words.extremes(gammas)}", told))
    if deltas := [s.delta for s in study.servers if s.private and s.delta is not None]:
        text = f"δ = {words.extremes(deltas)}"
        out.append(Assumption("delta", text, "delta" not in scope.assumed))
    answers = {"outcome": "yes-or-no outcome" if transfer else "measured outcome"}
    if not transfer:
        answers["covariates"] = "one covariate"
    if all_alike or not transfer:
        answers["target"] = "all sites alike" + (" (γ = 1)" if transfer else "")
    elif study.sources:
        answers["target"] = f"target {words.md(study.servers[0].name)}"
    k = scope.records_per_person or 1
    several = scope.answer("records") == "several" and k > 1
    answers["records"] = f"up to {k} records per person" if several else "one record per person"
    out += [Assumption(x, text, scope.answer(x) is not None) for x, text in answers.items()]
    use = USES[found.use]
    out.append(Assumption("use", f"used by {use[0].lower()}{use[1:]}", scope.use == found.use))
    if found.users:
        text = f"pays from {words.number(found.factor)} × own"
        out.append(Assumption("gain", text, scope.gain is not None))
    return out


def line(found: Decision) -> None:
    """Show what is given and assumed in a row; a click on one changes it."""
    study, scope = state.current(), state.scope()
    budgets = [s.epsilon for s in study.servers if s.private]
    need = f"{words.number(scope.needed)} records would do" if scope.needed else "how many would do"
    shown = [
        *([Assumption("epsilon", f"ε = {words.extremes(budgets)}", True)] if budgets else []),
        *taken(study, scope, found),
        Assumption("needed", need, scope.needed is not None),
    ]
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.caption("If (?: not told)", width="content")
        for one in shown:
            if place := chip(f"chip_{one.key}", one.text if one.told else f"{one.text} ?"):
                with place:
                    _ask(one.key, found)


def _ask(key: str, found: Decision) -> None:
    """Draw what changes one assumption."""
    study = state.current()
    named = {p.name: (p, title) for p, title in parameters.CONTROLS[state.draft().kind]}
    if key in named:
        parameters.control(*named[key])
    elif key == "epsilon":
        parameters.levers()
    elif key == "signal_exponent":
        whose = study.sources[0].name if len(study.sources) == 1 else "all others"
        _common(study.sources, f"Signal γ of {whose}", SIGNAL_EXPONENT, _GAMMAS)
    elif key == "delta":
        private = [s for s in study.servers if s.private]
        _common(private, "δ of every protected site", DELTA, _DELTAS)
    elif key == "needed":
        questions.ask_need()
    elif key == "gain":
        number("if_gain", "Gain asked for", GAIN, found.factor, _take_gain, _GAINS)
    else:
        questions.draw(key, f"if_{key}")


def _common(
    rows: Sequence[Server], title: str, parameter: Parameter, stops: tuple[float, ...]
) -> None:
    """Ask for one value in place of those that the rows have."""
    field = parameter.name
    values = sorted({getattr(s, field) for s in rows} - {None})
    if len(values) > 1:
        st.caption(f"The rows differ: {words.between(values[0], values[-1])}. This sets them all.")
    apply = functools.partial(_write, field, {s.name for s in rows})
    number(f"if_{field}", title, parameter, values[0], apply, stops)


def _write(field: str, names: set[str], value: float) -> None:
    state.set_scope(state.scope().told(field))
    sites.write(field, value, lambda row: row["name"] in names)


def _take_gain(value: float) -> None:
    state.set_scope(replace(state.scope(), gain=value))
