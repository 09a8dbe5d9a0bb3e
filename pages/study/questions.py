"""Questions about a study, each a list; how many records would do is typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from pages.charts import number_text, words
from pages.core import controls
from pages.current import draft, fields, state
from pages.study import parameters, sites
from rates.decision import check_use, use_of
from rates.numbers import DomainError
from rates.study import NEEDED, QUESTIONS, USES, theory_for

NOT_TOLD = "unknown"
_LEFT = "whose_left"  # what was answered instead of "all alike", before a site was named
_NONE = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, drawn as a list.

    Attributes:
        name: That of a question of the scope, whose own words stand where nothing is given; or
            another one.
        title: Its label.
        help: What it means.
        options: Answers with their words, for the study as it is.
        now: What has been answered, one of the options.
        take: Takes an answer over.
        unsure: What it is called not to know, of a question of the scope.
    """

    name: str
    title: str
    help: str = ""
    options: Callable[[], Mapping[str, str]] | None = None
    now: Callable[[], str] | None = None
    take: Callable[[str], None] | None = None
    unsure: str = "Not sure"

    def draw(self, key: str) -> None:
        """Draw it."""
        of_scope = QUESTIONS.get(self.name)
        options = self.options() if self.options else {}
        if of_scope:
            options = {NOT_TOLD: self.unsure, **(options or of_scope.options)}
        now = self.now() if self.now else _answer(self.name)
        take = self.take or partial(_tell, self.name)
        help = self.help or (of_scope and of_scope.help)
        controls.choose(key, self.title, options, now, take, help=help)


def problems() -> None:
    """Say what of the answers does not go together, and ask what has to be known."""
    ask_site("asked_site")
    fields.problem("needed")
    if state.fresh():
        return
    found: list[str] = []
    with suppress(DomainError):  # of a table that is unfinished nothing is said
        wrong = theory_for(state.typed(), state.scope()).contradictions
        found += [text for name in _ASKED if (text := wrong.get(name))]
    if refusal := use_of(state.current(), state.scope())[1]:
        found.append(words.plain(refusal))
    for text in found:
        st.warning(f"This does not go together: {text}")


def first() -> None:
    """Ask what a study without rows can say already."""
    for name in ("outcome", "target"):
        draw(name, f"if_{name}")


def draw(name: str, key: str) -> None:
    """Draw one question: one of the scope, or "use"."""
    _ASKED[name].draw(key)


def _answer(name: str) -> str:
    return state.scope().answer(name) or NOT_TOLD


def _tell(name: str, given: str) -> None:
    told = None if given == NOT_TOLD else given
    state.set_scope(state.scope().with_answer(name, told))


_KIND_OF = {"binary": "transfer", "continuous": "federated"}


def _take_outcome(given: str) -> None:
    _tell("outcome", given)
    kind = _KIND_OF.get(given, state.draft().kind)
    if kind != state.draft().kind:
        parameters.switch_kind(kind)


# Whose patients it is for: of one site, which is then asked for, or of all alike -----------------


def _take_target(given: str) -> None:
    """Take an answer over.

    Where all sites were alike, none of them is the target, and none becomes it unasked: until a
    site is named, all stay alike.
    """
    st.session_state[_LEFT] = None
    if state.alike() and given != "shared" and len(state.draft().rows) > 1:
        st.session_state[_LEFT] = (st.session_state["version"], given)
        return
    _tell("target", given)
    if state.alike() and any(row["signal_exponent"] != "1" for row in state.draft().rows):
        sites.change(lambda row: {"signal_exponent": "1"})


def ask_site(key: str) -> None:
    """Ask which site it is, and say what is missing, where that has to be known."""
    if _left():
        _SITE.draw(key)
        st.warning("Missing: which site it is. Until that is said, all sites count as alike.")


def _take_site(word: str) -> None:
    left, rows = _left(), state.draft().rows
    if word != _NONE and left:
        _tell("target", left)
        st.session_state[_LEFT] = None
        target = rows[int(word)]
        sites.change(lambda row: {draft.TARGET: row is target})


def _left() -> str:
    """The answer that waits for a site; empty if none does, or for another table."""
    version, given = st.session_state.get(_LEFT) or (None, "")
    return given if version == st.session_state["version"] and state.alike() else ""


_SITE = Asked(
    "site",
    "Which site?",
    "The one site whose patients the classifier is for.",
    options=lambda: {
        _NONE: "Not said yet",
        **{str(k): str(row["name"]) for k, row in enumerate(state.draft().rows)},
    },
    now=lambda: _NONE,
    take=_take_site,
)

# Who uses the result, and how many records would do ----------------------------------------------


def _uses() -> dict[str, str]:
    """The uses that the study has, with their words; the one that it is decided for is one."""
    study, now, out = state.current(), use_of(state.current(), state.scope())[0], {}
    for use, title in USES.items():
        try:
            check_use(study, use)
        except DomainError:
            continue
        if use == now or not (use == "target" and state.alike()):
            out[use] = title
    return out


def ask_need() -> None:
    """Ask how many records would do; empty where nobody knows."""
    needed = state.scope().needed
    now = "" if needed is None else number_text(needed)
    fields.text("needed", "Records that would do", now, help=f"{NEEDED.help} Empty: not told.")


def take_need() -> None:
    """Take over how many records would do, where it was typed."""
    fields.take("needed", _take_need)


def _take_need() -> None:
    if fields.held("needed") is not None:
        number = fields.number("needed", "the records that would do")
        needed = None if number is None else NEEDED.check(number)
        state.set_scope(replace(state.scope(), needed=needed))


def in_full(name: str) -> Asked:
    """Return a question of the scope in all its words; its answer changes no kind of study."""
    question = _ASKED[name] if name == "target" else Asked(name, "")
    return replace(question, title=QUESTIONS[name].text, unsure="I don't know")


_FORM = (
    Asked("outcome", "What is learned?", take=_take_outcome),
    Asked("covariates", "How many covariates?"),
    Asked(
        "target",
        "Whose patients is it for?",
        now=lambda: _left() or _answer("target"),
        take=_take_target,
    ),
    Asked("records", "Records per person"),
    Asked(
        "use",
        "Who uses the result?",
        "The target itself, in house: its own records need no noise for itself. Each site for "
        "itself: the same for every site, where all are alike. Others have no records: a "
        "publication, a policy.",
        options=_uses,
        now=lambda: use_of(state.current(), state.scope())[0],
        take=lambda word: state.set_scope(replace(state.scope(), use=word)),
    ),
)
_ASKED = {question.name: question for question in _FORM}
