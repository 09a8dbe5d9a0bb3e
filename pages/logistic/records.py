"""Tab "My records": detection and transfer on an uploaded table with a source column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

from pages.charts import words
from pages.core import Block, Code, Note, Table, Upload, menu, of_visitor
from pages.core.live import Item, Missing, Open, Plan, plan, seed
from pages.logistic import common, figures
from sims.logistic import SETTINGS, OwnStudy, Release, Sites, Source, own_study, read_sites

_WANTED = ("epsilon", "kind", "delta", "clip", "scale")
SITES = Upload(
    "logistic_sites",
    "Table with columns source, y and covariates",
    read_sites,
    "y is 0 or 1; all other columns are numbers. It stays in this session.",
    behind="Bring the table",
)
MISSING = Missing(
    "Bring a **table of records** from at least two sources to see which of them the "
    "detection keeps for one of them.",
    (
        Note(
            "One row per record. A header names **source** (the site), **y** (0 or 1) and the "
            "covariates, all numbers. Commas, semicolons or tabs; rows with an empty cell, ? or NA "
            "are dropped and counted.",
            "info",
        ),
        Code("source,y,age,pressure\nA,1,63,145\nA,0,41,130\nB,1,67,160\nB,0,37,120", None),
    ),
)


def fields(asked: Plan) -> Sequence[Item]:
    """The table, its target, and the noise."""
    kind = asked.values.word("kind")
    honest = (common.EPSILON, *common.more_noise(kind)) if kind in common.HONEST else ()
    return lambda source: SITES.draw(), _choose, *common.noise(kind), *honest, seed()


def _choose(source: Open) -> None:
    """Which source is the target: at first the smallest."""
    if (sites := SITES.now()) is None:
        return
    sizes = {name: len(y) for name, y in zip(sites.names, sites.y, strict=True)}
    labels = {name: f"{name}, {size:,} records" for name, size in sizes.items()}
    menu(_target(sites), "Target", labels, start=min(sizes, key=sizes.__getitem__))


def _target(sites: Sites) -> str:
    return f"logistic_target_{'_'.join(sites.names)}"


def made(asked: Plan) -> OwnStudy:
    """Return what the table in use gives."""
    if (sites := SITES.now()) is None:
        raise MISSING
    with st.spinner("Splitting, releasing, fitting"):
        return _study(sites, st.session_state[_target(sites)], asked)


@of_visitor(8)
def _study(sites: Sites, target: str, asked: Plan) -> OwnStudy:
    return own_study(sites, target, Release(**asked.values), seed=asked.seed)  # type: ignore[arg-type]


def answer(found: OwnStudy) -> str:
    """Return the finding as sentences."""
    kept = [s for s, keep in zip(found.sources, found.detection.kept.tolist(), strict=True) if keep]
    which = f"keeps **{words.names(kept)}**" if kept else "keeps **none**"
    scores = "; ".join(
        f"{name.lower()} **{100 * e.mean:.1f} ± {100 * e.stderr:.1f} %**"
        for name, e in found.accuracy.items()
    )
    return (
        f"For **{words.md(found.target)}** the detection {which} of {len(found.sources)} sources "
        "in the first split. Right labels on records set aside, mean ± standard error over the "
        f"splits: {scores}; always saying the more frequent class "
        f"**{100 * found.baseline.mean:.1f} %**."
    )


def drawn(found: OwnStudy) -> Iterable[Block]:
    """What was decided of every source, and how sure that is."""
    for note in found.notes:
        yield Note(words.md(note), "warning")
    losses, kept = found.detection.losses.tolist(), found.detection.kept.tolist()
    sources = [
        Source(name=name, loss=loss, kept=keep, alike=None)
        for name, loss, keep in zip(found.sources, losses, kept, strict=True)
    ]
    yield figures.detection(
        sources,
        found.detection.alone,
        found.detection.threshold,
        caption="Held-out loss of the target after pooling with one source, first split.",
        alt=f"Held-out losses of {len(sources)} sources; "
        f"threshold {words.number(found.detection.threshold)}.",
        rows=[
            {"source": s.name, "loss": s.loss, "kept": s.kept, "share_of_splits": share}
            for s, share in zip(sources, found.kept, strict=True)
        ],
        name="my-sources",
    )
    yield Table(
        {
            "Source": list(found.sources),
            "Held-out loss": [words.number(x, 4) for x in losses],
            "Kept in the first split": ["yes" if keep else "no" for keep in kept],
            "Kept, share of splits": [f"{100 * x:.0f} %" for x in found.kept],
        },
        alt="Held-out loss and decision by source",
    )
    selected = (f"{name.lower()}: {k} coefficients selected" for name, k in found.selected.items())
    yield Note(
        "Means ± standard errors over 5 random splits of the target, 30 % set aside; each split "
        "has noise of its own. Splits overlap, so the errors are somewhat too small. "
        f"{', '.join(selected)}."
    )
    yield Note(
        "**Not private end to end.** Columns are scaled by means and standard deviations of all "
        "records, every split is a release of its own, and accuracies are computed on real "
        "records. A real release would do one split with public scales.",
        "warning",
    )


TAB = common.tab(
    name="records",
    title="My records",
    alone=False,
    usual=plan(tuple(s for s in SETTINGS if s.name in _WANTED), replicates=5),
    fields=fields,
    made=made,
    cannot="These records cannot be used as they are.",
    answer=answer,
    drawn=drawn,
    privacy=(
        "Gaussian and Laplace noise: per split every record is clipped, and (G, b) of each "
        "fold of the target and of each source released once. Printed noise and none: no "
        "finite epsilon. What is not covered stands in the note above."
    ),
    statements={"DPLR:Sec2.3:algorithm-free": "Detection is driven by data"},
)
