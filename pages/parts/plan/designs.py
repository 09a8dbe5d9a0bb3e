"""Design A, the current study, against design B: on one figure, in one table, over ranges."""

from __future__ import annotations

import functools
import urllib.parse
from dataclasses import dataclass

import streamlit as st

from pages.figures import plan as figures
from pages.figures.chart import Drawn, words
from pages.parts.fit import words as fit_words
from pages.parts.frame import figure_card, tables
from pages.parts.plan import goal as plan_goal
from pages.parts.plan import state as plan_state
from pages.parts.plan.view import View
from pages.parts.report import subject as report_subject
from pages.parts.session import button, fields, state
from rates.answer import Lens
from rates.numbers import DomainError, Words
from rates.plan import Duel, versus, versus_curve
from rates.study import PRESETS, Scope, Study, codec, fitted

LABELS = {"epsilon": "Every budget of both multiplied by", "n": "All records of both multiplied by"}
_ERROR = "plan_other_error"

_duel = functools.lru_cache(maxsize=64)(lambda a, b, risk: versus(a, b, lens=Lens(risk=risk)))
_curve = functools.lru_cache(maxsize=64)(
    lambda a, b, lever, risk: versus_curve(a, b, lever, state.FACTORS, lens=Lens(risk=risk))
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two designs of one problem.

    Attributes:
        first: Design A.
        second: Design B: its sites, with the parameters of A.
        moved: Whether B was stated with other parameters.
        duel: Both side by side.
    """

    first: Study
    second: Study
    moved: bool
    duel: Duel


def pair(study: Study, view: View) -> tuple[Pair | None, str]:
    """Return both designs, or why they cannot be compared; neither where there is no B."""
    other = view.other
    if other is None:
        return None, ""
    if type(other) is not type(study):
        return None, (
            "Design B is of the other kind: a classifier and a curve have no common measure. "
            "Choose a design of the same kind."
        )
    second = study.with_servers(other.servers)
    try:
        found = _duel(study, second, plan_goal.risk(study, view))
    except DomainError as refusal:
        return None, str(refusal)
    return Pair(first=study, second=second, moved=second != other, duel=found), ""


def section(study: Study, view: View) -> None:
    """Choose design B and show both."""
    _choose(study)
    found, refusal = pair(study, view)
    if refusal:
        st.error(words.plain(refusal))
    if found is None:
        if not refusal:
            st.caption(
                "There is no design B yet. Keep this study as B and change it on the page Study, "
                "open an example as B, or paste the link of another study."
            )
        return
    st.markdown(sentence(found))
    if found.moved:
        st.caption(
            "Design B was stated with other parameters. Its sites are compared under the "
            "parameters of this study: unknown constants cancel only within one problem."
        )
    lever = fields.choose("plan_along", "Change along the figure", LABELS, "epsilon")
    figure_card.show(picture(found, lever), key="figure_designs")
    tables.show(columns(found), alt="Both designs")
    if not found.duel.missing:
        st.caption(plan_goal.bandwidth(study))
    if over := ranges(found, state.scope()):
        tables.show(over, alt="Both designs over what is not known")
        st.caption(RANGES)


def _choose(study: Study) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        button("Keep this study as design B", "plan_keep", _keep, study)
        with st.popover("Example as design B"):
            for preset in PRESETS:
                if type(preset.study) is type(study):
                    button(preset.title, f"plan_b_{preset.key}", _keep, preset.study)
        with st.popover("Link as design B"):
            st.text_input("Link of another study", key="plan_other_link")
            button("Use this link", "plan_use_link", _use_link)
            if problem := st.session_state.get(_ERROR):
                st.error(words.plain(problem))
        button("No design B", "plan_drop", _keep, None)


def _keep(study: Study | None) -> None:
    st.session_state[_ERROR] = None
    plan_state.PLAN.change(other=study)


def _use_link() -> None:
    text = st.session_state.get("plan_other_link", "")
    try:
        study = opened(text)
    except DomainError as refusal:
        st.session_state[_ERROR] = str(refusal)
        return
    _keep(study)


def opened(text: str) -> Study:
    """Return the study of a link, whole or only what stands after ``study=``.

    Raises:
        DomainError: There is none in it.
    """
    text = text.strip()
    rule = "A link of this app holds a study after study=."
    try:
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(text).query)
    except ValueError:  # an address that is none, such as http://[::1
        raise DomainError(rule, field="link", value=text) from None
    given = query.get(state.PARAMETER, [text])[0]
    if not given:
        raise DomainError(rule, field="link", value=Words("an empty field"))
    try:
        return codec.from_link(given)
    except DomainError as refusal:
        if refusal.field != "file":
            raise
        raise DomainError(rule, field="link", value=given) from None  # neither form of a study


def sentence(found: Pair) -> str:
    """Which design is better, by both answers, Markdown."""
    duel = found.duel
    equation = _better(duel.rate_ratio)
    if duel.missing:
        return f"By the rate equation {equation}. No named mechanism: {words.md(duel.missing)}"
    named = _better(duel.rate_ratio_mechanism)
    if duel.agree:
        return f"Both answers agree: by the rate equation {equation}, by the mechanism {named}."
    return f"The answers differ: by the rate equation {equation}; by the mechanism {named}."


def _better(ratio: float) -> str:
    if abs(ratio - 1.0) < 5e-4:
        return "both designs are equally good"
    if ratio < 1:
        return f"**design B** is better, its rate is × {words.number(ratio)} that of A"
    return f"**design A** is better, the rate of B is × {words.number(ratio)} that of A"


def columns(found: Pair) -> dict[str, list[str]]:
    """Both designs as columns of text."""
    duel = found.duel
    quantities = ["Sites", "Records", "Effective, equation", "Effective, mechanism"]
    most = 3 if duel.missing else 4
    out = {"Quantity": quantities[:most]}
    for name, study, k in (("Design A", found.first, 0), ("Design B", found.second, 1)):
        cells = [
            f"{sum(s.count for s in study.servers):,}",
            f"{sum(s.count * s.n for s in study.servers):,}",
            words.number(duel.effective_n[k]),
            "" if duel.missing else words.number(duel.effective_n_mechanism[k]),
        ]
        out[name] = cells[:most]
    return out


RANGES = (
    "Over everything that the page Fit takes as not known, the best and the worst case of each "
    "design by itself: the rate, and the part of the sample that privacy leaves. That two ranges "
    "overlap does not make the designs equal, as both share the same unknown."
)


def ranges(found: Pair, scope: Scope) -> dict[str, list[str]]:
    """Both designs over the ranges of what is not known; empty where there is no answer."""
    out: dict[str, list[str]] = {"Over ranges": ["Rate, equation", "Kept, equation"]}
    named = []
    for name, study in (("Design A", found.first), ("Design B", found.second)):
        result, _ = report_subject.ranges_of(study, fitted(scope, study), found.duel.risk)
        if result is None:
            return {}
        out[name] = [fit_words.span(result.equation.rate), fit_words.share(result.equation.kept)]
        named.append(result.mechanism)
    if all(named):
        out["Over ranges"].append("Kept, mechanism")
        for name, spread in zip(("Design A", "Design B"), named, strict=True):
            out[name].append(fit_words.share(spread.kept))  # type: ignore[union-attr]
    return out


def picture(found: Pair, lever: str) -> Drawn:
    """Both designs along one common change, by both answers."""
    curve = _curve(found.first, found.second, lever, found.duel.risk)
    crossings = [*curve.crossings, *curve.crossings_mechanism]
    title = "By neither answer does the lead change"
    if crossings:
        title = f"The lead changes at × {words.number(crossings[0])}"
    return figures.designs(
        curve,
        label=LABELS[lever],
        title=title,
        caption="Design B has marks on its lines. × 1 is both designs as stated. "
        + _leads(curve.crossings, "rate equation")
        + _leads(curve.crossings_mechanism, "named mechanism"),
    )


def _leads(crossings: tuple[float, ...], by: str) -> str:
    if not crossings:
        return ""
    places = ", ".join(f"× {words.number(x)}" for x in crossings)
    return f"By the {by} the lead changes at {places}. "
