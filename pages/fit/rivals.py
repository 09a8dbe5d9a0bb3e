"""The study beside its rivals: what each is worth, whom it asks to trust, and what covers it."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pages import core
from pages.charts import Figure, words
from pages.charts import plan as figures
from pages.core import Note, Table, Text, blocks
from pages.study import sites
from rates.answer import Lens
from rates.fit import BUDGET, HOUSE, Curator, Outcome, Rival, rivals, strictest
from rates.numbers import decades
from rates.study import Scope, Server, Study, alike

_TRUST = {
    HOUSE: "that site",
    "alone": "that site",
    "unprotected": "everyone",
    "curator": "one curator",
    "study": "each site",
}
_WHAT = {
    HOUSE: "Nobody joins and nothing is released: own records are used in house, without noise. A "
    "site that takes part and uses them so has at least as much as by either alone.",
    "alone": "The best single site releases its own private summary; nobody else takes part.",
    "unprotected": "All records in one place, without privacy: whoever computes, and whoever sees "
    "the result, is trusted with every record.",
    "curator": "All records in one place, and one private release of them, in which they weigh as "
    "their site deserves. Records of sites that are unprotected here stay so.",
    "study": "Every site makes one private release; whoever combines them sees the releases only.",
}


@functools.lru_cache(maxsize=64)
def found(study: Study, risk: str, who: Curator, *, everyone: bool) -> tuple[Rival, ...]:
    """Return the study and its rivals; ``everyone`` where the answer is for all sites' patients."""
    return rivals(study, who, alike=everyone, lens=Lens(risk=risk))


def for_everyone(study: Study, scope: Scope) -> bool:
    """Whether the answer is for the patients of every site, so that there is no target."""
    return study.kind != "transfer" or alike(study, scope)


def name(kind: str, who: Curator, *, everyone: bool = False) -> str:
    """Name a design; a pooled one always says its privacy."""
    return {
        HOUSE: "Each alone, in house" if everyone else "Target alone, in house",
        "alone": "Best site alone",
        "unprotected": "Pooled, no privacy",
        "curator": f"Pooled, curator, ε = {words.number(who.epsilon)}",
        "study": "This study",
    }[kind]


def answers(row: Rival) -> list[Outcome]:
    """The mechanism's answers where it compares, else the equation's."""
    for some in (row.mechanism, row.equation):
        if comparable := [x for x in some if not math.isnan(x.kept)]:
            return comparable
    return []


def worth(outcomes: Sequence[Outcome]) -> tuple[float, float]:
    """The least and the largest worth of a design, in unprotected records."""
    values = [x.effective_n for x in outcomes]
    return min(values), max(values)


def nothing(rows: Sequence[Rival]) -> tuple[str, str]:
    """Return what doing nothing is worth, and this study."""
    house, study = (next(row for row in rows if row.kind == kind) for kind in (HOUSE, "study"))
    some = study.mechanism or study.equation
    this = words.between(*worth(some)) if some else "not computed"
    return words.between(*worth(house.equation)), this


# The curator --------------------------------------------------------------------------------------

CURATOR: core.Single[float | None] = core.Single(
    parameter="curator",
    start=None,  # the strictest budget of the protected sites
    settings=(core.Part("curator", BUDGET),),
    noun="A curator",
    refused="The curator in the address could not be used.",
)


def _curator(study: Study) -> Curator:
    """The curator that is asked for, at first the one who keeps every site's promise."""
    who, chosen = strictest(study), CURATOR.get()
    return who if chosen is None else replace(who, epsilon=chosen)


def _ask(who: Curator) -> None:
    """Ask for the curator's budget."""
    title, stops = "Budget ε of a trusted curator", decades(-2, 1)
    core.Slider("curator", title, stops, now=who.epsilon).draw(CURATOR)
    holder = Server(name="a curator", n=1, epsilon=who.epsilon, delta=who.delta)
    blocks.show((Note(text, "warning") for text in sites.warnings([holder])), page="fit")


# The tab ------------------------------------------------------------------------------------------


def section(study: Study, scope: Scope, risk: str) -> None:
    """Show the rivals of a study for one risk."""
    who, everyone = _curator(study), for_everyone(study, scope)
    rows = found(study, risk, who, everyone=everyone)
    said = Text(sentence(rows, who, everyone=everyone))
    picture = core.with_lines(of_rivals, study, risk, who, everyone)
    blocks.show([said, picture], page="fit", under=functools.partial(_ask, who))
    blocks.show(_table(study, risk, who, rows, everyone=everyone), page="fit")


def _table(
    study: Study, risk: str, who: Curator, rows: Sequence[Rival], *, everyone: bool
) -> Iterator[blocks.Block]:
    """What each design is beside the study, whom it asks to trust, and what covers it."""
    names = [name(row.kind, who, everyone=everyone) for row in rows]
    budgets, deltas = zip(*(_promise(study, risk, row, who) for row in rows), strict=True)
    columns = {
        "Design": names,
        "Against this study": [_kept(row) for row in rows],
        "Rate": [_rate(row) for row in rows],
        "Trusted": [_TRUST["study" if _several(row) else row.kind] for row in rows],
        "ε": list(budgets),
        "δ": list(deltas),
    }
    yield Table(columns, "The study and its rivals, and what each promises", pinned="Design")
    yield Note(
        "Against this study: worth over the study's own, by the mechanism where there is one. "
        "Rate: the worst case by a theorem, without constants; where none covers a design, its "
        "worth is our own reading. Trusted: who holds records that are not protected from it, a "
        "site its own, others all. Promises are between two data sets that differ in one record, "
        "replaced."
    )
    if missing := next(row.missing for row in rows if row.kind == "study"):
        yield Note(f"No mechanism for the sites: {words.md(missing)}")
    designs = [
        Text(f"- **{words.md(title)}.** {_WHAT[row.kind]} {_basis(row)}")
        for row, title in zip(rows, names, strict=True)
    ]
    yield core.Fold("What each design is, and what covers it", designs)


def _promise(study: Study, risk: str, row: Rival, who: Curator) -> tuple[str, str]:
    """Budget and delta of a design's releases as text; noise on the value at a point needs none."""
    used = [s for s in study.servers if s.private]
    kept: list[tuple[float, float | None]] = []
    if row.kind == "curator":
        held = any(s.n and math.isfinite(s.epsilon) for s in study.servers)
        kept = [(who.epsilon, who.delta)] if held else []
    elif row.kind in ("study", "alone"):
        some = [s for s in used if row.kind == "study" or s.name in sites_of(row)]
        kept = [(s.epsilon, s.delta) for s in some]
    if not kept:
        return "none", "-"
    budgets, deltas = zip(*kept, strict=True)
    stated = "not stated" if None in deltas else words.extremes(deltas)
    return words.extremes(budgets), "0" if risk == "pointwise" else stated


def of_rivals(study: Study, risk: str, who: Curator, everyone: bool) -> Figure:
    """What the study and each of its rivals is worth; ``everyone`` where there is no target."""
    rows = found(study, risk, who, everyone=everyone)
    parts = {
        name(row.kind, who, everyone=everyone): (
            worth(row.equation) if row.equation else None,
            worth(row.mechanism) if row.mechanism else None,
        )
        for row in rows
    }
    house, this = nothing(rows)
    title = f"Doing nothing is worth {house} records, this study {this}"
    return figures.rivals_figure(parts, title=title)


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


def _rate(row: Rival) -> str:
    rates = [x.rate for x in row.equation]
    return words.extremes(rates) if row.theorem and rates else "no theorem"


def sites_of(row: Rival) -> list[str]:
    """The sites that a row of one site alone means, by either answer."""
    return list(dict.fromkeys(x.site for x in (*row.equation, *row.mechanism) if x.site))


def _several(row: Rival) -> bool:
    """Whether each site stands for itself in a row."""
    return len(row.equation) > 1


def _basis(row: Rival) -> str:
    """Which sites a row of one site alone means, and which theorem covers it."""
    reason, which = words.cited(row.reason), sites_of(row)
    here = f"Here: {words.names(which)}. " if which else ""
    if row.theorem:
        covered = f"Covered by {words.cited(row.theorem)}"
        return f"{here}{covered} ({reason})." if reason else f"{here}{covered}."
    if not row.equation:
        return f"No theorem: {reason}."
    rate = words.number(row.equation[0].rate)
    return f"{here}No theorem: {reason}. Our own reading of the equation has the rate {rate}."
