"""The current study of a session: as it is being edited, and as it was last complete.

It comes from the address, is kept across pages, and goes back to the address. While it is edited it
is text as typed, which may still be wrong.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages.charts import number_text, words
from pages.core import Texts, UrlState, address, inputs
from rates import answer, numbers
from rates.answer import Lens, compare, privacy_cost
from rates.decision import Decision, decide, use_of
from rates.numbers import SERVER_FIELDS, DomainError, Words, as_read, number_from_text
from rates.rows import TITLES, blank, unprotected
from rates.study import (
    PRESETS,
    REQUIRED,
    USUAL_GAIN,
    Fit,
    Preset,
    Scope,
    Server,
    Study,
    codec,
    fitted,
    matching,
    scope_of,
    theory_for,
)
from rates.study import alike as all_alike

PARAMETER = "study"
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

    def write(self, value: Current) -> Texts:
        return {PARAMETER: _link(value.study, value.carried)}


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
        # Widgets that the browser brought go on under the version they were drawn with.
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


def begun() -> tuple[Draft, Scope]:
    """Return what goes over to rows that take the place of those that are open, and what is told.

    That is what a visitor told of a study begun here; nothing of an example, a link or a file.
    """
    if st.session_state.get(_OWN):
        return draft(), scope()
    return no_rows(), Scope.untold()


def begin_anew_if_typed_over() -> bool:
    """Take over nothing of an example of which no row is left; whether that was so."""
    memory = st.session_state
    example: Preset | None = memory.get(_STORY)
    if example is None or memory.get(_OWN):
        return False
    names, sizes = ({getattr(s, x) for s in example.study.servers} for x in ("name", "n"))
    # A row that is left is an edit of the example, not another study.
    if any(s.name in names or s.n in sizes for s in current().servers):
        return False
    memory[_OWN] = True
    set_scope(Scope.untold())
    show(replace(draft(), parameters=OPENING))
    return True


def _show_study(study: Study) -> None:
    before, memory = st.session_state.get("draft"), st.session_state
    memory[_FRESH], memory[_OWN], memory[_STORY] = False, False, matching(study)
    show(draft_of(study, before.parameters if before else None))


def show(draft: Draft) -> None:
    """Show a draft in the widgets, as new widgets where they would keep old values."""
    memory = st.session_state
    memory["version"] = memory.get("version", 0) + 1
    for key in [str(k) for k in memory if str(k).startswith(inputs.ERROR) or k == "upload_error"]:
        del memory[key]
    # Last: a run may be cut short at each of these lines, and the next one takes all to be there.
    memory["draft"] = draft


def draft() -> Draft:
    """Return what the widgets hold."""
    held: Draft = st.session_state["draft"]
    return held


def current() -> Study:
    """Return the last study that was complete."""
    return STUDY.get().study


def start_empty() -> None:
    """Show an empty table: what was said about the study before does not go over to it."""
    set_scope(Scope.untold())
    st.session_state[_FRESH] = st.session_state[_OWN] = True
    show(one_row())


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
    return to_study(draft(), alike=alike())


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


# A study while it is being edited -----------------------------------------------------------------

TARGET, UNPROTECTED = "target", "unprotected"
_FIRST = ("name", TARGET, "n", "epsilon", UNPROTECTED)
COLUMNS = (*_FIRST, *(field for field in SERVER_FIELDS if field not in _FIRST))
TICKS = (TARGET, UNPROTECTED)
PARAMETERS = {"transfer": numbers.TRANSFER_FIELDS, "federated": numbers.FEDERATED_FIELDS}
# Nobody told these: a decision marks them as assumed.
OPENING = {
    "transfer": {"smoothness": 0.5, "dimension": 2, "margin": 1.0},
    "federated": {"smoothness": 1.5, "integrability": math.inf},
}

# Text as it was typed: what cannot be read has to stay, to be mended.
Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What the widgets hold.

    Attributes:
        kind: "transfer" or "federated".
        parameters: Per kind, the parameters; both are kept when the kind is switched.
        rows: One mapping per row with the keys of `COLUMNS`: text, and two ticks.
    """

    kind: str
    parameters: Mapping[str, Mapping[str, float]]
    rows: tuple[Row, ...]


def draft_of(study: Study, other: Mapping[str, Mapping[str, float]] | None = None) -> Draft:
    """Return the draft that shows ``study``."""
    kind = "transfer" if study.kind == "transfer" else "federated"
    parameters = {**OPENING, **(other or {})}
    parameters[kind] = {name: getattr(study, name) for name in PARAMETERS[kind]}
    rows = [
        row_from_server(server, target=kind == "transfer" and number == 0)
        for number, server in enumerate(study.servers)
    ]
    return Draft(kind=kind, parameters=parameters, rows=tuple(rows))


def row_from_server(server: Server, *, target: bool) -> Row:
    """Return a row of text for one site.

    >>> row_from_server(Server(name="A", n=30, epsilon=math.inf), target=True)["unprotected"]
    True
    """
    row: Row = {"name": server.name, TARGET: target, UNPROTECTED: math.isinf(server.epsilon)}
    for field, parameter in SERVER_FIELDS.items():
        value = getattr(server, field)
        text = str if parameter.whole else number_text
        row[field] = "" if value in (None, math.inf) else text(value)
    return row


def no_rows() -> Draft:
    """Return a draft without rows, with the parameters at first."""
    return Draft(kind="transfer", parameters=OPENING, rows=())


def one_row() -> Draft:
    """Return a draft with one empty row, and with the parameters at first."""
    row: Row = dict.fromkeys(COLUMNS, "")
    row[TARGET], row[UNPROTECTED] = True, False
    return replace(no_rows(), rows=(row,))


def ticked(row: Row) -> Row:
    """Return a row with the tick that the words of its budget stand for.

    >>> ticked({"epsilon": "none", "unprotected": False})
    {'epsilon': 'none', 'unprotected': True}
    """
    return {**row, UNPROTECTED: True} if unprotected(str(row.get("epsilon") or "")) else row


def readings(draft: Draft) -> Iterator[str]:
    """Say what is read out of cells that hold more than a number.

    >>> row = {"name": "A", "n": "200k", "epsilon": "none"}
    >>> list(readings(Draft(kind="transfer", parameters={}, rows=(row,))))
    ['A: Records n is read as 200,000 (200k).', 'A: Budget ε is read as unprotected (none).']
    """
    for number, row in enumerate(draft.rows, start=1):
        name = str(row.get("name") or "").strip() or f"Row {number}"
        for field, parameter in SERVER_FIELDS.items():
            text = str(row.get(field) or "").strip()
            read = as_read(text, whole=parameter.whole)
            if field == "epsilon" and unprotected(text):
                read = f"unprotected ({text})"
            if read:
                yield f"{name}: {TITLES[field]} is read as {read}."


def to_study(draft: Draft, *, alike: bool = False) -> Study:
    """Return the study a draft describes.

    Args:
        draft: What the widgets hold.
        alike: Whether all sites are alike, so that the first stands for the target if none is.

    Raises:
        DomainError: Something is missing or refused; the message names row and field.
    """
    rows = [_row(row, number, draft.kind) for number, row in enumerate(draft.rows, start=1)]
    if not rows:
        rule = "A study needs at least one site: add a row to the table."
        raise DomainError(rule, field="sites", value=Words("an empty table"))
    if draft.kind == "transfer":
        # The codec asks for a target; where all are alike any site may stand for it.
        if alike and not any(row.get(TARGET) for row in draft.rows):
            rows[0]["role"] = "target"
        else:
            _check_one_target(draft.rows)
    return codec.build(draft.kind, draft.parameters[draft.kind], rows)


def _check_one_target(rows: Iterable[Row]) -> None:
    ticked = [number for number, row in enumerate(rows, start=1) if row.get(TARGET)]
    if len(ticked) == 1:
        return
    rule = "Tick exactly one site as the target, the one whose patients the answer is for."
    got = Words("none" if not ticked else "rows " + ", ".join(map(str, ticked[:5])))
    raise DomainError(rule, field="target", value=got, where="Sites")


def _row(row: Row, number: int, kind: str) -> Row:
    """Turn one row of text into plain data for the codec."""
    name = row.get("name") or ""
    where = f"Row {number} ({name!r})" if name else f"Row {number}"
    out: Row = {"name": name}
    if kind == "transfer" and row.get(TARGET):
        out["role"] = "target"
    for field in SERVER_FIELDS:
        # Kept in the row for the way back to a classifier, and no field of a curve.
        if field == "signal_exponent" and kind == "federated":
            continue
        text = str(row.get(field) or "").strip()
        if field == "epsilon" and (row.get(UNPROTECTED) or unprotected(text)):
            out[field] = "inf"
        elif field == "epsilon" and blank(text):
            rule = "epsilon is a number; tick unprotected if the site has none."
            raise DomainError(rule, field=field, value=text, where=where)
        elif text:
            out[field] = number_from_text(text, field, where, whole=SERVER_FIELDS[field].whole)
        elif field in REQUIRED:
            raise _missing(field, where)
    if not name.strip():
        raise _missing("name", where)
    return out


def _missing(field: str, where: str) -> DomainError:
    rule = f"{field} is required{', or tick unprotected' if field == 'epsilon' else ''}."
    return DomainError(rule, field=field, value=Words("an empty cell"), where=where)


# Which theory covers it ---------------------------------------------------------------------------

THEORY = {
    "ACC": "the classification theory [ACC]",
    "CCV": "the regression theory [CCV]",
    "KS": "the theory of volunteers and a population [KS]",
    "BCMM": "the theory of open data and one target [BCMM]",
    "DPLR": "the theory of logistic regression across sites [DPLR]",
    "CAC": "the theory of one column at each of two sites [CAC]",
}


def scope_line() -> None:
    """Write whether a theory covers the study."""
    st.caption(words.keyed(covered(theory_for(current(), scope()), scope())))


def covered(found: Fit, scope: Scope) -> str:
    """Say whether a theory covers a study, in a line of Markdown.

    >>> from rates.presets import preset
    >>> study = preset("phones").study
    >>> print(covered(theory_for(study, Scope()), Scope()))
    Whether a theory covers this study has not been asked yet.
    """
    # A verdict about questions that nobody asked would be read as one about the study.
    if not scope.answers:
        return "Whether a theory covers this study has not been asked yet."
    name, rest = THEORY[found.theory.key], len(found.unknown)
    text = f"**Within {name}**, by the answers given."
    if found.broken:
        listed = words.listed([b.assumption for b in found.broken])
        text = f"**No theory here covers this study.** The nearest is {name}; broken: {listed}."
    elif rest:
        questions = "question" if rest == 1 else "questions"
        text = f"**Within {name}**, as far as answered; {rest} {questions} open."
    return f"{text} {elsewhere(found)}".strip()


def elsewhere(found: Fit) -> str:
    """Say that the study's numbers are of a theory that does not cover it; empty if they are not.

    >>> from rates.presets import preset
    >>> scope = Scope(answers=(("outcome", "continuous"), ("target", "shared")))
    >>> print(elsewhere(theory_for(preset("hospitals").study, scope)))
    The study's numbers are those of the classification theory [ACC], which does not cover it.
    """
    if not found.elsewhere:
        return ""
    return f"The study's numbers are those of {THEORY[found.own]}, which does not cover it."
