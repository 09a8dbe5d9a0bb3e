"""Who uses the result, and how many records would do: what a decision is asked for."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages import core
from pages.charts import number_text, words
from pages.core import inputs, offered
from pages.current import state
from rates.decision import check_use, use_of
from rates.numbers import DomainError
from rates.rows import number_from_text
from rates.study import NEEDED, USES, Study

_WIDTH = 192  # pixels, as the other questions have
_NAME = "the records that would do"
_REFUSED = f"{inputs.ERROR}needed"  # what was typed and why it was not taken, till a study is shown
_HELP = (
    "The target itself, in house: its own records need no noise for itself. Each site for itself: "
    "the same for every site, where all are alike. Others have no records: a publication, a policy."
)


def options(study: Study) -> dict[str, str]:
    """Return the uses that a study has, with their words; the one that it is decided for is one."""
    now, out = use_of(study, state.scope())[0], {}
    for use, title in USES.items():
        try:
            check_use(study, use)
        except DomainError:
            continue
        if use == now or not (use == "target" and state.alike()):
            out[use] = title
    return out


def ask(key: str) -> None:
    """Ask who uses the result."""
    study, scope = state.current(), state.scope()
    offers, now = options(study), use_of(study, scope)[0]
    core.ask(
        key,
        now,
        lambda word: state.set_scope(replace(state.scope(), use=offered(word, offers))),
        lambda **how: st.selectbox(
            "Who uses the result?",
            list(offers),
            index=list(offers).index(now),
            format_func=offers.__getitem__,
            help=_HELP,
            width=_WIDTH,
            **how,
        ),
    )


def ask_need(key: str) -> None:
    """Ask how many records would do; empty where nobody knows."""
    needed, refused = state.scope().needed, _refused()
    now = "" if needed is None else number_text(needed)
    if refused:
        now = refused[0]  # it stays to be mended
    core.ask(
        key,
        now,
        _take_need,
        lambda **how: st.text_input(
            "Records that would do",
            now,
            help=f"{NEEDED.help} Empty: not told.",
            placeholder="not told",
            width=_WIDTH,
            **how,
        ),
    )


def _take_need(given: str) -> None:
    memory = st.session_state
    try:
        read = number_from_text(given, _NAME) if given.strip() else None
        number = None if read is None else NEEDED.check(float(read))
    except DomainError as refusal:
        memory[_REFUSED] = (given, str(refusal))
        return
    memory[_REFUSED] = None
    state.set_scope(replace(state.scope(), needed=number))


def _refused() -> tuple[str, str] | None:
    """What was typed as a need and not taken, and why."""
    found: tuple[str, str] | None = st.session_state.get(_REFUSED)
    return found


def problem() -> None:
    """Say beside the questions why a need was not taken."""
    if refused := _refused():
        st.error(f"{words.plain(refused[1])} Nothing was changed.")
