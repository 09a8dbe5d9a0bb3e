"""The page: does it hold on real records of real sites? And its last tab, published studies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache, partial

import streamlit as st

from pages.charts import words
from pages.core import Block, Heading, Note, Slider
from pages.core.live import page, plan
from pages.current import takeaway
from pages.real import records, sites, slopes
from pages.study import verdict
from rates import decide
from rates.decision import Decision, sentences
from rates.numbers import EPSILON, decades
from rates.study import PUBLISHED, Preset
from sims.engine import Number

Cases = tuple[tuple[Preset, Decision], ...]


# The slider has few stops, and a decision takes longer than a slider may.
@lru_cache(maxsize=32)
def _cases(epsilon: float) -> Cases:
    """Return every published study at a budget, and its decision."""
    cases = []
    for one in PUBLISHED:
        rows = [replace(row, epsilon=epsilon) for row in one.study.servers]
        study = one.study.with_servers(rows)
        cases.append((replace(one, study=study), decide(study)))
    return tuple(cases)


def answer(cases: Cases) -> str:
    """Return the finding as sentences."""
    paid = [words.md(example.title) for example, found in cases if found.verdict == "yes"]
    budget = words.number(cases[0][0].study.servers[0].epsilon)
    which = f": {words.names(paid)}" if paid else ""
    return (
        f"At ε = **{budget}** per site joining pays in **{len(paid)}** of {len(cases)} published "
        f"studies{which}."
    )


def _verdict(found: Decision) -> None:
    """The decision, with what its words mean behind a mark."""
    # The verdict alone; the rest is said where the study is opened.
    first = next(iter(sentences(found)))
    st.markdown(verdict.marked(first), help=first.help or None)


def drawn(cases: Cases) -> Iterable[Block]:
    """Every study with its decision, its source, and the way to it."""
    for example, found in cases:
        study = example.study
        sizes = " / ".join(f"{row.n:,}" for row in study.servers)
        yield Heading(example.title, small=True)
        yield partial(_verdict, found)
        yield Note(f"{words.md(example.story)} Records: {sizes}.")
        yield Note(words.md(example.provenance))
        yield partial(takeaway.as_study, "Open this study", study)


PUBLISHED_TAB = records.tab(
    id="published",
    title="Published studies",
    usual=plan((Number(EPSILON.within("[0.01, 100]"), 1.0),), replicates=2),
    # A function: a slider by itself would stand under a figure, and here is none.
    inputs=(
        lambda source: Slider("epsilon", "Budget ε of every site", decades(-2, 2)).draw(source),
    ),
    compute=lambda asked: _cases(asked.values.number("epsilon")),
    answer=answer,
    blocks=drawn,
    why="The decision is that of *What it costs*: what the study is worth to who uses it, by the "
    "named mechanism, against the best that they can do alone.",
    limits="- Sizes are those that were published; budgets, deltas, smoothness and, for heart "
    "disease, how alike the clinics are, are ours: change them under *My study*.\n"
    "- Two of three had one large site; who has most records needs others least.",
)
TABS = (sites.TAB, slopes.TAB, slopes.DIFFER, PUBLISHED_TAB)


def draw() -> None:
    """Draw the page."""
    page.show("Does it hold on real records?", *TABS)
