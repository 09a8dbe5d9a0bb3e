"""Tab "Published studies": the sites of studies that were done, and whether joining would pay."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import streamlit as st

from pages.charts import words
from pages.core import Block, Heading, Note, Slider
from pages.core.live import Open, plan
from pages.current import takeaway
from pages.real import records
from pages.study import verdict
from rates import decide
from rates.decision import Decision, sentences
from rates.numbers import EPSILON, decades
from rates.study import PUBLISHED, Preset
from sims.engine import Number


@dataclass(frozen=True, slots=True)
class _Case:
    """A published study at a budget, and its decision."""

    example: Preset
    found: Decision


@lru_cache(maxsize=32)
def _cases(epsilon: float) -> tuple[_Case, ...]:
    cases = []
    for one in PUBLISHED:
        rows = [replace(row, epsilon=epsilon) for row in one.study.servers]
        study = one.study.with_servers(rows)
        cases.append(_Case(replace(one, study=study), decide(study)))
    return tuple(cases)


def answer(cases: tuple[_Case, ...]) -> str:
    """Return the finding as sentences."""
    paid = [words.md(case.example.title) for case in cases if case.found.verdict == "yes"]
    budget = words.number(cases[0].example.study.servers[0].epsilon)
    which = f": {words.names(paid)}" if paid else ""
    return (
        f"At ε = **{budget}** per site joining pays in **{len(paid)}** of {len(cases)} published "
        f"studies{which}."
    )


def _verdict(found: Decision) -> None:
    """The decision, with what its words mean behind a mark."""
    first = next(iter(sentences(found)))
    st.markdown(verdict.marked(first), help=first.help or None)


def drawn(cases: tuple[_Case, ...]) -> Iterable[Block]:
    """Every study with its decision, its source, and the way to it."""
    for case in cases:
        study = case.example.study
        sizes = " / ".join(f"{row.n:,}" for row in study.servers)
        yield Heading(case.example.title, small=True)
        yield partial(_verdict, case.found)
        yield Note(f"{words.md(case.example.story)} Records: {sizes}.")
        yield Note(words.md(case.example.provenance))
        yield partial(takeaway.as_study, "Open this study", study)


def _budget(source: Open) -> None:
    """Ask for the budget, beside the studies."""
    Slider("epsilon", "Budget ε of every site", decades(-2, 2)).draw(source)


TAB = records.tab(
    id="published",
    title="Published studies",
    usual=plan((Number(EPSILON.within("[0.01, 100]"), 1.0),), replicates=2),
    inputs=(_budget,),
    compute=lambda asked: _cases(asked.values.number("epsilon")),
    answer=answer,
    blocks=drawn,
    why="The decision is that of *What it costs*: what the study is worth to who uses it, by the "
    "named mechanism, against the best that they can do alone.",
    limits="- Sizes are those that were published; budgets, deltas, smoothness and, for heart "
    "disease, how alike the clinics are, are ours: change them under *My study*.\n"
    "- Two of three had one large site; who has most records needs others least.",
)
