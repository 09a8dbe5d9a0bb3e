"""Whose patients the answer is for: of one site, which is then asked for, or of all alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import streamlit as st

from pages import core
from pages.charts import number_text, words
from pages.core import ask, inputs, offered
from pages.current import draft, state
from pages.study import parameters
from rates.decision import check_use, use_of
from rates.numbers import DomainError
from rates.rows import number_from_text
from rates.study import NEEDED, QUESTIONS, USES, Study, theory_for

_LEFT = "whose_left"  # what was answered instead of "all alike", before a site was named
_NONE = ""


def target_now() -> str | None:
    """What has been answered, the last word of it: a site may still have to be named."""
    left = _left()
    return left[0] if left else state.scope().answer("target")


def take_target(given: str | None) -> None:
    """Take an answer over; None stands for "I don't know".

    Where all sites were alike, none of them is the target, and none becomes it unasked: until a
    site is named, all stay alike.
    """
    st.session_state[_LEFT] = None
    if state.alike() and given != "shared" and len(state.draft().rows) > 1:
        st.session_state[_LEFT] = (st.session_state["version"], given)
        return
    state.set_scope(state.scope().with_answer("target", given))
    if state.alike():
        held = state.draft()
        rows = tuple({**row, "signal_exponent": "1"} for row in held.rows)
        if rows != held.rows:
            state.show(replace(held, rows=rows))


def ask_site(key: str) -> None:
    """Ask which site it is, and say what is missing, where that has to be known."""
    if not _left():
        return
    names = {_NONE: "Not said yet"}
    names |= {str(k): str(row["name"]) for k, row in enumerate(state.draft().rows)}
    ask(
        key,
        _NONE,
        lambda word: _take_site(offered(word, names)),
        lambda **how: st.selectbox(
            "Which site?",
            list(names),
            index=0,
            format_func=names.__getitem__,
            help="The one site whose patients the classifier is for.",
            **how,
        ),
    )
    st.warning("Missing: which site it is. Until that is said, all sites count as alike.")


def _take_site(word: str) -> None:
    left, held = _left(), state.draft()
    if word == _NONE or left is None:
        return
    rows = tuple({**row, draft.TARGET: str(k) == word} for k, row in enumerate(held.rows))
    state.set_scope(state.scope().with_answer("target", left[0]))
    st.session_state[_LEFT] = None
    state.show(replace(held, rows=rows))


def _left() -> tuple[str | None] | None:
    """The answer that waits for a site; None if none does, or for another table."""
    version, given = st.session_state.get(_LEFT) or (None, None)
    return (given,) if version == st.session_state["version"] and state.alike() else None


_WIDTH = 192  # pixels, as the other questions have
_NAME = "the records that would do"
_REFUSED = f"{inputs.ERROR}needed"  # what was typed and why it was not taken, till a study is shown
_HELP = (
    "The target itself, in house: its own records need no noise for itself. Each site for itself: "
    "the same for every site, where all are alike. Others have no records: a publication, a policy."
)


def uses_of(study: Study) -> dict[str, str]:
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


def ask_use(key: str) -> None:
    """Ask who uses the result."""
    study, scope = state.current(), state.scope()
    offers, now = uses_of(study), use_of(study, scope)[0]
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


def need_problem() -> None:
    """Say beside the questions why a need was not taken."""
    if refused := _refused():
        st.error(f"{words.plain(refused[1])} Nothing was changed.")


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
        ask_use("asked_use")
        ask_need("asked_needed")
    ask_site("asked_site")
    need_problem()
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
        now=lambda: target_now() or NOT_TOLD,
        take=lambda given: take_target(None if given == NOT_TOLD else given),
    ),
    Asked(
        name="records",
        title="Records per person",
        options=_of("records"),
        now=lambda: _answer("records"),
        take=lambda given: _tell("records", given),
    ),
)
