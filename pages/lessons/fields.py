"""The controls of a question: what a reader predicts, a draft of this session until it is locked.

There is a slider for a number or for the points of each part, which count in proportion to their
sum; a list for an option, taken as certain unless the reader says how sure; a box for a rate.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages import core
from pages.charts import predictions, words
from pages.core import inputs
from rates.numbers import DomainError, Parameter, steps
from sims.lessons import CHOICE, POINTS, SHARES, TYPED, Question, spread, typed

Report = tuple[float, ...]
Draft = dict[str | int, float]  # what was set of a question: each part, or `PICK` and `SURE`

PICK, SURE = "pick", "sure"  # the option of a choice, and in per cent how sure one is
_DRAFTS = "lesson_drafts"
_CERTAIN = 100.0  # per cent
_SHARE = Parameter(
    "points",
    "",
    f"0, ..., {POINTS}",
    help="Points count in proportion to their sum, whatever that is.",
    stops=steps(0, POINTS, 5),
)


def draft(key: str) -> Draft:
    """Return what a session holds of a question."""
    held: Draft = st.session_state.get(_DRAFTS, {}).get(key, {})
    return held


def report(question: Question, key: str) -> Report | None:
    """Return the answer that the controls show; None as long as the reader has set nothing."""
    now, parts = draft(key), range(len(question.parts))
    if question.kind == CHOICE:
        sure = now.get(SURE, _CERTAIN) / 100
        return spread(question, int(now[PICK]), sure) if PICK in now else None
    if question.parameter is None:
        total = sum(now.values())
        return tuple(POINTS * now.get(k, 0.0) / total for k in parts) if total else None
    low = float(question.parameter.stops[0])  # beside it an empty box: no proposal
    return tuple(now.get(k, low) for k in parts) if now else None


def missing(question: Question, key: str) -> str:
    """Say what the reader has to set before an answer can be locked; empty if nothing.

    A slider that nobody has moved is no prediction; a part without points has none.
    """
    now = draft(key)
    if question.kind == CHOICE:
        return "" if PICK in now else "Pick an answer first."
    if question.kind == TYPED:
        return "" if now else "Type a rate first."
    if question.kind == SHARES:
        return "" if report(question, key) else "Give points first."
    left = [words.plain(part) for k, part in enumerate(question.parts) if k not in now]
    return f"Still to say: {'; '.join(left)}." if left else ""


def taken(question: Question, key: str) -> tuple[Report | None, str]:
    """Return the answer to lock or to send, and why it is none: then nothing may be locked.

    What was moved or typed may come with the press, and is taken over before.
    """
    inputs.apply_inputs()
    places = (SURE, *range(len(question.parts)))
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
        _rate(question, key)
    else:
        low = float(question.parameter.stops[0]) if question.parameter else 0.0
        for place, title in enumerate(question.options):
            _number(key, words.plain(title), question.parameter or _SHARE, place, low)
    return report(question, key)


def forget(but: str) -> None:
    """Forget all drafts but that of one key: a phone never goes back to the last question."""
    st.session_state[_DRAFTS] = {but: draft(but)}
    inputs.forget(f"predict_{but}_")


def _hold(key: str, name: str | int, value: float | None) -> None:
    """Hold one thing that was set, or no longer."""
    now = {k: held for k, held in draft(key).items() if k != name}
    now |= {} if value is None else {name: value}
    st.session_state[_DRAFTS] = {**st.session_state.get(_DRAFTS, {}), key: now}


def _widget(key: str, place: str | int) -> str:
    return f"predict_{key}_{place}"


def _number(key: str, title: str, parameter: Parameter, place: str | int, low: float) -> None:
    def take(value: float) -> None:
        _hold(key, place, None if value == inputs.UNSET else value)

    now = draft(key)
    empty = place not in now
    core.number(_widget(key, place), title, parameter, now.get(place, low), take, empty=empty)


def _rate(question: Question, key: str) -> None:
    """Draw a box for a rate, and below it how it is read, or what is wrong with it.

    What is typed and is no rate is no answer.
    """
    memory, name, now = st.session_state, _widget(key, 0), report(question, key)
    written, error = f"text_{name}", inputs.ERROR + name

    def read(text: str) -> None:
        memory[written], powers = text, Report()
        memory.pop(error, None)
        try:
            powers = typed.read(question, text) if text.strip() else powers
        except DomainError as refusal:
            memory[error] = str(refusal)
        memory[_DRAFTS] = {**memory.get(_DRAFTS, {}), key: dict(enumerate(powers))}

    letters = words.listed([f"`{letter}`" for letter in question.parts])
    kept = "" if now is None else typed.written(question.parts, now)
    text = memory.get(written, kept)
    how = {"max_chars": typed.MOST_TEXT, "live": "400ms", "placeholder": "One product of powers"}
    core.ask(name, text, read, partial(st.text_input, f"A rate in {letters}", text, **how))
    if problem := memory.get(error):
        st.error(words.plain(problem))
    elif kept:
        st.caption(f"Read as `{kept}`.")


def _choice(question: Question, key: str) -> None:
    now, letters = draft(key), predictions.LETTERS
    labels = {k: f"{letters[k]}: {words.plain(x)}" for k, x in enumerate(question.options)}
    place = int(now[PICK]) if PICK in now else None

    def pick(given: int) -> None:
        _hold(key, PICK, core.offered(given, labels))

    radio = partial(st.radio, "Your answer", [*labels], place, labels.__getitem__)
    core.ask(f"predict_{key}_pick", place, pick, radio)

    said = SURE in now
    about = "An answer counts as certain unless you say how sure you are."

    def say(wanted: bool) -> None:
        _hold(key, SURE, _CERTAIN if wanted else None)

    core.ask(
        f"predict_{key}_say", said, say, partial(st.toggle, "Say how sure you are", help=about)
    )
    if said:
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
        _number(key, "How sure, in per cent", sure, SURE, _CERTAIN)
