"""What is asked about a study, and what a decision assumes: each can be changed where it stands.

The line of assumptions has a word for each, and behind it the question, a list or a slider.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from pages.charts import number_text, words
from pages.core import chip, controls, number, pick
from pages.current import fields, state
from pages.study import sites
from rates import numbers
from rates.decision import Decision, check_use, use_of
from rates.numbers import DomainError, Parameter, decades, number_from_text, steps
from rates.study import GAIN, NEEDED, QUESTIONS, USES, Scope, Server, Study, alike, theory_for

NOT_TOLD = "unknown"
_LEFT = "whose_left"  # what was answered instead of "all alike", before a site was named
_NONE = ""


_TITLES = {
    "outcome": "What is learned?",
    "covariates": "How many covariates?",
    "target": "Whose patients is it for?",
    "records": "Records per person",
}


def problems() -> None:
    """Say what of the answers does not go together, and ask what has to be known."""
    ask_site("asked_site")
    fields.problem("needed")
    if state.fresh():
        return
    found: list[str] = []
    with suppress(DomainError):  # of a table that is unfinished nothing is said
        wrong = theory_for(state.typed(), state.scope()).contradictions
        found += [text for name in (*_TITLES, "use") if (text := wrong.get(name))]
    if refusal := use_of(state.current(), state.scope())[1]:
        found.append(words.plain(refusal))
    for text in found:
        st.warning(f"This does not go together: {text}")


def first() -> None:
    """Ask what a study without rows can say already."""
    for name in ("outcome", "target"):
        draw(name, f"if_{name}")


def draw(name: str, key: str, *, in_full: bool = False) -> None:
    """Draw one question of the scope as a list.

    Where it stands ``in_full``, in all its words, its answer changes no kind of study.
    """
    question = QUESTIONS[name]
    title, unsure = question.text, "I don't know"
    if not in_full:
        title, unsure = _TITLES[name], "Not sure"
    now: str = state.scope().answer(name) or NOT_TOLD
    take: Callable[[str], None] = partial(_tell, name)
    if name == "target":
        now, take = _left() or now, _take_target
    elif name == "outcome" and not in_full:
        take = _take_outcome
    options = {NOT_TOLD: unsure, **question.options}
    controls.choose(key, title, options, now, take, help=question.help)


def _tell(name: str, given: str) -> None:
    told = None if given == NOT_TOLD else given
    state.set_scope(state.scope().with_answer(name, told))


_KIND_OF = {"binary": "transfer", "continuous": "federated"}


def _take_outcome(given: str) -> None:
    _tell("outcome", given)
    kind = _KIND_OF.get(given, state.draft().kind)
    if kind != state.draft().kind:
        _switch_kind(kind)


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
        rows = {str(k): str(row["name"]) for k, row in enumerate(state.draft().rows)}
        options = {_NONE: "Not said yet", **rows}
        about = "The one site whose patients the classifier is for."
        controls.choose(key, "Which site?", options, _NONE, _take_site, help=about)
        st.warning("Missing: which site it is. Until that is said, all sites count as alike.")


def _take_site(word: str) -> None:
    left, rows = _left(), state.draft().rows
    if word != _NONE and left:
        _tell("target", left)
        st.session_state[_LEFT] = None
        target = rows[int(word)]
        sites.change(lambda row: {state.TARGET: row is target})


def _left() -> str:
    """The answer that waits for a site; empty if none does, or for another table."""
    version, given = st.session_state.get(_LEFT) or (None, "")
    return given if version == st.session_state["version"] and state.alike() else ""


# Who uses the result, and how many records would do ----------------------------------------------


def _ask_use(key: str) -> None:
    """Ask for the use, of those that the study has; the one that it is decided for is one."""
    study, now, options = state.current(), use_of(state.current(), state.scope())[0], {}
    for use, title in USES.items():
        with suppress(DomainError):
            check_use(study, use)
            if use == now or not (use == "target" and state.alike()):
                options[use] = title

    def take(use: str) -> None:
        state.set_scope(replace(state.scope(), use=use))

    about = (
        "The target itself, in house: its own records need no noise for itself. Each site for "
        "itself: the same for every site, where all are alike. Others have no records: a "
        "publication, a policy."
    )
    controls.choose(key, "Who uses the result?", options, now, take, help=about)


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


# The parameters of the current kind, and the change between kinds ---------------------------------

CONTROLS: Mapping[str, tuple[tuple[Parameter, str], ...]] = {  # parameters with their titles
    "transfer": (
        (numbers.SMOOTHNESS_CLASSIFICATION, "Smoothness β"),
        (numbers.DIMENSION, "Dimension d"),
        (numbers.MARGIN, "Margin α"),
    ),
    "federated": (
        (numbers.SMOOTHNESS_REGRESSION, "Smoothness α"),
        (numbers.INTEGRABILITY, "Integrability p"),
    ),
}


def risk(key: str) -> str:
    """Ask which error counts for a curve; a classifier has one only."""
    if state.current().target is not None:
        return "classification"
    return str(pick(key, "Error that counts", words.RISKS, kept=False))


def _switch_kind(kind: str) -> None:
    """Show a study of the other kind; sites and the other kind's parameters are kept."""
    before = state.draft()
    rows = [dict(row) for row in before.rows]
    if kind == "transfer" and rows and not any(row[state.TARGET] for row in rows):
        # A classifier needs one; of the rows nothing says which.
        rows[0][state.TARGET] = True
    state.show(replace(before, kind=kind, rows=tuple(rows)))


def _control(parameter: Parameter, title: str) -> None:
    """Show one parameter of the current kind."""
    draft, name = state.draft(), parameter.name
    take = partial(_moved, draft.kind, name)
    value = draft.parameters[draft.kind][name]
    number(f"{draft.kind}_{name}", title, parameter, value, take)


def _moved(kind: str, name: str, value: float) -> None:
    """Take a parameter over; of a dimension the number of covariates is told with it."""
    now = state.draft()
    changed = {**now.parameters[kind], name: value}
    st.session_state["draft"] = replace(now, parameters={**now.parameters, kind: changed})
    scope = state.scope().told(name)
    if name == "dimension":
        # The dimension is the number of covariates, asked in other words.
        scope = scope.with_answer(
            "covariates", "one" if value == 1 else "few" if value <= 5 else "many"
        )
    state.set_scope(scope)


BUDGETS = decades(-2, 2)
BUDGET_FACTOR = Parameter(
    "factor",
    "factor",
    "[0.001, 1000]",
    rule="A factor on every budget must lie between 0.001 and 1,000.",
    stops=decades(-1, 1),
    help="Multiplies the budgets ε of all protected sites in the table once.",
)


def _levers() -> None:
    """A slider for the budgets of all protected sites, if any are; it writes into the table."""
    private = [s for s in state.current().servers if s.private]
    if len({s.epsilon for s in private}) > 1:  # the slider then stands at 1 again
        number("lever_factor", "Multiply every ε by", BUDGET_FACTOR, 1.0, _multiply)
    else:
        title = "Common budget ε" if len(private) > 1 else "Budget ε"
        take = partial(sites.write, "epsilon", applies=lambda row: not row[state.UNPROTECTED])
        number("lever_epsilon", title, numbers.EPSILON, private[0].epsilon, take, BUDGETS)


def _multiply(factor: float) -> None:
    """Multiply budgets that differ, to four digits; what is no number yet stays as typed."""

    def times(row: state.Row) -> state.Row:
        try:
            value = factor * float(number_from_text(row["epsilon"], "epsilon"))
        except DomainError:
            return {}
        return {} if row[state.UNPROTECTED] else {"epsilon": f"{value:.4g}"}

    sites.change(times)


# The line of assumptions --------------------------------------------------------------------------

_GAMMAS = steps(0.1, 4.0, 0.1)
_DELTAS = decades(-12, -2)
_GAINS = (1.0, 1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Assumption:
    """One thing that a decision takes as given.

    Attributes:
        key: Its name: a number of the study, a question of the scope, "use" or "gain".
        text: It in a few words, Markdown.
        told: Whether somebody told it.
    """

    key: str
    text: str
    told: bool


def taken(study: Study, scope: Scope, found: Decision) -> list[Assumption]:
    """Return what a decision takes as given: numbers, answers, the use and the gain."""
    transfer, all_alike = study.target is not None, alike(study, scope)
    out: list[Assumption] = []
    for parameter, title in CONTROLS[study.kind]:
        name, letter = parameter.name, title.rpartition(" ")[2]
        text = f"{letter} = {number_text(getattr(study, name))}"
        out.append(Assumption(name, text, name not in scope.assumed))
    if study.sources and not all_alike:
        gammas = [s.signal_exponent for s in study.sources]
        told = "signal_exponent" not in scope.assumed or {*gammas} != {1}
        out.append(Assumption("signal_exponent", f"γ = {words.extremes(gammas)}", told))
    if deltas := [s.delta for s in study.servers if s.private and s.delta is not None]:
        text = f"δ = {words.extremes(deltas)}"
        out.append(Assumption("delta", text, "delta" not in scope.assumed))
    answers = {"outcome": "yes-or-no outcome" if transfer else "measured outcome"}
    if not transfer:
        answers["covariates"] = "one covariate"
    if all_alike or not transfer:
        answers["target"] = "all sites alike" + (" (γ = 1)" if transfer else "")
    elif study.sources:
        answers["target"] = f"target {words.md(study.servers[0].name)}"
    k = scope.records_per_person or 1
    several = scope.answer("records") == "several" and k > 1
    answers["records"] = f"up to {k} records per person" if several else "one record per person"
    out += [Assumption(x, text, scope.answer(x) is not None) for x, text in answers.items()]
    use = USES[found.use]
    out.append(Assumption("use", f"used by {use[0].lower()}{use[1:]}", scope.use == found.use))
    if found.users:
        text = f"pays from {words.number(found.factor)} × own"
        out.append(Assumption("gain", text, scope.gain is not None))
    return out


def line(found: Decision) -> None:
    """Show what is given and assumed in a row; a click on one changes it."""
    study, scope = state.current(), state.scope()
    budgets = [s.epsilon for s in study.servers if s.private]
    need = f"{words.number(scope.needed)} records would do" if scope.needed else "how many would do"
    shown = [
        *([Assumption("epsilon", f"ε = {words.extremes(budgets)}", True)] if budgets else []),
        *taken(study, scope, found),
        Assumption("needed", need, scope.needed is not None),
    ]
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.caption("If (?: not told)", width="content")
        for one in shown:
            if place := chip(f"chip_{one.key}", one.text if one.told else f"{one.text} ?"):
                with place:
                    _ask(one.key, found)


def _ask(key: str, found: Decision) -> None:
    """Draw what changes one assumption."""
    study = state.current()
    named = {p.name: (p, title) for p, title in CONTROLS[state.draft().kind]}
    if key in named:
        _control(*named[key])
    elif key == "epsilon":
        _levers()
    elif key == "signal_exponent":
        whose = study.sources[0].name if len(study.sources) == 1 else "all others"
        _common(study.sources, f"Signal γ of {whose}", numbers.SIGNAL_EXPONENT, _GAMMAS)
    elif key == "delta":
        private = [s for s in study.servers if s.private]
        _common(private, "δ of every protected site", numbers.DELTA, _DELTAS)
    elif key == "needed":
        ask_need()
    elif key == "gain":
        number("if_gain", "Gain asked for", GAIN, found.factor, _take_gain, _GAINS)
    elif key == "use":
        _ask_use("if_use")
    else:
        draw(key, f"if_{key}")


def _common(
    rows: Sequence[Server], title: str, parameter: Parameter, stops: tuple[float, ...]
) -> None:
    """Ask for one value in place of those that the rows have."""
    field = parameter.name
    # A site may state none.
    values = sorted({getattr(s, field) for s in rows} - {None})
    if len(values) > 1:
        st.caption(f"The rows differ: {words.between(values[0], values[-1])}. This sets them all.")
    names = {s.name for s in rows}

    def write(value: float) -> None:
        state.set_scope(state.scope().told(field))
        sites.write(field, value, lambda row: row["name"] in names)

    number(f"if_{field}", title, parameter, values[0], write, stops)


def _take_gain(value: float) -> None:
    state.set_scope(replace(state.scope(), gain=value))
