"""Where the error comes from: the shares of its causes, for the study and for other designs."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace

import streamlit as st

from pages.charts import Figure, theme, words
from pages.charts import shares as figures
from pages.core import fields, figure_card, lines
from pages.plan import designs as plan_designs
from pages.plan import goal as plan_goal
from pages.plan.view import View
from rates.answer import Causes, Lens, compare, error_causes
from rates.numbers import DomainError, budgets
from rates.study import Study
from sims.fit import exact_causes, title_of, worlds_for

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


def section(study: Study, view: View) -> None:
    """Show where the error of the study and of other designs comes from."""
    risk = plan_goal.risk(study, view)
    by = fields.choose("plan_causes_by", "Error by which answer?", answers(study, risk), MECHANISM)
    others = {
        f"Design {letter}": study.with_servers(other.servers)
        for letter, other in zip(plan_designs.LETTERS[1:], view.others, strict=False)
        if type(other) is type(study)
    }
    found = shown(study, risk, by, others)
    if THIS not in found.designs:
        st.caption(f"No parts of the error: {words.md(found.refused[THIS])}")
        return
    given = tuple(others.items())
    figure_card.show(lines.drawn(causes_drawn, study, risk, by, given), key="figure_causes")
    for name, why in found.refused.items():
        st.caption(f"{words.md(name)} has no bar: {words.md(why)}")


def causes_drawn(study: Study, risk: str, by: str, others: tuple[tuple[str, Study], ...]) -> Figure:
    """Where the error of a study and of other designs, given by name, comes from."""
    return picture(shown(study, risk, by, dict(others)))


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


def picture(found: Shown) -> Figure:
    """One bar per design."""
    own = found.designs[THIS].shares
    skipped = found.by == MECHANISM  # there bias is half of it whatever the study
    top = max(range(int(skipped), len(own)), key=own.__getitem__)
    name, share = theme.CAUSES[top][1], own[top]
    # More than all of it, where another cause makes it smaller.
    part = "most" if share > 1.0 else words.percent(share)
    title = f"{name.capitalize()}: {part} of the error"
    return figures.by_cause(found.designs, title=title, caption=found.ground)
