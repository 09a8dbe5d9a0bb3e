"""The controls of a question: what a reader predicts, a draft of this session until it is locked.

A slider for a number, one for each point of a curve, points over parts that always sum to 100,
and an option, certain unless the reader says how sure; it is preferred to the others either way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from pages.charts import words
from pages.charts.lessons import choices
from pages.core import ask as ask_widget
from pages.core import inputs, number, offered
from rates.numbers import Parameter, steps
from sims.lessons import CHOICE, POINTS, SHARES, Question, even, moved, spread

Report = tuple[float, ...]

_DRAFTS = "lesson_drafts"
_CERTAIN = 100.0  # per cent
_AT_FIRST = 0.8  # of a slider's length: close to what is true in no lesson, as a test sees
_SHARE = Parameter(
    "points",
    "",
    f"0, ..., {POINTS}",
    help="The others give or take, so that the points sum to 100; those that you have set change "
    "last.",
    stops=steps(0, POINTS, 5),
)


@dataclass(frozen=True, slots=True)
class Draft:
    """What is about to be predicted.

    Attributes:
        values: Of each part; of a choice how sure one is in per cent, empty where that is not said.
        pick: The option of a choice; None before there is one.
        set: Parts that the reader has set, the latest last.
    """

    values: Report
    pick: int | None = None
    set: tuple[int, ...] = ()


def draft(question: Question, key: str) -> Draft:
    """Return what a session holds of a question, or where its controls start."""
    held: Draft | None = st.session_state.get(_DRAFTS, {}).get(key)
    return held or _start(question)


def report(question: Question, key: str) -> Report | None:
    """Return the answer that the controls show; None as long as the reader has set nothing."""
    now = draft(question, key)
    if question.kind == CHOICE:
        (sure,) = now.values or (_CERTAIN,)
        return None if now.pick is None else spread(question, now.pick, sure / 100)
    return now.values if now.set else None


def missing(question: Question, key: str) -> str:
    """Say what the reader has to set before an answer can be locked; empty if nothing.

    A slider that nobody has moved is no prediction.
    """
    now = draft(question, key)
    if question.kind == CHOICE:
        return "" if now.pick is not None else "Pick an answer first."
    if question.kind == SHARES:
        return "" if now.set else "Move a slider first."
    if len({*now.set}) == len(question.parts):
        return ""
    return "Move the slider first." if len(question.parts) == 1 else "Move every slider first."


def unsaid(question: Question, key: str) -> str:
    """Say what an option counts for whose confidence is not given; empty if it is, or none is."""
    if question.kind != CHOICE or draft(question, key).values:
        return ""
    return "It counts as certain unless you say how sure you are."


def ask(question: Question, key: str) -> Report | None:
    """Draw the controls of a question; return the answer that they show.

    Args:
        question: The question.
        key: Names the draft and the widgets; unique among the questions of a session.
    """
    now = draft(question, key)
    if question.kind == CHOICE:
        _choice(question, key, now)
        return report(question, key)
    parameter = question.parameter or _SHARE
    take = _points if question.kind == SHARES else _value
    details = question.details or [""] * len(question.parts)
    for place, (part, more) in enumerate(zip(question.parts, details, strict=True)):
        title = words.plain(f"{part} ({more})" if more else part)
        _one(key, place, title, parameter, now.values[place], take(question, key, place))
    return report(question, key)


def forget(but: str) -> None:
    """Forget all drafts but that of one key: a phone never goes back to the last question."""
    memory = st.session_state
    memory[_DRAFTS] = {k: held for k, held in memory.get(_DRAFTS, {}).items() if k == but}
    inputs.forget(f"predict_{but}_")


def _start(question: Question) -> Draft:
    if question.kind == CHOICE:
        return Draft(())
    if question.kind == SHARES:
        return Draft(even(len(question.parts)))
    assert question.parameter is not None
    stops = question.parameter.stops
    return Draft((float(stops[round(_AT_FIRST * (len(stops) - 1))]),) * len(question.parts))


def _hold(key: str, new: Draft) -> None:
    memory = st.session_state
    memory[_DRAFTS] = {**memory.get(_DRAFTS, {}), key: new}


def _one(
    key: str,
    place: int,
    title: str,
    parameter: Parameter,
    value: float,
    take: Callable[[float], None],
) -> None:
    number(_widget(key, place), title, parameter, value, take)


def _value(question: Question, key: str, place: int) -> Callable[[float], None]:
    def take(value: float) -> None:
        now = draft(question, key)
        values = tuple(value if k == place else v for k, v in enumerate(now.values))
        _hold(key, replace(now, values=values, set=(*now.set, place)))

    return take


def _points(question: Question, key: str, place: int) -> Callable[[float], None]:
    def take(value: float) -> None:
        now = draft(question, key)
        before = tuple(k for k in now.set if k != place)
        values = moved(now.values, place, value, before)
        _hold(key, Draft(values, set=(*before, place)))

    return take


def _choice(question: Question, key: str, now: Draft) -> None:
    options, said = list(range(len(question.parts))), question.options

    def pick(place: int) -> None:
        _hold(key, replace(draft(question, key), pick=offered(place, options)))

    ask_widget(
        f"predict_{key}_pick",
        now.pick,
        pick,
        lambda **how: st.radio(
            "Your answer",
            options,
            index=now.pick,
            format_func=lambda place: f"{choices.LETTERS[place]}: {words.plain(said[place])}",
            **how,
        ),
    )

    def say(wanted: bool) -> None:
        now = draft(question, key)
        _hold(key, replace(now, values=(now.values or (_CERTAIN,)) if wanted else ()))

    said_how = bool(now.values)
    ask_widget(
        f"predict_{key}_sure",
        said_how,
        say,
        lambda **how: st.toggle("Say how sure you are", said_how, **how),
    )
    if said_how:
        take = _value(question, key, 0)
        _one(key, 0, "How sure, in per cent", _confidence(question), now.values[0], take)


def _confidence(question: Question) -> Parameter:
    """The confidence in per cent: from just above that of a guess to certainty."""
    low = 100 // len(question.parts) + 1
    return Parameter(
        "confidence",
        "",
        f"[{low}, 100]",
        noun="How sure you are, in per cent,",
        help="Your probability for the option that you picked; the others share the rest.",
        stops=(float(low), *(x for x in steps(5, 100, 5) if x > low)),
    )


def problem(question: Question, key: str) -> str:
    """Return what was typed last and refused, if anything was; then nothing may be locked."""
    places = range(len(draft(question, key).values))
    errors = (st.session_state.get(f"{inputs.ERROR}{_widget(key, k)}") for k in places)
    return next(filter(None, errors), "")


def _widget(key: str, place: int) -> str:
    return f"predict_{key}_{place}"
