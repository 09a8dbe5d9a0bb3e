"""What the tabs of the regression page share: true curve, own curve, run, folds."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence

import streamlit as st

from pages.figures import simulation
from pages.figures.chart import words
from pages.parts.frame import folds as shared
from pages.parts.frame import ledger_links
from pages.parts.live import Tabs, kept
from pages.parts.live import panel as live
from pages.parts.session import state
from rates.numbers import DomainError, steps
from sims.curves import Curve, read_curve
from sims.engine import Estimate, Experiment, Point, Progress, Request, Value, Values
from sims.files import to_dict
from sims.regression import OWN, PRIVACY, Guarantee, Setup, run_shortfalls, shortfalls, with_curve

CURVES = {
    "fourier": "Random Fourier series of smoothness α",
    "wavelet": "Random wavelet series of smoothness α",
    "cusp": "Cusp of exponent ν",
    "smooth": "Smooth periodic curve",
    "arc": "Arc, not periodic",
    "blocks": "Blocks",
    "bumps": "Bumps",
    "heavisine": "HeaviSine",
    "doppler": "Doppler",
}
BASES = {"haar": "Haar", "periodic": "Periodic", "boundary": "With edges, as in the paper"}
NOISES = {"printed": "As printed", "tight": "Exact sensitivity", "analytic": "Exact noise"}
LEVELS = {"oracle": "Best", "constants": "Calibrated equation", "printed": "As printed"}
DELTAS = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3]
RISKS = {"integrated": "Whole curve", "pointwise": "One point"}
_OWN, _PROBLEM, _VERSION = "regression_own", "regression_own_problem", "regression_own_version"
_RANDOM = ("fourier", "wavelet")
_MOST_TOLD = 4  # budgets named in a warning


def own() -> Curve | None:
    """The curve that was uploaded, if one is in use."""
    return st.session_state.get(_OWN)


def complete(values: Values, curve: Curve | None) -> Values:
    """Return checked values with the uploaded curve in them, as `sims` takes it."""
    return {**values, OWN: curve} if curve else values


@functools.lru_cache(maxsize=32)
def experiment(base: Experiment, curve: Curve | None) -> Experiment:
    """Return the experiment on the uploaded curve, or as it is; its points are kept."""
    return kept(with_curve(base, curve) if curve else base)


def controls(tabs: Tabs, tab: str, *, several: bool = True) -> None:
    """Widgets for the true curve; what the chosen one does not use is not shown."""
    values, curve = tabs.plan(tab).values, own()
    tabs.select(tab, "curve", "True curve", CURVES, disabled=curve is not None)
    if curve is not None:
        _in_use(curve)
    elif values["curve"] in _RANDOM and "smoothness" in values:
        tabs.number(tab, "smoothness", "Smoothness α", steps(0.6, 2.0, 0.1))
    elif values["curve"] == "cusp":
        tabs.number(tab, "exponent", "Exponent of the cusp ν", steps(0.25, 1.75, 0.25))
    with st.expander("Basis, place, random curves, your own curve"):
        tabs.choice(tab, "basis", "Wavelets", BASES)
        if values["basis"] != "haar":
            tabs.number(tab, "moments", "Vanishing moments", steps(1, 6, 1))
        tabs.number(tab, "at", "Place of cusp and of the error at a point", steps(0, 1, 0.01))
        if curve is None:
            tabs.number(tab, "curve_seed", "Seed of the random curve", steps(0, 9, 1))
            if several:
                title = "Random curves, or places, averaged over"
                tabs.number(tab, "curves", title, steps(1, 16, 1))
        upload()


def _in_use(curve: Curve) -> None:
    note = f" {curve.note}" if curve.note else ""
    ends = "" if curve.periodic else " Its ends differ; wavelets with edges suit it better."
    st.info(f"**Your own curve** is in use: {curve.formula}.{note}{ends}", icon=":material/draw:")
    st.button("Back to the curves of the page", key="regression_own_drop", on_click=_drop)


def upload() -> None:
    """Take a curve as two columns, x and y; what is refused stands beside it."""
    version = st.session_state.get(_VERSION, 0)
    key = f"regression_upload_{version}"
    st.file_uploader(
        "Your own curve: a table with columns x and y",
        type=["csv", "txt", "tsv"],
        key=key,
        help="x in [0, 1] and increasing, |y| at most 1; straight lines join the points.",
        on_change=_uploaded,
        args=(key,),
    )
    if problem := st.session_state.get(_PROBLEM):
        st.error(words.plain(problem))
    st.caption(
        "The curve is the truth of a simulation: data are drawn around it. It stays in this "
        "session, is not in the link, and nothing about it is released privately."
    )


def _uploaded(key: str) -> None:
    state.touch()
    file = st.session_state.get(key)
    if file is not None:
        take(file.getvalue())


def take(text: bytes) -> None:
    """Read an uploaded curve; what is refused is kept to be shown."""
    memory = st.session_state
    memory[_PROBLEM] = ""
    try:
        memory[_OWN] = read_curve(text)
    except DomainError as error:
        memory[_PROBLEM] = str(error)
    else:
        memory["regression_own_count"] = memory.get("regression_own_count", 0) + 1


def _drop() -> None:
    state.touch()
    memory = st.session_state
    memory[_OWN], memory[_PROBLEM] = None, ""
    memory[_VERSION] = memory.get(_VERSION, 0) + 1


def job(
    name: str,
    request: Request,
    *,
    answer: Callable[[Progress, Curve | None], str],
    draw: Callable[[Progress, Curve | None], None],
    auto: bool = False,
) -> live.Job:
    """Return the run of a tab; a run on one's own curve is another run."""
    curve = own()
    count = st.session_state.get("regression_own_count", 0)
    return live.Job(
        key=f"regression_{name}_own_{count}" if curve else f"regression_{name}",
        request=request,
        answer=functools.partial(_with, answer, curve),
        draw=functools.partial(_with, draw, curve),
        auto=auto and curve is None,
        repeat=own_lines(request) if curve else "",
    )


def warn(found: Iterable[Guarantee]) -> None:
    """Say at which budgets the noise keeps less than is asked for; nothing if at none."""
    failing = shortfalls(found)
    if not failing:
        return
    told = "; ".join(_told(g) for g in failing[:_MOST_TOLD])
    more = len(failing) - _MOST_TOLD
    rest = f"; and {more} more" if more > 0 else ""
    st.warning(
        f"**Less private than asked.** One release, one record replaced: {told}{rest}. With exact "
        "noise a release keeps what is asked."
    )


def _told(g: Guarantee) -> str:
    start = f"at ε = **{words.number(g.epsilon)}**"
    if g.law == "Laplace":
        real = words.number(g.actual_epsilon)
        return f"{start} the value at a point really has ε = **{real}**"
    return f"{start} δ is really **{words.number(g.actual_delta)}**, not {words.number(g.delta)}"


def warn_run(request: Request, setup: Setup) -> None:
    """Warn of the budgets of a run at which its noise keeps less than is asked for."""
    items = tuple(request.values.items())
    warn(_shortfalls(request.experiment, setup, items, own()))


@functools.lru_cache(maxsize=64)
def _shortfalls(
    base: Experiment, setup: Setup, items: tuple[tuple[str, Value], ...], curve: Curve | None
) -> tuple[Guarantee, ...]:
    values = dict(items)
    return run_shortfalls(complete(values, curve), base.points(values), setup)


def _with(function: Callable, curve: Curve | None, progress: Progress):  # type: ignore[type-arg,no-untyped-def]
    return function(progress, curve)


def own_lines(request: Request) -> str:
    """Return the lines of Python that repeat a run on one's own curve."""
    plain = to_dict(request)
    return (
        "from pathlib import Path\n\n"
        "from sims.experiment import Request\n"
        "from sims.experiments import find\n"
        "from sims.files import to_csv\n"
        "from sims.regression import with_curve\n"
        "from sims.run import run\n"
        "from sims.uploaded import read_curve\n\n"
        'curve = read_curve(Path("curve.csv").read_bytes())  # the file that was uploaded\n'
        "request = Request(\n"
        f"    experiment=with_curve(find({plain['experiment']!r}), curve),\n"
        f"    values={plain['parameters']!r},\n"
        f"    replicates={plain['replicates']},\n"
        f"    seed={plain['seed']},\n"
        ")\n"
        "for progress in run(request):\n"
        "    pass\n"
        "print(to_csv(progress))\n"
    )


def folds(
    why: Callable[[], None], limits: str, statements: Mapping[str, str], *, privacy: str = PRIVACY
) -> None:
    """What stands below every tab of the page."""
    shared.show(
        why, limits, statements, privacy=privacy, more=lambda: ledger_links.listed("regression")
    )


def alt(points: Sequence[Point], estimates: Sequence[Estimate], x_title: str) -> str:
    """Say what a figure of squared errors shows, in words."""
    told = simulation.alt(points, estimates, x_title)
    exact = [point.exact for point in points if point.exact is not None]
    ends = f" Exact from {words.number(min(exact))} to {words.number(max(exact))}." if exact else ""
    return told.replace("Excess risk", "Squared error") + ends
