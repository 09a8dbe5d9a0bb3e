"""The current study of a session: from the address, kept across pages, back to the address."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace

import streamlit as st

from pages.core import Texts, UrlState, address, inputs
from pages.current import draft as drafts
from rates import answer
from rates.answer import Lens, compare, privacy_cost
from rates.decision import Decision, decide, use_of
from rates.numbers import DomainError
from rates.study import PRESETS, USUAL_GAIN, Scope, Study, codec, fitted, matching, scope_of
from rates.study import alike as all_alike

PARAMETER = "study"
_FILES = ("upload_error",)
_FRESH = "fresh"  # an empty table, of which nothing is answered yet
_OWN = "own"  # whether the study was begun here, so that what is told of it is the visitor's
_STORY = "story"  # the example that the study began as, if it is one
FACTORS = compare.FACTORS

# A frozen study is its own key, so answers are shared between reruns and sessions.
_cached = functools.lru_cache(maxsize=64)
cost = functools.lru_cache(maxsize=256)(privacy_cost)
sweep = _cached(lambda study, risk, factors: compare.budget_sweep(study, factors, Lens(risk=risk)))
survival = _cached(lambda study, risk, factors: answer.survival(study, factors, Lens(risk=risk)))
site_terms = _cached(answer.site_terms)
_link, _decided = _cached(codec.to_link), _cached(decide)


@dataclass(frozen=True)
class Current:
    """The last complete study, and what has been said about it besides its sites."""

    study: Study
    scope: Scope

    @functools.cached_property
    def fitted(self) -> Scope:
        """The scope as far as the study has it."""
        return fitted(self.scope, self.study)

    @functools.cached_property
    def carried(self) -> Scope | None:
        """The scope for a link: None where it is the one a study comes with."""
        return None if self.fitted == scope_of(self.study) else self.fitted


def _of(study: Study, scope: Scope | None = None) -> Current:
    return Current(study, scope_of(study) if scope is None else scope)


class _Url(UrlState[Current]):
    """The current study in session and address; what a link was refused with the frame says."""

    def read(self, texts: Texts) -> Current:
        return _of(*codec.open_link(texts[PARAMETER]))

    def write(self, value: Current) -> Texts | None:
        text = _link(value.study, value.carried)
        return {PARAMETER: text} if len(text) <= codec.MAX_LINK else None


def _opened(before: Current, now: Current) -> None:
    if before != now:
        _show_study(now.study)


STUDY = _Url(parameter=PARAMETER, start=_of(PRESETS[0].study), opened=_opened, always=True)


def enter(page: str) -> None:
    """Note which page is being shown; a new one takes over what was done on the last."""
    if address.enter(page):
        inputs.apply_inputs(entered=True)


def load() -> None:
    """Begin a run: take over what was moved and typed, and open a new study in the address."""
    memory = st.session_state
    inputs.apply_inputs()
    if "draft" not in memory:
        _show_study(STUDY.get().study)
        STUDY.load()
        if brought := address.held(r"(?:sites|fit)_(\d{1,9})_.*"):
            memory["version"] = int(brought[1])
    STUDY.load()


def adopt(study: Study, scope: Scope | None = None, *, own: bool = False) -> None:
    """Make a study the current one, with its scope if it has one, and show it in the widgets.

    It is the visitor's ``own`` where it was begun here, of rows that were brought.
    """
    STUDY.set(_of(study, scope))
    _show_study(study)
    st.session_state[_OWN] = own


def begun() -> tuple[drafts.Draft, Scope]:
    """Return what goes over to rows that take the place of those that are open, and what is told.

    That is what a visitor told of a study begun here; nothing of an example, a link or a file.
    """
    if st.session_state.get(_OWN):
        return draft(), scope()
    return drafts.first(), Scope.untold()


def begin_anew_if_typed_over() -> bool:
    """Take over nothing of an example of which no row is left; whether that was so."""
    memory = st.session_state
    example = next((p for p in PRESETS if p.key == memory.get(_STORY)), None)
    if example is None or memory.get(_OWN):
        return False
    known = {s.name for s in example.study.servers}, {s.n for s in example.study.servers}
    if any(s.name in known[0] or s.n in known[1] for s in current().servers):
        return False
    memory[_OWN] = True
    set_scope(Scope.untold())
    show(replace(draft(), parameters=drafts.OPENING))
    return True


def _show_study(study: Study) -> None:
    before, memory = st.session_state.get("draft"), st.session_state
    show(drafts.from_study(study, before.parameters if before else None))
    example = matching(study)
    memory[_FRESH], memory[_OWN] = False, False
    memory[_STORY] = example.key if example else None


def show(draft: drafts.Draft) -> None:
    """Show a draft in the widgets, as new widgets where they would keep old values."""
    memory = st.session_state
    memory["draft"] = draft
    memory["version"] = memory.get("version", 0) + 1
    for key in [str(k) for k in memory if str(k).startswith(inputs.ERROR) or k in _FILES]:
        del memory[key]


def draft() -> drafts.Draft:
    """Return what the widgets hold."""
    held: drafts.Draft = st.session_state["draft"]
    return held


def current() -> Study:
    """Return the last study that was complete."""
    return STUDY.get().study


def start_empty() -> None:
    """Show an empty table: what was said about the study before does not go over to it."""
    set_scope(Scope.untold())
    show(drafts.empty())
    st.session_state[_FRESH] = st.session_state[_OWN] = True


def fresh() -> bool:
    """Whether the table is new and no row of it is complete yet."""
    return bool(st.session_state.get(_FRESH))


def keep(study: Study) -> None:
    """Make the study that the widgets hold the current one; they show it already."""
    st.session_state[_FRESH] = False
    STUDY.keep(replace(STUDY.get(), study=study))


def scope() -> Scope:
    """Return what has been said about the current study besides its sites."""
    return STUDY.get().fitted


def alike() -> bool:
    """Whether the answer is for patients of all sites alike, so that no site is the target."""
    return draft().kind == "transfer" and scope().answer("target") == "shared"


def typed() -> Study:
    """Return the study that the widgets hold, or raise `DomainError`."""
    return drafts.to_study(draft(), alike=alike())


def set_scope(scope: Scope) -> None:
    """Keep what has been said about the current study."""
    STUDY.keep(replace(STUDY.get(), scope=scope))


def told() -> Scope | None:
    """Return the scope for a file: None where nothing is said that goes without saying."""
    return scope() if scope() != Scope() else STUDY.get().carried


def carried() -> dict[str, str] | None:
    """Return the parameters of a link that takes the study along; None if it is too long."""
    return STUDY.link(STUDY.get()) or None


def decision(study: Study, scope: Scope, risk: str | None) -> Decision:
    """Return whether a study is worth running, for those who are said to use its result."""
    gain = USUAL_GAIN if scope.gain is None else scope.gain
    use, _ = use_of(study, scope)
    return _decided(
        study, use=use, needed=scope.needed, gain=gain, risk=risk, alike=all_alike(study, scope)
    )


def open_json(data: str | bytes) -> str | None:
    """Open a study file; return what was refused, if anything."""
    try:
        adopt(*codec.open_json(data))
    except DomainError as error:
        return str(error)
    return None
