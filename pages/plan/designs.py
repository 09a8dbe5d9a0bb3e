"""The current study beside up to three other designs: in one table, on one figure, over ranges."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import streamlit as st

from pages.charts import Figure, words
from pages.charts import plan as figures
from pages.core import address, button, fields, figure_card, lines, tables
from pages.current import state
from pages.fit import words as fit_words
from pages.plan import goal as plan_goal
from pages.plan import state as plan_state
from pages.plan.view import View
from pages.report import subject as report_subject
from rates import plan
from rates.answer import KAPPAS, Lens
from rates.numbers import DomainError
from rates.study import PRESETS, Scope, Study, TransferStudy, codec, fitted

LABELS = {"epsilon": "Every ε multiplied by", "n": "Records at every site multiplied by"}
LETTERS = "ABCD"
EQUAL = "the designs are equally good, within 1 %"
MOST_CHANGES = 8
_ERROR = "plan_other_error"

_duel = functools.lru_cache(maxsize=256)(
    lambda a, b, risk, kappa: plan.versus(a, b, lens=Lens(risk=risk, kappa=kappa))
)
_curve = functools.lru_cache(maxsize=64)(
    lambda studies, lever, risk: plan.versus_curve(
        studies, lever, state.FACTORS, lens=Lens(risk=risk)
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Designs:
    """Two to four designs of one problem.

    Attributes:
        studies: Design A, then the others: their sites, with the parameters of A.
        moved: The letters of those that were stated with other parameters.
        duels: A against each of the others, once for each of the mechanism's constants.
    """

    studies: tuple[Study, ...]
    moved: str
    duels: tuple[tuple[plan.Duel, ...], ...]

    @property
    def missing(self) -> str:
        """Why there is no mechanism answer for one of them; empty where there is."""
        return next((duel.missing for duel in self.duels[0] if duel.missing), "")

    @property
    def risk(self) -> str:
        """Which error counts."""
        return self.duels[0][0].risk

    @property
    def equation(self) -> tuple[float, ...]:
        """Effective sample of each by the rate equation."""
        duels = self.duels[0]
        return (duels[0].effective_n[0], *(duel.effective_n[1] for duel in duels))

    @property
    def mechanism(self) -> tuple[tuple[float, ...], ...]:
        """Effective sample of each by the named mechanism, once for each of its constants.

        It is nan where a delta is missing.
        """
        return tuple(
            (duels[0].effective_n_mechanism[0], *(x.effective_n_mechanism[1] for x in duels))
            for duels in self.duels
        )

    @property
    def names(self) -> tuple[str, ...]:
        """What the designs are called."""
        return tuple(f"Design {letter}" for letter in LETTERS[: len(self.studies)])


def designs(study: Study, view: View) -> tuple[Designs | None, str]:
    """Return the designs, or why they cannot be compared; neither where there is none beside A."""
    if not view.others:
        return None, ""
    studies, moved, duels = [study], "", []
    risk, kappas = plan_goal.risk(study, view), _kappas(study)
    for letter, other in zip(LETTERS[1:], view.others, strict=False):
        if type(other) is not type(study):
            return None, (
                f"Design {letter} is of the other kind: a classifier and a curve have no common "
                "measure. Choose a design of the same kind."
            )
        second = study.with_servers(other.servers)
        try:
            duels.append([_duel(study, second, risk, kappa) for kappa in kappas])
        except DomainError as refusal:
            return None, str(refusal)
        studies.append(second)
        moved += letter if second != other else ""
    by_constant = tuple(zip(*duels, strict=True))
    return Designs(studies=tuple(studies), moved=moved, duels=by_constant), ""


def _kappas(study: Study) -> tuple[float, ...]:
    return KAPPAS if isinstance(study, TransferStudy) else KAPPAS[:1]


def section(study: Study, view: View) -> None:
    """Choose the designs beside the study, and show all."""
    _choose(study, view)
    found, refusal = designs(study, view)
    if refusal:
        st.error(words.plain(refusal))
    if found is None:
        if not refusal:
            st.caption(
                "There is no design B yet. Keep this study as a design and change it on the page "
                "Study, open an example, or paste the link of another study. Up to three stand "
                "beside this study."
            )
        return
    st.markdown(sentence(found))
    tables.show(columns(found), alt="The designs")
    st.markdown(changed(found))
    if found.moved:
        st.caption(
            f"Stated with other parameters: design {' and '.join(found.moved)}. Its sites are "
            "compared under the parameters of this study: unknown constants cancel only within "
            "one problem."
        )
    lever = fields.choose("plan_along", "Change along the figure", LABELS, "epsilon")
    asked = View(risk=view.risk, other=view.other, third=view.third, fourth=view.fourth)
    figure_card.show(lines.drawn(designs_drawn, study, asked, lever), key="figure_designs")
    st.caption(RULE)
    if over := ranges(found, state.scope()):
        tables.show(over, alt="The designs over what is not known")
        st.caption(RANGES)


def _choose(study: Study, view: View) -> None:
    full = len(view.others) >= len(LETTERS) - 1
    letter = LETTERS[-1 if full else len(view.others) + 1]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if full:
            st.caption("Four designs are compared: take one away to add another.")
        else:
            button(f"Keep this study as design {letter}", "plan_keep", _keep, state.current())
            with st.popover(f"Example as design {letter}"):
                for preset in PRESETS:
                    if type(preset.study) is type(study):
                        button(preset.title, f"plan_b_{preset.key}", _keep, preset.study)
            with st.popover(f"Link as design {letter}"):
                st.text_input("Link of another study", key="plan_other_link")
                button("Use this link", "plan_use_link", _use_link)
                if problem := st.session_state.get(_ERROR):
                    st.error(words.plain(problem))
        if view.others:
            last = LETTERS[len(view.others)]
            button(f"No design {last}", "plan_drop", _drop)


def _keep(study: Study) -> None:
    st.session_state[_ERROR] = None
    view = plan_state.PLAN.get()
    plan_state.PLAN.change(**view.beside([*view.others, study]))


def _drop() -> None:
    st.session_state[_ERROR] = None
    view = plan_state.PLAN.get()
    plan_state.PLAN.change(**view.beside(view.others[:-1]))


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
    rule = "A link of this app holds a study after study=."
    given = address.part(text, state.PARAMETER, rule)
    try:
        return codec.from_link(given)
    except DomainError as refusal:
        if refusal.field != "file":
            raise
        raise DomainError(rule, field="link", value=given) from None  # neither form of a study


RULE = (
    "Planned with today's method, over its constants. In brackets the rate equation: the best that "
    "any method could do, up to a constant."
)


def sentence(found: Designs) -> str:
    """Which design is better, or why none is named, Markdown; the mechanism decides."""
    if found.missing:
        return (
            f"**Undecided**: there is no named mechanism. {words.md(found.missing)} By the rate "
            f"equation alone {_order(found)}."
        )
    best = plan.leader(found.mechanism)
    beside = f"(equation: {_order(found)})"
    if len(best) == len(found.names):
        by = "By today's method and by the equation" if _order(found) == EQUAL else ""
        return f"{by} {EQUAL}." if by else f"By today's method {EQUAL} {beside}."
    if not best:
        firsts = [found.names[worth.index(max(worth))] for worth in found.mechanism]
        texts = dict.fromkeys(f"**{name}**" for name in firsts)
        return (
            "**Undecided**: the constants of today's method decide. Over them "
            f"{' or '.join(texts)} comes first {beside}."
        )
    lead = found.names[best[0]]
    least, most = (ends(found, best[0])[k] for k in (0, -1))
    worth = f"**{words.between(least, most)}** effective records"
    if len(best) > 1:
        names = " and ".join(f"**{found.names[k]}**" for k in best)
        return f"{names} are best, within 1 % of each other: {worth} {beside}."
    others = [max(x for k, x in enumerate(row) if k != best[0]) for row in found.mechanism]
    pairs = zip(found.mechanism, others, strict=True)
    times = [row[best[0]] / x if x else math.inf for row, x in pairs]
    more = "many" if math.isinf(max(times)) else words.between(min(times), max(times))
    return f"**{lead}** is best: worth {worth}, {more} times the next {beside}."


def ends(found: Designs, k: int) -> tuple[float, float]:
    """Effective records of one design by the mechanism, over its constants."""
    values = [row[k] for row in found.mechanism]
    return min(values), max(values)


def _order(found: Designs) -> str:
    """Which designs come first by the rate equation, in words."""
    first = [found.names[k] for k in plan.firsts(found.equation)]
    if len(first) == len(found.names):
        return EQUAL
    are = "is best" if len(first) == 1 else "are best, within 1 %"
    return f"{' and '.join(first)} {are}"


def changed(found: Designs) -> str:
    """The rows in which each design differs from A, Markdown."""
    parts = []
    for name, study in zip(found.names[1:], found.studies[1:], strict=True):
        rows = plan.changes(found.studies[0], study)
        texts = [_change(row) for row in rows[:MOST_CHANGES]]
        if len(rows) > MOST_CHANGES:
            texts.append(f"{len(rows) - MOST_CHANGES:,} more")
        parts.append(f"- **{name}** against A: {'; '.join(texts) or 'no row differs'}.")
    return "\n".join(parts)


_FIELD = {"n": "n", "epsilon": "ε", "delta": "δ", "signal_exponent": "γ", "count": "sites"}


def _change(row: plan.Change) -> str:
    name = words.md(row.site)
    if row.field == "row":
        gone = row.second is None
        return f"{name} {'left out' if gone else f'added, {row.second:,.0f} records'}"
    values = [_value(row.field, x) for x in (row.first, row.second)]
    return f"{name}: {_FIELD[row.field]} {values[0]} → {values[1]}"


def _value(field: str, x: float | None) -> str:
    if x is None:
        return "not stated"
    return f"{x:,.0f}" if field in ("n", "count") else words.number(x)


def columns(found: Designs) -> dict[str, list[str]]:
    """The designs as columns of text."""
    quantities = ["Sites", "Records", "Effective, equation", "Effective, mechanism"]
    most = 3 if found.missing else 4
    out = {"Quantity": quantities[:most]}
    for k, (name, study) in enumerate(zip(found.names, found.studies, strict=True)):
        cells = [
            f"{sum(s.count for s in study.servers):,}",
            f"{sum(s.count * s.n for s in study.servers):,}",
            words.number(found.equation[k]),
            "" if found.missing else words.between(*ends(found, k)),
        ]
        out[name] = cells[:most]
    return out


RANGES = (
    "Over everything that the page Fit takes as not known, the best and the worst case of each "
    "design by itself: the rate, and the part of the sample that privacy leaves. That ranges "
    "overlap does not make the designs equal, as all share the same unknown."
)


def ranges(found: Designs, scope: Scope) -> dict[str, list[str]]:
    """The designs over the ranges of what is not known; empty where there is no answer."""
    out: dict[str, list[str]] = {"Over ranges": ["Rate, equation", "Kept, equation"]}
    named = []
    for name, study in zip(found.names, found.studies, strict=True):
        result, _ = report_subject.ranges_of(study, fitted(scope, study), found.risk)
        if result is None:
            return {}
        out[name] = [fit_words.span(result.equation.rate), fit_words.share(result.equation.kept)]
        named.append(result.mechanism)
    if all(named):
        out["Over ranges"].append("Kept, mechanism")
        for name, spread in zip(found.names, named, strict=True):
            out[name].append(fit_words.share(spread.kept))  # type: ignore[union-attr]
    return out


def designs_drawn(study: Study, view: View, lever: str) -> Figure:
    """A study and the designs of a view along one common change.

    Raises:
        DomainError: They cannot be compared.
    """
    found, refusal = designs(study, view)
    if found is None:
        raise DomainError(refusal or "There is no other design.")
    return picture(found, lever)


def picture(found: Designs, lever: str) -> Figure:
    """The designs along one common change, by both answers."""
    curve = _curve(found.studies, lever, found.risk)
    crossings = [*curve.crossings, *curve.crossings_mechanism]
    title = "By neither answer does the lead change"
    if crossings:
        title = f"The lead changes at × {words.number(crossings[0])}"
    return figures.designs(
        curve,
        label=LABELS[lever],
        title=title,
        caption="Design A has no marks on its lines. × 1 is the designs as stated. "
        + _leads(curve.crossings, "rate equation")
        + _leads(curve.crossings_mechanism, "named mechanism"),
    )


def _leads(crossings: tuple[float, ...], by: str) -> str:
    if not crossings:
        return ""
    places = ", ".join(f"× {words.number(x)}" for x in crossings)
    return f"By the {by} the lead changes at {places}. "
