"""The study beside its rivals: what each is worth, whom it asks to trust, and what covers it."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from pages.charts import Figure, number_text, words
from pages.charts import fit as figures
from pages.core import Texts, UrlState, blocks, toggle, with_lines
from pages.current import fields, state
from pages.fit import constant as calibrated_state
from rates.answer import Lens
from rates.fit import HOUSE, Curator, Outcome, Rival, kept_in_house, promise, rivals, strictest
from rates.numbers import DomainError
from rates.rows import number_from_text
from rates.study import EMPTY, FederatedStudy, Scope, Server, Study, TransferStudy, advantage, alike
from sims.classification import Cusp
from sims.fit import World, exact_classifier_risks, exact_risks, risk_of, worlds_for


@functools.lru_cache(maxsize=64)
def found(study: Study, risk: str, who: Curator, *, everyone: bool) -> tuple[Rival, ...]:
    """Return the study and its rivals; ``everyone`` where the answer is for all sites' patients."""
    return rivals(study, who, alike=everyone, lens=Lens(risk=risk))


def for_everyone(study: Study, scope: Scope) -> bool:
    """Whether the answer is for the patients of every site, so that there is no target."""
    return not isinstance(study, TransferStudy) or alike(study, scope)


def name(kind: str, who: Curator, *, everyone: bool = False) -> str:
    """Name a design; a pooled one always says its privacy."""
    epsilon = words.number(who.epsilon)
    return {
        HOUSE: "Each alone, in house" if everyone else "Target alone, in house",
        "alone": "Best site alone",
        "unprotected": "Pooled, no privacy",
        "curator": f"Pooled, curator, ε = {epsilon}",
        "study": "This study",
        "agreed": "Agreed, 1/variance",
        "own": "Own tuning, 1/variance",
        "output": f"Pooled fit + noise, ε = {epsilon}",
    }[kind]


def by_equation(row: Rival) -> list[Outcome]:
    """The equation's answers: of the smallest site too, where each stands for itself."""
    return [x.equation for x in (row, row.least) if x is not None and x.equation is not None]


def by_mechanism(row: Rival) -> list[Outcome]:
    """The mechanism's answers: of the smallest site too, where each stands for itself."""
    return [outcome for x in (row, row.least) if x is not None for outcome in x.mechanism]


def answers(row: Rival) -> list[Outcome]:
    """The mechanism's answers where it compares, else the equation's."""
    for some in (by_mechanism(row), by_equation(row)):
        if comparable := [x for x in some if not math.isnan(x.kept)]:
            return comparable
    return []


def worth(outcomes: Sequence[Outcome]) -> tuple[float, float]:
    """The least and the largest worth of a design, in unprotected records."""
    values = [x.effective_n for x in outcomes]
    return min(values), max(values)


def nothing(rows: Sequence[Rival], *, plain: bool = False) -> str:
    """Say what doing nothing is worth beside the study, which may be left out for what it lacks.

    Args:
        rows: The study and its rivals.
        plain: Whether it is for a protocol, which says whose records they are.
    """
    by_kind = {row.kind: row for row in rows}
    house = words.between(*worth(by_equation(by_kind[HOUSE])))
    study = by_kind["study"]
    some = by_mechanism(study) or by_equation(study)
    this = words.between(*worth(some)) if some else "not computed"
    if not plain:
        return f"Doing nothing is worth {house} records, this study {this}"
    whose = "the target keeps" if by_kind[HOUSE].least is None else "every site keeps"
    how = "one named procedure" if by_mechanism(study) else "the rate, up to a constant"
    return (
        f"If {whose} to its own records, in house and without noise, it has {house} records; by "
        f"{how}, the releases of this study are worth {this} unprotected records."
    )


def of_protocol(study: Study, scope: Scope, risk: str) -> str:
    """Return that sentence for a protocol."""
    everyone = for_everyone(study, scope)
    rows = found(study, risk, strictest(study), everyone=everyone)
    return nothing(rows, plain=True)


_FIELD = "curator_epsilon"
_TRUST = {
    **dict.fromkeys((HOUSE, "alone"), "that site, with its own records"),
    **dict.fromkeys(("study", "agreed", "own"), "each site, with its own records"),
    **dict.fromkeys(("curator", "output"), "one curator, with all records"),
    "unprotected": "everyone, with all records",
}
_WHAT = {
    HOUSE: "What doing nothing gives: nobody joins, nothing is released, and a site's own records "
    "are used in house, without noise. A site that takes part and still uses its own records so "
    "has at least as much as by either alone.",
    "alone": "The best single site releases its own private summary; nobody else takes part. Every "
    "person trusts only the site that holds her records already.",
    "unprotected": "All records of all sites in one place, without privacy. Whoever computes, and "
    "whoever sees the result, is trusted with every record.",
    "curator": "All records in one place. The curator is trusted with every record and makes one "
    "private release, in which records weigh as their site deserves. Records of sites that are "
    "unprotected here stay so.",
    "study": "Every site makes one private release; they are combined as the theory says. Whoever "
    "combines them sees the releases only.",
    "agreed": "Every site makes one private release at a resolution that all have agreed on, and "
    "the releases are averaged with weights 1/variance, as in a meta-analysis. The variances "
    "follow from n, ε and δ, which are public.",
    "own": "Every site tunes its release for itself, as if it were alone, and the finished results "
    "are averaged with weights 1/variance. In the worst case the average keeps the bias of the "
    "coarse ones; on a single curve it can do better.",
    "output": "One ordinary fit to all records, each counting the same, and noise added to the fit "
    "as a whole. The curator is trusted with every record.",
}
_NO_THEOREM = (
    "For a fit found by minimising a loss (logistic regression, a network) no theorem here bounds "
    "the error that noise on the fit leaves."
)
_UNCOVERED = {True: "every record: none leaves", False: "nothing"}
_risks = functools.lru_cache(maxsize=16)(exact_risks)
_classifier_risks = functools.lru_cache(maxsize=16)(exact_classifier_risks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Risks on a named world, for a column of their own.

    Attributes:
        title: Head of the column, with what the numbers are.
        values: Kind of design to its number, as text.
        note: World, setting and method, in a sentence.
    """

    title: str
    values: Mapping[str, str]
    note: str


class _Url(UrlState[Curator | None]):
    """The curator that is asked for, with the study; None for who keeps every site's promise."""

    def _key(self, what: str = "") -> str:
        return super()._key(what) if what else fields.key("curator")

    def read(self, texts: Texts) -> Curator | None:
        given = texts.get(self.parameter, "")
        if not given:
            return None
        return replace(strictest(state.current()), epsilon=float(number_from_text(given, _FIELD)))

    def write(self, value: Curator | None) -> Texts:
        asked = value is not None and value != strictest(state.current())
        return {self.parameter: number_text(value.epsilon) if value and asked else ""}


def _opened(before: Curator | None, now: Curator | None) -> None:
    st.session_state.pop(fields.key(_FIELD), None)  # shows what was taken over


CURATOR = _Url(
    parameter="curator",
    start=None,
    refused="The curator in the address could not be used.",
    opened=_opened,
)


def settle() -> None:
    """Take over the curator's budget that the browser holds."""
    fields.take(_FIELD, _take)


def _take() -> None:
    if fields.held(_FIELD) is None:  # not drawn
        return
    start = strictest(state.current())
    value = fields.number(_FIELD, _FIELD)
    chosen = None if value is None else replace(start, epsilon=value)
    CURATOR.keep(None if chosen == start else chosen)


def curator() -> Curator:
    """The curator that has been asked for, or the one who keeps every site's promise."""
    start = strictest(state.current())
    chosen = CURATOR.get()
    return start if chosen is None else replace(start, epsilon=chosen.epsilon)


def section(study: Study, scope: Scope, risk: str) -> None:
    """Show the rivals of a study for one risk."""
    who, everyone = curator(), for_everyone(study, scope)
    place = st.container()
    _controls()
    rows = found(study, risk, who, everyone=everyone)
    picture = with_lines(of_rivals, study, risk, who, everyone)
    with place:
        blocks.show([blocks.Text(sentence(rows, who, everyone=everyone)), picture], page="fit")
    blocks.show(_tables(study, risk, who, rows), page="fit")


def _tables(study: Study, risk: str, who: Curator, rows: Sequence[Rival]) -> Iterator[blocks.Block]:
    """What each design is worth, whom it asks to trust, and what covers it."""
    everyone = for_everyone(study, state.scope())
    measured = [x for x in (_exact(study, risk, who, rows), _fitted(study, risk, rows)) if x]
    names = [name(row.kind, who, everyone=everyone) for row in rows]
    table: dict[str, list[str]] = {
        "Design": names,
        "Against this study": [_kept(row) for row in rows],
        "Worth, mechanism": [_worth(by_mechanism(row)) for row in rows],
        "Worth, equation": [_worth(by_equation(row)) for row in rows],
        "Rate": [_rate(row) for row in rows],
    }
    table |= {x.title: [x.values.get(row.kind, "-") for row in rows] for x in measured}
    yield blocks.Table(table, "The study and its rivals, what each is worth", pinned="Design")
    kind = "on one site" if everyone else "of the target"
    yield blocks.Note(
        f"Worth: about as many unprotected records {kind}, alone; by the rate equation up to a "
        "constant, by the named mechanism with its constants"
        + (" (bandwidth 1 to 3 times r)" if isinstance(study, TransferStudy) else "")
        + ". Against this study: worth over the study's own, by the mechanism where there is one. "
        "Rate: the worst case by a theorem, without constants. No theorem: none here covers the "
        "design, and its worth is our own reading." + "".join(f" {x.note}" for x in measured)
    )
    if missing := next(row.missing for row in rows if row.kind == "study"):
        yield blocks.Note(f"No mechanism for the sites: {words.md(missing)}")
    promises = [promise(study, risk, row.kind, who, _sites(row)) for row in rows]
    yield blocks.Table(
        {
            "Design": names,
            "Trusted": [_TRUST["study" if row.least else row.kind] for row in rows],
            "Protects": [p.record or _UNCOVERED[p.releases == 0] for p in promises],
            "ε": [_ends(p.epsilon) for p in promises],
            "δ": ["-" if p.epsilon is None else _ends(p.delta, "not stated") for p in promises],
            "Releases": [
                "all records" if p.releases is None else f"{p.releases:,}" for p in promises
            ],
        },
        "The study and its rivals, who is trusted and what is promised",
        pinned="Design",
    )
    yield blocks.Note(
        "Every promise is differential privacy between two data sets that differ in one record, "
        "replaced. Trusted: who holds records that are not protected from it."
    )
    designs = [
        blocks.Text(f"- **{words.md(title)}.** {_WHAT[row.kind]}{_which(row)} {_basis(row)}")
        for row, title in zip(rows, names, strict=True)
    ]
    yield blocks.Fold(
        "What each design is, and what covers it", [*designs, blocks.Text(_NO_THEOREM)]
    )


def of_rivals(study: Study, risk: str, who: Curator, everyone: bool) -> Figure:
    """What the study and each of its rivals is worth; ``everyone`` where there is no target."""
    rows = found(study, risk, who, everyone=everyone)
    parts = [
        figures.Rival(
            name=name(row.kind, who, everyone=everyone),
            equation=worth(by_equation(row)) if row.equation else None,
            mechanism=worth(by_mechanism(row)) if row.mechanism else None,
        )
        for row in rows
    ]
    return figures.rivals_figure(parts, title=nothing(rows))


def _controls() -> None:
    fields.text(
        _FIELD,
        "Budget ε of a trusted curator",
        number_text(curator().epsilon),
        help="For the two rows in which all records are pooled privately. At first the strictest "
        "budget of the protected sites, so that the curator keeps every site's promise.",
    )
    fields.problem(_FIELD)
    who = curator()
    if who.epsilon >= EMPTY:
        st.warning(
            f"A curator's budget of {words.number(who.epsilon)} promises next to nothing: who "
            "must tell two values of one record apart does better than guessing by "
            f"{_edge(who)} points of 100. The numbers below hold all the same."
        )


def _edge(who: Curator) -> str:
    edge = 100 * advantage(who.epsilon, who.delta)
    return "more than 99.99" if edge > 99.99 else words.number(edge)


def sentence(rows: Sequence[Rival], who: Curator, *, everyone: bool = False) -> str:
    """Say what the study is worth against doing nothing, one site, a curator, and no privacy."""
    by_kind = {row.kind: row for row in rows}
    shown = {kind: _kept(row) for kind, row in by_kind.items()}
    answer = "named mechanism" if by_kind["study"].mechanism else "rate equation"
    if shown["alone"] == "-":
        return "This study carries no information, so nothing can be put beside it."
    best = {x.site for x in answers(by_kind["alone"])}
    site = words.names(sorted(best)) if len(best) == 1 else "the best site"
    own = "each site's own records" if everyone else "the target's own records"
    return (
        f"In records' worth, this study being 1, the {answer} puts **doing nothing** ({own}, in "
        f"house, without noise) at **{shown[HOUSE]}**, **{site} alone** at **{shown['alone']}**, "
        f"**all records with a trusted curator** (ε = {words.number(who.epsilon)}) at "
        f"**{shown['curator']}**, and **all records without privacy** at "
        f"**{shown['unprotected']}**."
    )


def _kept(row: Rival) -> str:
    kept = [x.kept for x in answers(row)]
    return words.extremes(kept) if kept else "-"


def _worth(outcomes: Sequence[Outcome]) -> str:
    return words.between(*worth(outcomes)) if outcomes else "not computed"


def _rate(row: Rival) -> str:
    rates = [x.rate for x in by_equation(row)]
    return words.extremes(rates) if row.theorem and rates else "no theorem"


def _sites(row: Rival) -> list[str]:
    """Sites that a row of one site alone means, by either answer."""
    return [x.site for x in (row.equation, *row.mechanism) if x is not None and x.site]


def _ends(given: tuple[float, float] | None, missing: str = "none") -> str:
    return missing if given is None else words.extremes(given)


def _exact(study: Study, risk: str, who: Curator, rows: Sequence[Rival]) -> Measured | None:
    """Exact errors where the truth is known, if they are asked for."""
    curve = isinstance(study, FederatedStudy)
    worlds = {} if curve else worlds_for(study)
    if not curve and not worlds:
        return None
    where = "on known curves" if curve else "in a known world"
    if not toggle("fit_exact", f"Exact error {where}"):
        return None
    alone = next(row for row in rows if row.kind == "alone")
    site = next(iter(_sites(alone)[::-1]), "")
    house = _owners(study, rows)
    try:
        if isinstance(study, FederatedStudy):
            exact = _risks(study, risk, who, best_site=site, house=house)
        else:
            world = _world(worlds)
            exact = _classifier_risks(study, world, who, best_site=site, house=house)
    except DomainError as refusal:
        st.error(f"{words.plain(refusal)} The table is shown without exact errors.")
        return None
    form: Callable[[float], str] = words.number if curve else _of_100
    if curve:
        note = (
            f"Exact error: mean squared error, {exact.world}; every design has its own best "
            f"number of functions. The estimate 0 has {words.number(exact.zero)}."
        )
    else:
        note = (
            f"Exact error: expected excess error, {exact.world}, whatever smoothness and margin "
            "the study has; every design has the theory's weights and its own best bandwidth, "
            "which nobody knows in a real study. Knowing nothing costs "
            f"{form(exact.zero)}. The world is chosen below."
        )
    shown = {kind: form(value) for kind, value in exact.values.items()}
    if at_home := [*exact.house.values()]:
        shown[HOUSE] = words.extremes(at_home, form)
    return Measured(title="Exact error", values=shown, note=" ".join([note, *exact.notes]))


def _of_100(x: float) -> str:
    return f"{words.number(100 * x)}%"


def _owners(study: Study, rows: Sequence[Rival]) -> tuple[Server, ...]:
    """The sites that could do nothing: the target, or the largest and the smallest."""
    held = {x.site for row in rows if row.kind == HOUSE for x in by_equation(row)}
    return tuple(s for s in study.servers if s.name in held)


def _world(worlds: Mapping[str, World]) -> Cusp:
    """The classifier's world that is looked at in the section on absolute risks, or the first."""
    looked = st.session_state.get(calibrated_state.WORLDS, {}).get("classification")
    world = worlds.get(looked, next(iter(worlds.values())))
    assert isinstance(world, Cusp)
    return world


def _fitted(study: Study, risk: str, rows: Sequence[Rival]) -> Measured | None:
    """Risks by the constant fitted below, for the designs that it was fitted for."""
    calibration = calibrated_state.get(study, risk)
    if calibration is None or isinstance(study, FederatedStudy):
        return None
    alone = set(_sites(next(row for row in rows if row.kind == "alone"))[-1:])
    designs = {
        "alone": study.with_servers(
            [s if s.name in alone else replace(s, n=0) for s in study.servers]
        ),
        "unprotected": study.unprotected(),
        "study": study,
    }
    pairs: list[tuple[str, Study]] = [*designs.items()]
    pairs += [(HOUSE, kept_in_house(study, owner)) for owner in _owners(study, rows)]
    values: dict[str, str] = {}
    told = [(kind, risk_of(calibration, design)) for kind, design in pairs]
    refused = any(one.refusal for _, one in told)
    for kind, one in told:
        if not one.refusal:
            ends = calibrated_state.ends(calibration, one)
            values[kind] = f"{values[kind]} and {ends}" if kind in values else ends
    note = (
        "Fitted risk: excess error with 95% interval by the constant fitted below, in "
        f"this world: {words.md(calibrated_state.ground(calibration))}; only for designs that the "
        "constant was fitted for"
    )
    note += ", and within its reach." if refused else "."
    return Measured(title="Fitted risk", values=values, note=note)


def _which(row: Rival) -> str:
    """Name the site that a row of one site alone means."""
    if row.equation is None or not row.equation.site:
        return ""
    first = words.md(row.equation.site)
    if row.least is not None and row.least.equation is not None:
        return f" Here: from {words.md(row.least.equation.site)}, the smallest, to {first}."
    others = sorted({x.site for x in row.mechanism} - {row.equation.site})
    if not others:
        return f" Here: {first}."
    return f" Here: {first} by the rate equation, {words.names(others)} by the mechanism."


def _basis(row: Rival) -> str:
    reason = words.cited(row.reason)
    if row.theorem:
        return f"Covered by {words.cited(row.theorem)}" + (f" ({reason})." if reason else ".")
    if row.equation is None:
        return f"No theorem: {reason}."
    rate = words.number(row.equation.rate)
    return (
        f"No theorem: {reason}. By our own reading of the equation its rate is {rate}, up to "
        "constants."
    )
