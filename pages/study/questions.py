"""The few questions that come before an answer; what is assumed stands beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from pages.charts import words
from pages.core import ask, offered
from pages.current import state
from pages.study import parameters, uses, whose
from rates.decision import use_of
from rates.numbers import DomainError
from rates.study import QUESTIONS, theory_for

NOT_TOLD = "unknown"
_NOT_SURE = "Not sure"
_FIELD_WIDTH = 192  # pixels: four beside each other, or two, or one


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question of the short form.

    Attributes:
        name: The question of the scope that it answers.
        title: Its label.
        options: From the kind of study: answers with their words.
        now: What has been answered, one of the options.
        take: Takes an answer over.
    """

    name: str
    title: str
    options: Callable[[], Mapping[str, str]]
    now: Callable[[], str]
    take: Callable[[str], None]

    def draw(self, key: str) -> None:
        """Draw it as a list."""
        options, now = {NOT_TOLD: _NOT_SURE, **self.options()}, self.now()
        ask(
            key,
            now,
            lambda word: self.take(offered(word, options)),
            lambda **how: st.selectbox(
                self.title,
                list(options),
                index=list(options).index(now),
                format_func=options.__getitem__,
                help=QUESTIONS[self.name].help,
                width=_FIELD_WIDTH,
                **how,
            ),
        )


def form() -> None:
    """Draw the questions in a row, and say what of the answers does not go together."""
    with st.container(horizontal=True, gap="small"):
        for asked in _ASKED:
            asked.draw(f"asked_{asked.name}")
        uses.ask("asked_use")
        uses.ask_need("asked_needed")
    whose.ask_site("asked_site")
    uses.problem()
    if state.fresh():
        return
    found = _contradictions()
    for asked in _ASKED:
        if text := found.get(asked.name):
            st.warning(f"This does not go together: {text}")
    if refusal := use_of(state.current(), state.scope())[1]:
        st.warning(f"This does not go together: {words.plain(refusal)}")


def draw(name: str, key: str) -> None:
    """Draw one question again, elsewhere on the page."""
    next(asked for asked in _ASKED if asked.name == name).draw(key)


def _contradictions() -> Mapping[str, str]:
    """What does not go with the study that the widgets hold; nothing while it is unfinished."""
    try:
        return theory_for(state.typed(), state.scope()).contradictions
    except DomainError:
        return {}


def _transfer() -> bool:
    return state.draft().kind == "transfer"


def _answer(name: str) -> str:
    return state.scope().answer(name) or NOT_TOLD


def _tell(name: str, given: str) -> None:
    state.set_scope(state.scope().with_answer(name, None if given == NOT_TOLD else given))


# What is learned ---------------------------------------------------------------------------------

_KIND_OF = {"binary": "transfer", "continuous": "federated"}


def _take_outcome(given: str) -> None:
    _tell("outcome", given)
    kind = _KIND_OF.get(given, state.draft().kind)
    if kind != state.draft().kind:
        parameters.switch_kind(kind)


# How many covariates -----------------------------------------------------------------------------

_FEW = 5
_LISTED = 10


def _sizes() -> dict[str, str]:
    if _transfer():
        return {**{str(k): str(k) for k in range(1, _LISTED + 1)}, "many": f"More than {_LISTED}"}
    return {"1": "1", "few": f"2 to {_FEW}", "many": f"More than {_FEW}"}


def _size_now() -> str:
    told = state.scope().answer("covariates")
    if told is None:
        return NOT_TOLD
    if not _transfer():
        return {"one": "1"}.get(told, told)
    d = int(state.draft().parameters["transfer"]["dimension"])
    return str(d) if d <= _LISTED else "many"


def _take_size(given: str) -> None:
    if given == NOT_TOLD or not _transfer():
        _tell("covariates", {"1": "one"}.get(given, given))
        return
    d = int(state.draft().parameters["transfer"]["dimension"])
    scope = state.scope()
    if given == "many":  # how many is not told: one more than the list has, marked as assumed
        scope, d = scope.not_told("dimension"), max(d, _LISTED + 1)
    else:
        scope, d = scope.told("dimension"), int(given)
    state.set_scope(scope.with_answer("covariates", parameters.size(d)))
    parameters.put("transfer", "dimension", d)


def _of(name: str) -> Callable[[], Mapping[str, str]]:
    return lambda: QUESTIONS[name].options


_ASKED = (
    Asked(
        name="outcome",
        title="What is learned?",
        options=_of("outcome"),
        now=lambda: _answer("outcome"),
        take=_take_outcome,
    ),
    Asked(
        name="covariates",
        title="How many covariates?",
        options=_sizes,
        now=_size_now,
        take=_take_size,
    ),
    Asked(
        name="target",
        title="Whose patients is it for?",
        options=_of("target"),
        now=lambda: whose.now() or NOT_TOLD,
        take=lambda given: whose.take(None if given == NOT_TOLD else given),
    ),
    Asked(
        name="records",
        title="Records per person",
        options=_of("records"),
        now=lambda: _answer("records"),
        take=lambda given: _tell("records", given),
    ),
)
