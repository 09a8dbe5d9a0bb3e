"""Tab "My records": detection and transfer on an uploaded table with a source column."""

from __future__ import annotations

import functools

import streamlit as st

from pages.figures import chart
from pages.figures.chart import words
from pages.parts.frame import figure_card, tables
from pages.parts.live import Tabs, plan
from pages.parts.logistic import common as logistic_common
from pages.parts.logistic import figures
from pages.parts.session import state
from rates.numbers import DomainError
from sims.engine import Value
from sims.logistic import SETTINGS, OwnStudy, Release, Sites, Source, own_study, read_sites

TAB = "records"
_WANTED = ("epsilon", "kind", "delta", "clip", "scale")
USUAL = plan(tuple(s for s in SETTINGS if s.name in _WANTED), replicates=5)
_SITES, _PROBLEM, _MARK = "logistic_sites", "logistic_problem", "logistic_mark"


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        _upload()
        sites: Sites | None = st.session_state.get(_SITES)
        target = _target(sites)
        kind = logistic_common.noise(tabs, TAB)
        if kind in logistic_common.HONEST:
            tabs.number(TAB, "epsilon", "Budget ε of every site", list(logistic_common.BUDGETS))
            logistic_common.more_noise(tabs, TAB, kind)
        tabs.seed(TAB)
        tabs.refusal()
    with right:
        if sites is None or target is None:
            place.markdown(
                "Bring a **table of records** from at least two sources to see which of them the "
                "detection keeps for one of them."
            )
            _format()
            return
        asked = tabs.plan(TAB)
        try:
            with st.spinner("Splitting, releasing, fitting"):
                found = _study(sites, target, tuple(asked.values.items()), asked.seed)
        except DomainError as error:
            place.markdown("These records cannot be used as they are.")
            st.error(words.md(str(error)))
            return
        place.markdown(_answer(found))
        _results(found)


@functools.lru_cache(maxsize=8)
def _study(sites: Sites, target: str, items: tuple[tuple[str, Value], ...], seed: int) -> OwnStudy:
    return own_study(sites, target, Release(**dict(items)), seed=seed)  # type: ignore[arg-type]


def _upload() -> None:
    key = "logistic_upload"
    with st.popover("Bring the table", icon=":material/upload_file:"):
        st.file_uploader(
            "Table with columns source, y and covariates",
            type=["csv", "txt", "tsv"],
            key=key,
            help="y is 0 or 1; all other columns are numbers. It stays in this session.",
            on_change=_uploaded,
            args=(key,),
        )
    if problem := st.session_state.get(_PROBLEM):
        st.error(words.md(problem))


def _uploaded(key: str) -> None:
    state.touch()
    file = st.session_state.get(key)
    if file is None:
        st.session_state[_SITES], st.session_state[_PROBLEM] = None, ""
    else:
        take(file.getvalue())


def take(text: bytes) -> None:
    """Read a table of records; what is refused is kept to be shown."""
    memory = st.session_state
    memory[_PROBLEM], memory[_SITES] = "", None
    try:
        memory[_SITES] = read_sites(text)
    except DomainError as error:
        memory[_PROBLEM] = str(error)


def _target(sites: Sites | None) -> str | None:
    if sites is None:
        return None
    sizes = {name: len(y) for name, y in zip(sites.names, sites.y, strict=True)}
    return st.selectbox(
        "Target",
        list(sizes),
        index=list(sizes.values()).index(min(sizes.values())),
        format_func=lambda name: f"{name}, {sizes[name]:,} records",
        key=f"logistic_target_{'_'.join(sizes)}",
        on_change=state.touch,
    )


def _answer(found: OwnStudy) -> str:
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


def _results(found: OwnStudy) -> None:
    for note in found.notes:
        st.warning(words.md(note))
    losses, kept = found.detection.losses.tolist(), found.detection.kept.tolist()
    sources = [
        Source(name=name, loss=loss, kept=keep, alike=None)
        for name, loss, keep in zip(found.sources, losses, kept, strict=True)
    ]
    drawn = chart.Drawn(
        figure=figures.detection(
            sources,
            found.detection.alone,
            found.detection.threshold,
            title="Left of the threshold a source is kept",
        ),
        caption="Held-out loss of the target after pooling with one source, first split.",
        alt=f"Held-out losses of {len(sources)} sources; "
        f"threshold {words.number(found.detection.threshold)}.",
        rows=[
            {"source": s.name, "loss": s.loss, "kept": s.kept, "share_of_splits": share}
            for s, share in zip(sources, found.kept, strict=True)
        ],
        name="my-sources",
    )
    figure_card.show(drawn, key="figure_logistic_records")
    tables.wide(
        {
            "Source": list(found.sources),
            "Held-out loss": [words.number(x, 4) for x in losses],
            "Kept in the first split": ["yes" if keep else "no" for keep in kept],
            "Kept, share of splits": [f"{100 * x:.0f} %" for x in found.kept],
        },
        alt="Held-out loss and decision by source",
    )
    st.caption(
        "Means ± standard errors over 5 random splits of the target, 30 % set aside; each split "
        "has noise of its own. Splits overlap, so the errors are somewhat too small. "
        + ", ".join(
            f"{name.lower()}: {k} coefficients selected" for name, k in found.selected.items()
        )
        + "."
    )
    st.warning(
        "**Not private end to end.** Columns are scaled by means and standard deviations of all "
        "records, every split is a release of its own, and accuracies are computed on real "
        "records. A real release would do one split with public scales."
    )


def _format() -> None:
    st.info(
        "One row per record. A header names **source** (the site), **y** (0 or 1) and the "
        "covariates, all numbers. Commas, semicolons or tabs; rows with an empty cell, ? or NA "
        "are dropped and counted."
    )
    st.code("source,y,age,pressure\nA,1,63,145\nA,0,41,130\nB,1,67,160\nB,0,37,120", language=None)


def below() -> None:
    """What stands below the tab."""
    logistic_common.folds(
        logistic_common.reduction,
        logistic_common.LIMITS,
        {"DPLR:Sec2.3:algorithm-free": "Detection is driven by data"},
        privacy=(
            "Gaussian and Laplace noise: per split every record is clipped, and (G, b) of each "
            "fold of the target and of each source released once. Printed noise and none: no "
            "finite epsilon. What is not covered stands in the note above."
        ),
    )
