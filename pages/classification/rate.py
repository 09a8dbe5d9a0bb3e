"""Tabs "Rate" and "My study": simulated risk over the calibrated rate, and over the study's."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import streamlit as st

import rates
from pages.charts import number, percent, signed, simulation, words
from pages.classification import common
from pages.core import Between, Block, Heading, Listing, Note, Slider, Switch, Table, layout
from pages.core.live import (
    SHORT,
    Folded,
    Item,
    Missing,
    Plan,
    along,
    kept,
    of_experiment,
    repetition,
)
from pages.current import simulated, state
from rates.answer import calibrated, offered_delta
from rates.numbers import decades
from rates.study import TransferStudy
from sims import classification as sim
from sims.engine import Estimate, Fit, Point, Progress, Value, fits, scaling

SWEEPS = {"n": "Sample size n", "epsilon": "Budget ε", "m": "Number of sources m"}
_BUDGETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
_COUNTS = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1e3, 3e3, 1e4)
_STOPS = {"n": (100.0, 300.0, 1e3, *sim.SIZES, 3e8, 1e9), "epsilon": _BUDGETS, "m": _COUNTS}
_LISTS: dict[str, dict[str, Value]] = {  # what each sweep starts with
    "n": {"n": sim.SIZES, "epsilon": (math.inf, 1.0, 0.1), "m": (1.0,)},
    "epsilon": {"n": (1e6, 1e5, 1e4), "epsilon": _BUDGETS, "m": (1.0,)},
    "m": {"n": (1e6,), "epsilon": (math.inf, 1.0, 0.1), "m": _COUNTS},
}
_MOST_NAMED = 3  # series spelled out in the answer
_SPREAD = "± is a standard error."

_kinks = functools.lru_cache(maxsize=64)(sim.kinks)


def _fields(asked: Plan) -> Iterator[Item]:
    alone = asked.values["servers"] == "target"
    servers = {"target": "Target", "sources": "Sources", "both": "Both"}
    yield Switch("servers", "Who releases", servers, then=_of_servers)
    yield from along(
        asked,
        {name: title for name, title in SWEEPS.items() if name != "m" or not alone},
        lists=_LISTS,
        stops=_STOPS,
        budgets=(math.inf, 10.0, 1.0, 0.1, 0.01),
        sizes=(1e4, 1e5, 1e6, 1e7),
    )
    if not alone:
        yield common.SIGNAL
        if asked.values["sweep"] != "m":
            yield Slider("m", "Number of sources m", decades(0, 4, whole=True))
        if asked.values["servers"] == "both":
            yield Slider("n0", "Target records n₀", decades(2, 8, whole=True))
    yield from repetition()
    lists = ("n", "epsilon") if alone else ("n", "epsilon", "m", "gamma")
    more: list[Item] = [*common.WORLD, *(Listing(name, f"{name}, exact list") for name in lists)]
    yield Folded("World, mechanism, exact lists", more)


def _of_servers(servers: str) -> Mapping[str, Value]:
    """A sweep over sources makes no sense for a target alone."""
    return {"sweep": "n", **_LISTS["n"]} if servers == "target" else {}


def rivals(progress: Progress) -> dict[str, dict[str, float]]:
    """Return, by series, the slopes far out where one of two terms decides alone."""
    return {
        series: {"sampling alone": far.sampling, "privacy alone": far.privacy}
        for series, far in sim.asymptotic_slopes(progress.request.values).items()
        if far.privacy is not None
    }


def judged(fit: Fit, others: Mapping[str, float]) -> str:
    """Return the verdict on one curve in words."""
    verdict = fit.verdict(others)
    if verdict != scaling.CANNOT_DISTINGUISH:
        return verdict
    names = [n for n, s in others.items() if fit.verdict({n: s}) == scaling.CANNOT_DISTINGUISH]
    return f"agrees, but cannot distinguish it from {' or '.join(names)}"


def answer(progress: Progress) -> str:
    """Return the finding so far as a sentence."""
    if not progress.done:
        return (
            "The dotted lines are the classifier's exact risk, computed without simulation. "
            "**Run** puts simulated points beside them and fits the slope."
        )
    found = [fit for fit in _fits(progress) if fit.slope is not None]
    seen = sum(count >= 2 for count in progress.counts)
    start = f"After **{seen} points** and **{common.replicates(progress)} replicates**, "
    if not found:
        return f"{start}there are too few points for a slope."
    other = rivals(progress)
    verdicts = [judged(fit, other.get(fit.series, {})) for fit in found]
    if len(found) == 1:
        return (
            f"{start}the fitted slope is **{words.slope(found[0])}**; the calibrated rate's over "
            f"the same window is **{signed(found[0].theory)}**: **{verdicts[0]}**. {_SPREAD}"
        )
    named = "; ".join(
        f"{fit.series} **{words.slope(fit)}** against **{signed(fit.theory)}** ({verdict})"
        for fit, verdict in zip(found[:_MOST_NAMED], verdicts, strict=False)
    )
    more = f"; and {len(found) - _MOST_NAMED} more below" if len(found) > _MOST_NAMED else ""
    agreed = sum(verdict.startswith(scaling.AGREES) for verdict in verdicts)
    return (
        f"{start}**{agreed} of {len(found)}** fitted slopes agree with the calibrated rate's "
        f"over the same window: {named}{more}. {_SPREAD}"
    )


def _fits(progress: Progress) -> tuple[Fit, ...]:
    return fits(progress.request.points, progress.estimates)


def drawn(progress: Progress) -> Iterable[Block]:
    """The figure and the table of slopes."""
    request, estimates = progress.request, progress.estimates
    swept = request.values.word("sweep")
    bends = _kinks(request.values)
    at: dict[str, list[float]] = {}
    for kink in bends:
        at.setdefault(kink.series, []).append(kink.x)
    yield simulation.rate_figure(
        request.points,
        estimates,
        name="rate",
        caption=_bends(bends, swept),
        x_title=SWEEPS[swept],
        y_title="Excess risk",
        title="Excess risk over C times the calibrated rate",
        curve="calibrated rate",
        bends=at,
    )
    yield from _table(progress, _fits(progress))


def _bends(bends: Sequence[sim.Kink], swept: str) -> str:
    if not bends:
        return "No curve bends within this range: one term decides throughout."
    listed = "; ".join(
        f"{kink.series}: {SHORT[swept]} = {number(kink.x)} ({sim.NAMES[kink.server]}, the "
        f"{kink.server})"
        for kink in bends
    )
    return (
        f"Thin vertical lines: where the privacy and the sampling term of a server are equal, "
        f"and its rate bends. {listed}. The constants are the mechanism's; the rates of (4), "
        "without constants, put the bends elsewhere."
    )


def _table(progress: Progress, found: Sequence[Fit]) -> Iterable[Block]:
    """Slopes side by side."""
    far, other = sim.asymptotic_slopes(progress.request.values), rivals(progress)

    def asymptotic(series: str) -> str:
        if series not in far:
            return "no single one"
        sampling, privacy = far[series].sampling, far[series].privacy
        if privacy is None:
            return signed(sampling)
        return f"privacy {signed(privacy)}, sampling {signed(sampling)}"

    yield Table(
        {
            "Curve": [fit.series for fit in found],
            "Fitted slope": [words.slope(fit) for fit in found],
            "Calibrated": [signed(fit.theory) for fit in found],
            "Verdict": [judged(fit, other.get(fit.series, {})) for fit in found],
            "95% interval": [
                f"{signed(fit.slope.low)} to {signed(fit.slope.high)}" if fit.slope else ""
                for fit in found
            ],
            "Far out": [asymptotic(fit.series) for fit in found],
            "Constant C": [
                f"{number(fit.constant.value)} ± {number(fit.constant.stderr, 2)}"
                if fit.constant
                else ""
                for fit in found
            ],
            "Points": [f"{fit.used} used, {len(fit.left_out)} left out" for fit in found],
        },
        "Fitted slopes beside the slopes of the theory",
    )
    yield Note(
        "Fitted slope ± its standard error, beside the slope of the calibrated curve over the "
        "same points with the same weights. Far out: the exponents of (4) where one term "
        "decides. Privacy, sampling and the range decide how far out is far."
    )
    reasons = dict.fromkeys(reason for fit in found for _, reason in fit.left_out)
    if progress.done and reasons:
        yield Note(f"Left out of the fits, drawn hollow: {'; '.join(reasons)}.")


RATE_TAB = common.tab(
    "rate",
    "Rate",
    usual=of_experiment(sim.RATE),
    inputs=_fields,
    experiment=kept(sim.RATE),
    privacy="",
    auto=True,
    answer=answer,
    blocks=drawn,
    after=lambda request: common.said(sim.rate_spent(request.values)),
)

# My study -------------------------------------------------------------------------------------

_STUDY = kept(sim.STUDY)
_NAMES = {"matched": "Calibrated", "printed": "(11), (12)"}  # in the legend
_ANSWERED = {"matched": "the mechanism's own equation", "printed": "the paper's (11) and (12)"}


def _lacks() -> Missing | None:
    if isinstance(state.current(), TransferStudy):
        return None
    return Missing("The current study fits a **curve**; a classifier needs a target.", [_to_study])


def _to_study() -> None:
    label = "Open a study with a target"
    st.page_link(layout.page("study"), label=label, icon=":material/edit:")


def _caps(study: TransferStudy, note: str) -> str:
    """What had to be changed or filled in to simulate the study."""
    parts = [
        "Sizes, budgets and signal exponents are the study's. Smoothness, dimension and margin "
        "are the world's (β = 1, α β = d), not the study's "
        f"(β = {number(study.smoothness)}, d = {study.dimension}, α = {number(study.margin)})."
    ]
    if any(row.private and row.delta is None for row in study.servers):
        parts.append(f"Where no δ is given it is {number(offered_delta(study))}.")
    parts.append(f"**Capped.** {words.plain(note)}" if note else "Nothing had to be capped.")
    return " ".join(parts)


def study_answer(progress: Progress) -> str:
    """Return the finding so far as a sentence."""
    own = simulated.at_one(progress)
    if not own:
        return simulated.ABSENT
    parts = ", ".join(
        f"{_risk(point, found)} with bandwidth and weights of {_ANSWERED[sim.RULES[series]]}"
        for series, (point, found) in own.items()
    )
    end = (
        " At these sizes the classifier is **saturated**: it still errs far from the boundary, "
        "so the rate cannot show yet."
        if any(point.left_out for point, _ in own.values())
        else ""
    )
    return f"On this world the study's classifier errs more than the best one by {parts}.{end}"


def _risk(point: Point, found: Estimate) -> str:
    if found.replicates >= 2:
        return f"**{words.around(found, percent)}**"
    return "not computed yet" if point.exact is None else f"**{percent(point.exact)}** (exact)"


def study_blocks(progress: Progress) -> Iterable[Block]:
    """The figure, under short names; before a run there is no mark to call left out."""
    points = tuple(
        replace(
            point,
            series=_NAMES[sim.RULES[point.series]],
            left_out=point.left_out if progress.done else "",
        )
        for point in progress.request.points
    )
    yield simulation.rate_figure(
        points,
        progress.estimates,
        name="study",
        caption="Two ways to choose bandwidth and weights, each over its own rate: **calibrated**, "
        "from the mechanism's own equation, and **(11), (12)** of the paper over the rate of "
        "equation (5), which knows no constants. Simulated risks have constants; the rates do "
        "not, so only shapes can be compared.",
        x_title="Factor on every budget",
        y_title="Excess risk",
        title="This study on a known world, as its budgets scale",
        curve="its rate",
    )


def _below(made: simulated.Current) -> Iterable[Block]:
    """Both answers of the engine, for the study's own shape and for the world's."""
    yield Heading("Both answers of the engine", anchor=True)
    full = simulated.stated(made.study)
    trial = sim.study_trial(made.request.values, 1.0, "matched")
    mechanism, kappa = trial.mechanism, trial.kappa
    rows = [
        ("Rate equation (5), up to constants and logs", "study's", rates.solve(full)),
        ("Rate equation (5), up to constants and logs", "world's", rates.solve(trial.study)),
        ("Named mechanism", "study's", calibrated(full, mechanism=mechanism, kappa=kappa)),
        ("Named mechanism", "world's", calibrated(trial.study, mechanism=mechanism, kappa=kappa)),
    ]
    yield Table(
        {
            "Answer": [name for name, _, _ in rows],
            "β, d, α": [shape for _, shape, _ in rows],
            "r": [number(found.r) for _, _, found in rows],
            "Rate, capped at 1": [number(found.rate) for _, _, found in rows],
            "Bandwidth h": [
                "none" if found.bandwidth is None else number(found.bandwidth)
                for _, _, found in rows
            ],
            "Target's share": [percent(found.shares[0]) for _, _, found in rows],
            "Target limited by": [found.limited_by[0] for _, _, found in rows],
        },
        "Both answers of the engine for the study and for the world",
    )


STUDY_TAB = common.tab(
    "study",
    "My study",
    alone=False,
    usual=simulated.usual(sim.STUDY, ("n", "epsilon", "delta", "gamma", "count"), replicates=200),
    lacks=_lacks,
    inputs=(
        common.WORLD[0],
        Between("factor", "All budgets times", tuple(2.0**k for k in range(-6, 7))),
        *repetition(),
        Folded("Mechanism, bandwidth", common.WORLD[1:]),
    ),
    compute=lambda asked: simulated.made(asked, _STUDY, sim.study_values, _caps),
    cannot=simulated.CANNOT,
    before=lambda made: [made.told],
    answer=study_answer,
    blocks=study_blocks,
    after=lambda made: common.said(sim.study_spent(made.request.values), who="Each row's release"),
    below=_below,
)
