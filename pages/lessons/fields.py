"""The controls of a question: what a reader predicts, a draft of this session until it is locked.

A slider for a number, one for each point of a curve, points over parts that always sum to 100,
and an option, certain unless the reader says how sure; it is preferred to the others either way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from pages import core
from pages.charts import predictions, words
from pages.core import inputs
from rates.numbers import DomainError, Parameter, steps
from sims.lessons import CHOICE, POINTS, SHARES, TYPED, Question, even, moved, spread, typed

Report = tuple[float, ...]

_DRAFTS = "lesson_drafts"
_CERTAIN = 100.0  # per cent
_SHARE = Parameter(
    "points",
    "",
    f"0, ..., {POINTS}",
    help="The others give or take, those that you have set last: points sum to 100.",
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
    if held is not None:
        return held
    if question.parameter is None:
        return Draft(() if question.kind == CHOICE else even(len(question.parts)))
    low = float(question.parameter.stops[0])
    return Draft((low,) * len(question.parts))  # beside it an empty box: no proposal


def report(question: Question, key: str) -> Report | None:
    """Return the answer that the controls show; None as long as the reader has set nothing."""
    now = draft(question, key)
    if question.kind == CHOICE:
        (sure,) = now.values or (_CERTAIN,)
        return None if now.pick is None else spread(question, now.pick, sure / 100)
    return now.values if now.set else None


def missing(question: Question, key: str) -> str:
    """Say what the reader has to set before an answer can be locked; empty if nothing.

    A slider that nobody has moved is no prediction; of points the last part gets what is left.
    """
    now = draft(question, key)
    if question.kind == CHOICE:
        return "" if now.pick is not None else "Pick an answer first."
    if question.kind == TYPED:
        return "" if now.set else "Type a rate first."
    left = [words.plain(part) for k, part in enumerate(question.parts) if _unset(question, now, k)]
    return f"Still to say: {'; '.join(left)}." if left else ""


def _unset(question: Question, now: Draft, place: int) -> bool:
    """Whether a part still has to be said."""
    enough = len(question.parts) - (question.kind == SHARES)
    return place not in now.set and len(now.set) < enough


def taken(question: Question, key: str) -> tuple[Report | None, str]:
    """Return the answer to lock or to send, and why it is none: then nothing may be locked.

    What was moved or typed may come with the press, and is taken over before.
    """
    inputs.apply_inputs()
    places = range(len(draft(question, key).values))
    refused = (st.session_state.get(inputs.ERROR + _widget(key, k)) for k in places)
    return report(question, key), next(filter(None, refused), missing(question, key))


def ask(question: Question, key: str) -> Report | None:
    """Draw the controls of a question; return the answer that they show.

    Args:
        question: The question.
        key: Names the draft and the widgets; unique among the questions of a session.
    """
    if question.kind == CHOICE:
        _choice(question, key)
    elif question.kind == TYPED:
        held = report(question, key)
        _rate(question, _widget(key, 0), held, partial(_hold_rate, question, key))
    else:
        for place, title in enumerate(question.options):
            _number(question, key, words.plain(title), question.parameter or _SHARE, place)
    return report(question, key)


def forget(but: str) -> None:
    """Forget all drafts but that of one key: a phone never goes back to the last question."""
    memory = st.session_state
    memory[_DRAFTS] = {k: held for k, held in memory.get(_DRAFTS, {}).items() if k == but}
    inputs.forget(f"predict_{but}_")


def _hold(key: str, new: Draft) -> None:
    st.session_state[_DRAFTS] = {**st.session_state.get(_DRAFTS, {}), key: new}


def _hold_rate(question: Question, key: str, given: Report) -> None:
    _hold(key, Draft(given, set=(*range(len(question.parts)),) if given else ()))


def _widget(key: str, place: int) -> str:
    return f"predict_{key}_{place}"


def _number(question: Question, key: str, title: str, parameter: Parameter, place: int = 0) -> None:
    def take(value: float) -> None:
        now = draft(question, key)
        before = tuple(k for k in now.set if k != place)
        if value == inputs.UNSET:
            _hold(key, replace(now, set=before))
            return
        values = tuple(value if k == place else v for k, v in enumerate(now.values))
        if question.kind == SHARES:
            values = moved(now.values, place, value, before)
        _hold(key, replace(now, values=values, set=(*before, place)))

    now = draft(question, key)
    empty = question.kind != CHOICE and _unset(question, now, place)
    core.number(_widget(key, place), title, parameter, now.values[place], take, empty=empty)


def _rate(question: Question, key: str, now: Report | None, take: Callable[[Report], None]) -> None:
    """Draw a box for a rate, and below it how it is read, or what is wrong with it.

    What is typed and is no rate is taken as an empty answer.
    """
    memory, error = st.session_state, inputs.ERROR + key

    def read(text: str) -> None:
        memory[f"text_{key}"], found = text, Report()
        memory.pop(error, None)
        try:
            found = typed.read(question, text) if text.strip() else found
        except DomainError as refusal:
            memory[error] = str(refusal)
        take(found)

    letters = words.listed([f"`{letter}`" for letter in question.parts])
    text = memory.get(f"text_{key}", "" if now is None else typed.written(question.parts, now))
    how = {"max_chars": typed.MOST_TEXT, "live": "400ms", "placeholder": "One product of powers"}
    core.ask(key, text, read, partial(st.text_input, f"A rate in {letters}", text, **how))
    if problem := memory.get(error):
        st.error(words.plain(problem))
    elif now is not None:
        st.caption(f"Read as `{typed.written(question.parts, now)}`.")


def _choice(question: Question, key: str) -> None:
    now = draft(question, key)
    letters, options = predictions.LETTERS, question.options
    labels = {k: f"{letters[k]}: {words.plain(x)}" for k, x in enumerate(options)}

    def pick(place: int) -> None:
        _hold(key, replace(draft(question, key), pick=core.offered(place, labels)))

    radio = partial(st.radio, "Your answer", [*labels], now.pick, labels.__getitem__)
    core.ask(f"predict_{key}_pick", now.pick, pick, radio)

    def say(wanted: bool) -> None:
        now = draft(question, key)
        _hold(key, replace(now, values=(now.values or (_CERTAIN,)) if wanted else ()))

    said_how = bool(now.values)
    about = "An answer counts as certain unless you say how sure you are."
    toggle = partial(st.toggle, "Say how sure you are", said_how, help=about)
    core.ask(f"predict_{key}_sure", said_how, say, toggle)
    if said_how:
        # From just above the confidence of a guess to certainty.
        low = 100 // len(question.parts) + 1
        sure = Parameter(
            "confidence",
            "",
            f"[{low}, 100]",
            noun="How sure you are, in per cent,",
            help="Your probability for the option that you picked; the others share the rest.",
            stops=(float(low), *(x for x in steps(5, 100, 5) if x > low)),
        )
        _number(question, key, "How sure, in per cent", sure)
