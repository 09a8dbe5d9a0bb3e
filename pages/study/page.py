"""The page: is this study worth running, for whom, and what does privacy cost it?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import streamlit as st

import rates
from pages import pictures
from pages.charts import words
from pages.core import blocks, fold, layout, pick, presenter, sync_url, with_lines
from pages.current import state, takeaway
from pages.study import questions, sites, verdict
from rates.answer import Cost, RiskAnswer, SiteTerm, TransferAnswer
from rates.decision import Decision
from rates.study import Study

VIEWS = {"sites": "What survives", "shares": "Who carries it"}
MOST_USERS = 8
MOST_ROWS = 12


def draw(report: Callable[[Study, Cost], None]) -> None:
    """Draw the page: the decisions first, then what they rest on.

    Args:
        report: Offers the report on a study, which knows more pages than this one.
    """
    presenter.title("Is this study worth running, and for whom?")
    sites.show_brought()
    with st.container(key=layout.FIRST):  # on a phone the numbers come last of it
        answer_place = st.container(gap="xsmall")
        layout.address_notes()
        numbers_place = st.container(gap="xsmall", key=layout.AFTER)
        table_place, figure_place = layout.aside((1, 1))
    with table_place:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            sites.examples()
            sites.paste_box()
            takeaway.open_file()
        sites.editor()
        problem_place = st.container()
    # Before the answer, which rests on what was just typed.
    stale = sites.take_over(problem_place)
    questions.take_need()
    with problem_place:  # of the study as it is now, after what was just typed
        questions.problems()
    if state.fresh():
        answer_place.info(_EMPTY)
        with problem_place:
            questions.first()
        sync_url()
        return
    study, scope = state.current(), state.scope()
    with problem_place:
        blocks.show(
            (blocks.Note(x, "warning") for x in sites.warnings(study.servers)), page="study"
        )
        if scope.answers:
            state.scope_line()
    with figure_place:
        view, risk = pick("view", "Show", VIEWS, hidden=True), questions.risk("risk")
        _view(study, risk, view)
    cost = next(cost for cost in state.cost(study) if cost.risk == risk)
    found = state.decision(study, scope, risk)
    told = verdict.said(found, {**(state.carried() or {}), **layout.OFFERS_OPEN})
    with answer_place:
        _verdict(found, told)
    with numbers_place:
        if told:
            with st.container(horizontal=True, gap="medium", key=layout.ANSWERS):
                _answers(study, cost)
        questions.line(found)
    if told:
        _further(found, told[1:])
    if place := fold("Why: the equation with this study's numbers", "why_fold"):
        with place:
            blocks.show(_equation(study, cost), page="why")
    blocks.show([blocks.Fold(words.LIMITS, [blocks.Text(verdict.limits(risk))])], page="study")
    takeaway.take_box(study, stale=stale, report=partial(report, study, cost))
    sync_url()


_EMPTY = "Fill in the first row: a name, its records n and its budget ε. The answer appears here."


def _verdict(found: Decision, told: Sequence[tuple[str, str]]) -> None:
    """Show whether the study is worth running, and what would let it be said."""
    text, help_ = told[0] if told else (verdict.NOTHING, None)
    st.markdown(text, help=help_)
    if found.missing:
        sites.delta_button("verdict_delta")


def _further(found: Decision, told: Sequence[tuple[str, str]]) -> None:
    """Show in a fold who gains, who may stay out, what it would take, where it turns; a world."""
    if (place := fold(verdict.MORE, "more_fold")) is None:
        return
    with place:
        if len(found.users) > 1:
            gains = {k: x[:MOST_USERS] for k, x in verdict.gains(found).items()}
            blocks.show([blocks.Table(gains, "Who gains, site by site")], page="study")
            if (rest := len(found.users) - MOST_USERS) > 0:
                st.caption(f"The {MOST_USERS} largest gains; {rest:,} more rows.")
        for text, help_ in told:
            st.markdown(text, help=help_)
        said, which = verdict.in_a_world(state.current(), found.risk, found.use)
        st.markdown(said, help=which or None)


def _answers(study: Study, cost: Cost) -> None:
    """Show the numbers of both answers."""
    equation, mechanism = cost.equation, "Effective records, named mechanism"
    whose, own = "on one site", ""
    if study.target is not None:
        whose, own = "of the target", _STATED if study.target.private else ""
    _metric(
        "Effective records, rate equation",
        words.number(equation.answer.effective_n),
        f"{words.percent(equation.kept)} of no privacy",
        f"Statistically the study is worth about this many unprotected records {whose} alone, "
        f"up to a constant. Below: as a fraction of what it would be worth without privacy.{own}",
    )
    if cost.mechanism:
        kept, help_ = verdict.kept_range(cost), f"The same for a {cost.scale}.{own}"
        worth = verdict.worth_range(cost)
        _metric(mechanism, worth, f"{kept} of no privacy", help_)
    else:
        _metric(mechanism, "needs every δ", help=str(cost.missing))
    _metric(
        "Error against no privacy",
        f"× {words.number(equation.rate_ratio)} | × {verdict.ratio_range(cost)}",
        "equation | mechanism",
        "How many times larger privacy makes the worst-case excess error, by the rate equation "
        "and by the named mechanism. It is neither a risk, nor a hazard ratio, nor power.",
    )


def _metric(label: str, value: str, below: str = "", help: str = "") -> None:
    # What stands below is no change, so it has neither colour nor arrow.
    plain: dict[str, Any] = {"delta_color": "off", "delta_arrow": "off", "width": "content"}
    st.metric(label, value, below or None, help=help or None, **plain)


_STATED = (
    " As stated, with noise on the target's own records too. If the target itself uses the "
    "result, they need none: the sentence above counts them so."
)


def _view(study: Study, risk: str, view: str) -> None:
    """Draw a view of the study."""
    drawn = pictures.sites.picture(study, risk) if view == "sites" else None
    if drawn is not None:
        pictures.show(drawn, key="sites")
    else:
        shares = with_lines(verdict.shares_of, study, risk, alike=state.alike())
        blocks.show([shares], page="study")


# Why the answer is what it is: the equation with the study's own numbers, and its limits ----------

_TRANSFER = r"""\sum_{j=0}^m (n_j\wedge n_j^2\varepsilon_j^2 r^d)\, r^{2\beta\gamma_j+d}=1
\text{rate}=\min\{1,\, r^{\beta(1+\alpha)}\}"""
_FEDERATED = r"""D^{2g+2}=\sum_{j=1}^m (n_j^2\varepsilon_j^2)\wedge(n_j D)
\text{rate}=\min\{1,\, D^{-2g}\}"""


def _equation(study: Study, cost: Cost) -> Iterator[blocks.Block]:
    transfer = study.kind == "transfer"
    yield blocks.Formula(_TRANSFER if transfer else _FEDERATED)
    yield blocks.Text(_TRANSFER_WORDS if transfer else _FEDERATED_WORDS)
    rows = state.site_terms(study, cost.risk)
    yield blocks.Text(_letters(study, cost))
    if rows:
        yield blocks.Table(_table(study, rows, cost), "The equation row by row")
        if len(rows) > MOST_ROWS:
            yield blocks.Note(f"The {MOST_ROWS} largest of {len(rows)} rows.")
        yield lambda: verdict.show_balance(study, cost.risk, key="figure_balance")
    if cost.scale:
        yield blocks.Text(f"**The named answer** is for a {words.md(cost.scale)}. {_MECHANISM}")
    yield blocks.Text("**What the theorem asks for, with this study's numbers**")
    for note in rates.solve(study).notes:
        mark = {True: "✓", False: "✗", None: "?"}[note.holds]
        yield blocks.Text(f"{mark} {words.md(note.text)} ({words.cited(note.source)})")
    yield lambda: layout.statements_used("study", study.paper)


_SMALLER = (
    "Each site adds one term; ∧ takes the smaller of two numbers, and which one it is says what "
    "binds the site: its sample n, or its privacy."
)
_TRANSFER_WORDS = (
    f"{_SMALLER} r is the distance over which the classifier averages. The terms at the root are "
    "the shares. [ACC] Theorem 3.4, equations (5) and (6)."
)
_FEDERATED_WORDS = (
    f"{_SMALLER} g is α for the error over the whole curve and α - 1/p for the error at one point; "
    "D is the number of coefficients worth estimating. [CCV] Theorem 2.1, equations (14) and (17)."
)
_MECHANISM = (
    "There the variances of sampling and of privacy noise add up, with their constants, instead "
    "of the larger one being taken."
)


def _letters(study: Study, cost: Cost) -> str:
    """Every letter of the formula with its value."""
    answer = cost.equation.answer
    if isinstance(answer, TransferAnswer) and study.target is not None:
        smoothness, margin = words.number(study.smoothness), words.number(study.margin)
        given = f"β = {smoothness}, d = {study.dimension}, α = {margin}; n, ε and γ"
        root, power = f"r = **{words.number(answer.r, 4)}**", "r^(β(1+α))"
    else:
        assert isinstance(answer, RiskAnswer)
        given = f"g = {words.number(answer.smoothness)}; n and ε"
        root, power = f"D = **{words.number(answer.D, 4)}**", "D^(-2g)"
    return (
        f"Here {given} of each site stand in the table; the root is {root}, and the rate {power} "
        f"is **{words.number(answer.rate, 4)}**, up to constants and logarithms."
    )


def _table(study: Study, rows: tuple[SiteTerm, ...], cost: Cost) -> dict[str, list[str]]:
    answer = cost.equation.answer
    transfer = study.kind == "transfer"
    # The largest shares, in the order of the table.
    order = sorted(sorted(range(len(rows)), key=lambda k: -answer.shares[k])[:MOST_ROWS])
    sample, privacy = ("n", "n² ε² rᵈ") if transfer else ("n D", "n² ε²")
    return {
        "Site": [rows[k].name for k in order],
        f"Sample allows {sample}": [words.number(rows[k].sample) for k in order],
        f"Privacy allows {privacy}": [words.number(rows[k].privacy) for k in order],
        "Smaller one": [answer.limited_by[k] for k in order],
        "Share": [words.percent(answer.shares[k]) for k in order],
    }
