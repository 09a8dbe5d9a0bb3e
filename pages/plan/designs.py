"""The current study beside up to three other designs: what each is worth, and where it errs."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import streamlit as st

from pages.charts import Figure, shares, theme, words
from pages.charts import plan as figures
from pages.core import Block, Note, Section, Table, Text, address, button, with_lines
from pages.current import fields, state
from pages.fit import words as fit_words
from pages.plan import goal as plan_goal
from pages.plan.goal import Params
from pages.plan.state import PLAN, View
from pages.report import subject as report_subject
from rates import plan
from rates.answer import KAPPAS, Causes, Lens, compare, error_causes
from rates.numbers import DomainError, budgets
from rates.study import PRESETS, Scope, Study, TransferStudy, codec, fitted
from sims.fit import exact_causes, title_of, worlds_for

LABELS = {"epsilon": "Every ε multiplied by", "n": "Records at every site multiplied by"}
LETTERS = "ABCD"
EQUAL = "the designs are equally good, within 1%"
RULE = (
    "Planned with today's method, over its constants. In brackets the rate equation: the best that "
    "any method could do, up to a constant."
)
RANGES = (
    "Over everything that the page Fit takes as not known, the best and the worst case of each "
    "design by itself: the rate, and the part of the sample that privacy leaves. That ranges "
    "overlap does not make the designs equal, as all share the same unknown."
)
MOST_CHANGES = 8
_ERROR = "plan_other_error"
_FIELD = {"n": "n", "epsilon": "ε", "delta": "δ", "signal_exponent": "γ", "count": "sites"}

_duel = functools.lru_cache(maxsize=256)(plan.versus)
_curve = functools.lru_cache(maxsize=64)(plan.versus_curve)


@dataclass(frozen=True, slots=True, kw_only=True)
class Designs:
    """Two to four designs of one problem.

    Attributes:
        studies: Design A, then the others: their sites, with the parameters of A.
        moved: The letters of those that were stated with other parameters.
        risk: Which error counts.
        missing: Why there is no mechanism answer for one of them; empty where there is.
        equation: Effective sample of each by the rate equation.
        mechanism: Effective sample of each by the named mechanism, once for each of its constants;
            nan where a delta is missing.
    """

    studies: tuple[Study, ...]
    moved: str
    risk: str
    missing: str
    equation: tuple[float, ...]
    mechanism: tuple[tuple[float, ...], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """What the designs are called."""
        return tuple(f"Design {letter}" for letter in LETTERS[: len(self.studies)])

    def ends(self, k: int) -> tuple[float, float]:
        """Effective records of one design by the mechanism, over its constants."""
        values = [row[k] for row in self.mechanism]
        return min(values), max(values)


def designs(study: Study, view: View) -> tuple[Designs | None, str]:
    """Return the designs, or why they cannot be compared; neither where there is none beside A."""
    if not view.others:
        return None, ""
    studies, moved, duels = [study], "", []
    risk, transfer = plan_goal.risk(study, view), isinstance(study, TransferStudy)
    lenses = [Lens(risk=risk, kappa=kappa) for kappa in (KAPPAS if transfer else KAPPAS[:1])]
    for letter, other in zip(LETTERS[1:], view.others, strict=False):
        if type(other) is not type(study):
            return None, (
                f"Design {letter} is of the other kind: a classifier and a curve have no common "
                "measure. Choose a design of the same kind."
            )
        second = study.with_servers(other.servers)
        try:
            duels.append([_duel(study, second, lens=lens) for lens in lenses])
        except DomainError as refusal:
            return None, str(refusal)
        studies.append(second)
        moved += letter if second != other else ""
    first = [one[0] for one in duels]
    named = [[one.effective_n_mechanism for one in row] for row in zip(*duels, strict=True)]
    return Designs(
        studies=tuple(studies),
        moved=moved,
        risk=first[0].risk,
        missing=next((one.missing for one in first if one.missing), ""),
        equation=(first[0].effective_n[0], *(one.effective_n[1] for one in first)),
        mechanism=tuple((row[0][0], *(pair[1] for pair in row)) for row in named),
    ), ""


# Which designs --------------------------------------------------------------------------------


def _ask(params: Params) -> None:
    """Ask for the designs beside the study."""
    view = params.view
    full = len(view.others) >= len(LETTERS) - 1
    letter = LETTERS[-1 if full else len(view.others) + 1]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if full:
            st.caption("Four designs are compared: take one away to add another.")
        else:
            button(f"Keep this study as design {letter}", "plan_keep", _keep, state.current())
            with st.popover(f"Example as design {letter}"):
                for preset in PRESETS:
                    if type(preset.study) is type(params.study):
                        button(preset.title, f"plan_b_{preset.key}", _keep, preset.study)
            with st.popover(f"Link as design {letter}"):
                st.text_input("Link of another study", key="plan_other_link")
                button("Use this link", "plan_use_link", _use_link)
                if problem := st.session_state.get(_ERROR):
                    st.error(words.plain(problem))
        if view.others:
            button(f"No design {LETTERS[len(view.others)]}", "plan_drop", _drop)
    if not view.others:
        st.caption(
            "There is no design B yet. Keep this study as a design and change it on the page "
            "Study, open an example, or paste the link of another study. Up to three stand "
            "beside this study."
        )


def _keep(*more: Study, first: int = 3) -> None:
    """Let others stand beside the study: the first of those that do, and more."""
    st.session_state[_ERROR] = None
    view = PLAN.get()
    PLAN.change(**view.beside([*view.others[:first], *more]))


def _drop() -> None:
    _keep(first=-1)


def _use_link() -> None:
    try:
        study = opened(st.session_state.get("plan_other_link", ""))
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


def blocks(params: Params) -> Iterator[Block]:
    """The designs in words, as a table, along one change, and over what is not known."""
    study, view = params.study, params.view
    found, refusal = designs(study, view)
    if found is None:
        if refusal:
            yield Note(words.plain(refusal), "error")
        return
    yield Text(sentence(found))
    yield Table(columns(found), "The designs", "designs")
    yield Text(changed(found))
    if found.moved:
        yield Note(
            f"Stated with other parameters: design {' and '.join(found.moved)}. Its sites are "
            "compared under the parameters of this study: unknown constants cancel only within "
            "one problem."
        )
    lever, label = plan_goal.chosen(params.along, LABELS), "Change along the figure"
    yield functools.partial(fields.choose, "plan_along", label, LABELS, lever)
    asked = View(risk=view.risk, **view.beside(view.others))  # type: ignore[arg-type]
    yield with_lines(designs_drawn, study, asked, lever)
    yield Note(RULE)
    if over := ranges(found, params.scope):
        yield Table(over, "The designs over what is not known", "designs-ranges")
        yield Note(RANGES)


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
    least, most = found.ends(best[0])
    worth = f"**{words.between(least, most)}** effective records"
    if len(best) > 1:
        names = " and ".join(f"**{found.names[k]}**" for k in best)
        return f"{names} are best, within 1% of each other: {worth} {beside}."
    others = [max(x for k, x in enumerate(row) if k != best[0]) for row in found.mechanism]
    pairs = zip(found.mechanism, others, strict=True)
    times = [row[best[0]] / x if x else math.inf for row, x in pairs]
    more = "many" if math.isinf(max(times)) else words.extremes(times)
    return f"**{lead}** is best: worth {worth}, {more} times the next {beside}."


def _order(found: Designs) -> str:
    """Which designs come first by the rate equation, in words."""
    first = [found.names[k] for k in plan.firsts(found.equation)]
    if len(first) == len(found.names):
        return EQUAL
    are = "is best" if len(first) == 1 else "are best, within 1%"
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
            "" if found.missing else words.between(*found.ends(k)),
        ]
        out[name] = cells[:most]
    return out


def ranges(found: Designs, scope: Scope) -> dict[str, list[str]]:
    """The designs over the ranges of what is not known; empty where there is no answer."""
    columns = {"Over ranges": ["Rate, equation", "Kept, equation", "Kept, mechanism"]}
    for name, study in zip(found.names, found.studies, strict=True):
        result, _ = report_subject.ranges_of(study, fitted(scope, study), found.risk)
        if result is None:
            return {}
        kept = [fit_words.share(x.kept) for x in (result.equation, result.mechanism) if x]
        columns[name] = [fit_words.span(result.equation.rate), *kept]
    rows = min(map(len, columns.values()))  # of the mechanism where all have it
    return {name: cells[:rows] for name, cells in columns.items()}


def designs_drawn(study: Study, view: View, lever: str) -> Figure:
    """A study and the designs of a view along one common change.

    Raises:
        DomainError: They cannot be compared.
    """
    found, refusal = designs(study, view)
    if found is None:
        raise DomainError(refusal or "There is no other design.")
    curve = _curve(found.studies, lever, state.FACTORS, lens=Lens(risk=found.risk))
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


DESIGNS = Section(id="designs", title="Designs side by side", inputs=_ask, blocks=blocks)


# Where the error comes from -------------------------------------------------------------------

THIS = "This study"
MECHANISM = "mechanism"
MOST_NAME = 20  # letters of a site, so that "alone" fits behind it
MOST_ROWS = budgets.ALONE_ROWS
MADE = (
    "The causes do not simply add up, so the parts are Shapley shares: what a cause adds to the "
    "error on average over all orders in which causes come in. A cause that is out means, at the "
    "same bandwidth and weights: every ε infinite; no chance in the records; no blur; weaker "
    "sources as clear as the target."
)
HALF = (
    "Bias is about half by construction: the mechanism takes the bandwidth at which bias equals "
    "noise. An exact risk in a named world shows what it is there."
)
HELPS = "Left of zero: a cause without which the error would be larger."


@dataclass(frozen=True, slots=True)
class Shown:
    """By which answer, the causes by design, the designs that have none, and what is said below."""

    by: str
    designs: Mapping[str, Causes]
    refused: Mapping[str, str]
    ground: str


@functools.lru_cache(maxsize=128)
def _causes(study: Study, risk: str, world: str) -> Causes:
    if world == MECHANISM:
        return error_causes(study, Lens(risk=risk))
    return exact_causes(study, worlds_for(study, pointwise=risk == "pointwise")[world])


def _others(params: Params) -> dict[str, Study]:
    """The designs beside the study whose error is of the same kind."""
    pairs = zip(LETTERS[1:], params.view.others, strict=False)
    return {
        f"Design {letter}": params.study.with_servers(other.servers)
        for letter, other in pairs
        if type(other) is type(params.study)
    }


def _ask_by(params: Params) -> None:
    every = answers(params.study, params.risk)
    now = plan_goal.chosen(params.causes_by, every)
    fields.choose("plan_causes_by", "Error by which answer?", every, now)


def causes_blocks(params: Params) -> Iterator[Block]:
    """Where the error of the study and of other designs comes from."""
    study, risk, others = params.study, params.risk, _others(params)
    by = plan_goal.chosen(params.causes_by, answers(study, risk))
    found = shown(study, risk, by, others)
    if THIS not in found.designs:
        yield Note(f"No parts of the error: {words.md(found.refused[THIS])}")
        return
    yield with_lines(causes_drawn, study, risk, by, tuple(others.items()))
    for name, why in found.refused.items():
        yield Note(f"{words.md(name)} has no bar: {words.md(why)}")


def causes_drawn(study: Study, risk: str, by: str, others: tuple[tuple[str, Study], ...]) -> Figure:
    """Where the error of a study and of other designs, given by name, comes from."""
    return causes_figure(shown(study, risk, by, dict(others)))


def answers(study: Study, risk: str) -> dict[str, str]:
    """By what an error can be meant: the named mechanism, and the worlds that fit the study."""
    out = {MECHANISM: "By the named mechanism"}
    if len(study.servers) <= MOST_ROWS:
        worlds = worlds_for(study, pointwise=risk == "pointwise")
        out |= {name: f"Exactly, in the world “{name}”" for name in worlds}
    return out


def shown(study: Study, risk: str, by: str, others: Mapping[str, Study]) -> Shown:
    """Return the causes of a study, of its best site alone, without privacy, and of others.

    Args:
        study: The study.
        risk: Which error counts.
        by: A key of `answers`.
        others: Further designs by name.
    """
    designs = {THIS: study, **_alone(study, risk), "Without privacy": study.unprotected(), **others}
    found, refused = {}, {}
    for name, design in designs.items():
        try:
            found[name] = _causes(design, risk, by)
        except DomainError as error:
            refused[name] = str(error)
    ground = f"{MADE} {HALF}"
    if by != MECHANISM:
        world = worlds_for(study, pointwise=risk == "pointwise")[by]
        ground = f"Exact risk where the truth is {title_of(world)}. {MADE}"
    if any(x < -0.005 for one in found.values() for x in one.shares):
        ground = f"{ground} {HELPS}"
    return Shown(by, found, refused, ground)


def _alone(study: Study, risk: str) -> dict[str, Study]:
    """The site that is best alone, by the mechanism; nothing where no other releases."""
    lens = Lens(risk=risk).named
    sites = sum(s.count for s in study.servers if s.informative)
    if sites < 2 or lens.lacks_delta(study):
        return {}
    best = compare.best_alone(study, lens)
    rows = [replace(s, count=1, n=s.n if k == best else 0) for k, s in enumerate(study.servers)]
    name = study.servers[best].name
    short = name if len(name) <= MOST_NAME else f"{name[: MOST_NAME - 1]}…"
    return {f"{short} alone": study.with_servers(rows)}


def causes_figure(found: Shown) -> Figure:
    """One bar per design."""
    own = found.designs[THIS].shares
    skipped = found.by == MECHANISM  # there bias is half of it whatever the study
    top = max(range(int(skipped), len(own)), key=own.__getitem__)
    name, share = theme.CAUSES[top][1], own[top]
    # More than all of it, where another cause makes it smaller.
    part = "most" if share > 1.0 else words.percent(share)
    title = f"{name.capitalize()}: {part} of the error"
    return shares.by_cause(found.designs, title=title, caption=found.ground)


CAUSES = Section(
    id="causes", title="Where the error comes from", inputs=_ask_by, blocks=causes_blocks
)
