"""The control of an answer that is typed as a rate; the language of rates says how it is read."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.charts import words
from pages.core import controls, inputs
from rates.numbers import DomainError
from sims.lessons import Question, typed

Report = tuple[float, ...]


def ask(question: Question, key: str, now: Report | None, take: Callable[[Report], None]) -> None:
    """Draw a box for a rate, and below it how it is read, or what is wrong with it.

    Args:
        question: The question.
        key: Name of the box, unique on the page.
        now: The answer that is held; None for none.
        take: Called with an answer; with an empty one where what is typed is none.
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
    controls.ask(key, text, read, partial(st.text_input, f"A rate in {letters}", text, **how))
    if problem := memory.get(error):
        st.error(words.plain(problem))
    elif now is not None:
        st.caption(f"Read as `{typed.written(question.parts, now)}`.")
