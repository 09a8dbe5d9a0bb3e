"""The current study of a session: from the address, kept across pages, back to the address."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import streamlit as st

import rates
from pages.parts.session import draft as drafts
from pages.parts.session import inputs
from pages.parts.session.inputs import ERROR
from rates.answer import Condition, Cost, Lens, compare, privacy_cost
from rates.answer import terms as equation
from rates.numbers import DomainError
from rates.study import PRESETS, Scope, Study, codec, fitted, matching, scope_of, tables

PARAMETER = "study"
_FILES = ("paste_error", "upload_error")
FACTORS = tuple(10 ** (k / 15) for k in range(-30, 31))  # by which all budgets are scaled

# A frozen study is its own key, so answers are shared between reruns and sessions.
cost = functools.lru_cache(maxsize=256)(privacy_cost)
alternatives = functools.lru_cache(maxsize=64)(
    lambda study, risk: compare.alternatives(study, Lens(risk=risk))
)
sweep = functools.lru_cache(maxsize=64)(
    lambda study, risk, factors: compare.budget_sweep(study, factors, Lens(risk=risk))
)
_link = functools.lru_cache(maxsize=64)(codec.to_link)
site_terms = functools.lru_cache(maxsize=64)(equation.site_terms)


def touch() -> None:
    """Note that the user has just acted on a widget; for callbacks.

    A browser sends the address along with every action. While actions follow each other
    quickly it may still be the address before the last one, which must not undo them.
    """
    st.session_state["touched"] = True


def untouched() -> bool:
    """Whether this run comes from the address alone: a link, Back, Forward or a reload."""
    return not st.session_state.get("touched", False)


def arrived(seen: Sequence[str | None], now: Sequence[str]) -> bool:
    """Whether the address brings other values than those that were seen or written last.

    A link, Back or Forward does. Back may also bring none, which asks for what is usual; a page
    that is entered without any keeps what the session has.
    """
    entering = st.session_state.get("published") is None
    changed = [text or "" for text in seen] != [*now]
    return untouched() and changed and (any(now) or not entering)


def rest() -> None:
    """Forget the user's last action, at the end of a run."""
    st.session_state["touched"] = False


def load() -> None:
    """Begin a run: take over what was moved and typed, and open a new study in the address."""
    memory = st.session_state
    if inputs.settle(acted=not untouched()):
        touch()
    if "draft" not in memory:
        adopt(PRESETS[0].study)
    address = st.query_params.get(PARAMETER)
    if address and address != memory.get("link") and untouched():
        memory["link"] = address
        try:
            adopt(*codec.open_link(address))
            memory["link_error"] = None
        except DomainError as error:
            memory["link_error"] = str(error)


def adopt(study: Study, scope: Scope | None = None) -> None:
    """Make a study the current one, with its scope if it has one, and show it in the widgets."""
    memory = st.session_state
    before = memory.get("draft")
    memory["study"] = study
    memory["scope"] = scope_of(study) if scope is None else scope
    show(drafts.from_study(study, before.parameters if before else None))


def show(draft: drafts.Draft) -> None:
    """Show a draft in the widgets, as new widgets where they would keep old values."""
    memory = st.session_state
    memory["draft"] = draft
    memory["version"] = memory.get("version", 0) + 1
    for key in [str(k) for k in memory if str(k).startswith(ERROR) or k in _FILES]:
        memory[key] = None


def draft() -> drafts.Draft:
    """Return what the widgets hold."""
    return st.session_state["draft"]


def current() -> Study:
    """Return the last study that was complete."""
    return st.session_state["study"]


def scope() -> Scope:
    """Return what has been said about the current study besides its sites."""
    return fitted(st.session_state["scope"], current())


def set_scope(scope: Scope) -> None:
    """Keep what has been said about the current study."""
    st.session_state["scope"] = scope


def told() -> Scope | None:
    """Return the scope for a file: None where nothing is said that goes without saying."""
    return scope() if scope() != Scope() else carried()


def carried() -> Scope | None:
    """Return the scope for a link: None where it is the one a study comes with."""
    return None if scope() == scope_of(current()) else scope()


def publish() -> bool:
    """Write the current study into the address; False if it is too long for a link.

    This ends a page, which has taken in what the user did.
    """
    rest()
    memory = st.session_state
    address = link()
    if address is None:
        st.query_params.pop(PARAMETER, None)
        memory["link"] = None
        return False
    # Going back to the entry of this page that had no study yet must not add a new entry:
    # the browser could never get past it.
    went_back = PARAMETER not in st.query_params and memory.get("published") == _entry(address)
    # The address of this request may be older than what was published last, which is on its way.
    late = st.query_params.get(PARAMETER) != address or memory.get("link") != address
    if late and not went_back:
        st.query_params[PARAMETER] = address
    memory["link"] = address
    memory["published"] = _entry(address)
    return True


def link() -> str | None:
    """Return the current study as a link's value; None if it is too long for one."""
    address = _link(current(), carried())
    return address if len(address) <= codec.MAX_LINK else None


def entered(page: str) -> None:
    """Note which page is being shown; a new one has not published anything yet."""
    memory = st.session_state
    if memory.get("page") != page:
        if inputs.leave():
            touch()
        memory["page"] = page
        memory["published"] = None


def _entry(address: str) -> tuple[str, str]:
    return st.session_state.get("page", ""), address


def costs() -> tuple[Cost, ...]:
    """Return both answers for the current study, one entry per risk."""
    return cost(current())


def notes() -> tuple[Condition, ...]:
    """Return what the theorem asks of the current study."""
    return rates.solve(current()).notes


def replace_sites(table: str | bytes) -> str | None:
    """Put the sites of a table into the current study; return what was refused, if anything.

    What has been said about the study stays, unless it was about an example.
    """
    try:
        study = tables.with_csv(current(), table)
        adopt(study, None if matching(current()) else fitted(scope(), study))
    except DomainError as error:
        return str(error)
    return None


def open_json(data: str | bytes) -> str | None:
    """Open a study file; return what was refused, if anything."""
    try:
        adopt(*codec.open_json(data))
    except DomainError as error:
        return str(error)
    return None
