"""What the tabs of the regression page share: true curve, own curve, run, warnings."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ParamSpec, TypeVar

import streamlit as st

from pages.charts import Figure, number, simulation
from pages.core import Block, Menu, Note, Slider, Switch, Upload, button, kept_for, of_visitor
from pages.core.live import Folded, Item, Open, Tab, draw_fields, kept, of_experiment, repeat_lines
from pages.core.live import panel as live
from rates.numbers import steps
from sims import ccv as sim
from sims.curves import Curve, read_curve
from sims.engine import Experiment, Progress, Request, Values

CURVES = {
    "fourier": "Random, of smoothness α",
    "wavelet": "Wavelets of smoothness α",
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
RISK = Switch("risk", "Error", {"integrated": "Whole curve", "pointwise": "One point"})
NOISE = Switch("noise", "Noise", NOISES)
LEVEL = Switch("level", "K is", LEVELS)
CLIP = Slider("clip", "Clipping threshold τ", steps(1.5, 6.0, 0.5))
DELTA = Slider("delta", "δ of every server", [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3])
RECIPE = (NOISE, CLIP, DELTA)
OWN_CURVE = Upload(
    "regression_own",
    "Your own curve: a table with columns x and y",
    read_curve,
    "x in [0, 1] and increasing, |y| at most 1; straight lines join the points.",
)
_END = "- This is a simulation, not a tool to release data."
_RANDOM = ("fourier", "wavelet")
P = ParamSpec("P")
T = TypeVar("T")
_MOST_TOLD = 4  # budgets named in a warning


def own() -> Curve | None:
    """The curve that was uploaded, if one is in use."""
    return OWN_CURVE.now()


def complete(values: Values) -> Values:
    """Return checked values with the uploaded curve in them, as `sims` takes it."""
    return sim.on_curve_of(values, own())


def stored(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Keep a function's last results, for the visitor alone where a curve of their own is used."""
    return kept_for(most, own)


@of_visitor(32)
def _on(base: Experiment, curve: Curve | None) -> Experiment:
    # Points of one's own curve are no other visitor's business.
    return kept(sim.with_curve(base, curve), private=True) if curve else kept(base)


def experiment(base: Experiment) -> Experiment:
    """Return the experiment on the uploaded curve, or as it is; its points are kept."""
    return _on(base, own())


def tab(
    base: Experiment | None = None, setup: sim.Setup | None = None, *, limits: str, **fields: Any
) -> Tab:
    """Return a tab of the page.

    Args:
        base: What Run runs, on the curve in use; None for a look.
        setup: Servers and recipe of a point of it, to say where its noise keeps too little.
        limits: What its answer leaves open, besides what all of them do.
        **fields: Fields of the tab; they come first.
    """
    page: dict[str, Any] = {"page": "regression", "alone": lambda: own() is None}
    if base is None:
        page["privacy"] = sim.PRIVACY
    else:
        page |= {"privacy": base.privacy, "usual": of_experiment(base), "job": _job}
        page["compute"] = lambda asked: asked.request(experiment(base))
        # A look has no replicates, and so none of these errors.
        limits = f"{live.ERRORS}\n\n{limits}"
    if setup is not None:
        page["before"] = functools.partial(weak, setup)
    return Tab(**page | fields, limits=f"{limits}\n{_END}")


def ask_curve(source: Open, *, several: bool = True) -> None:
    """Ask for the true curve, without what the chosen one does not use."""
    values, curve = source.plan.values, own()
    first: list[Item] = [Menu("curve", "True curve", CURVES, disabled=curve is not None)]
    if curve is not None:
        first.append(_in_use)
    elif values["curve"] in _RANDOM and "smoothness" in values:
        first.append(Slider("smoothness", "Smoothness α", steps(0.6, 2.0, 0.1)))
    elif values["curve"] == "cusp":
        first.append(Slider("exponent", "Exponent of the cusp ν", steps(0.25, 1.75, 0.25)))
    more: list[Item] = [Switch("basis", "Wavelets", BASES)]
    if values["basis"] != "haar":
        more.append(Slider("moments", "Vanishing moments", steps(1, 6, 1)))
    more.append(Slider("at", "Place of cusp and of the error at a point", steps(0, 1, 0.01)))
    if curve is None:
        more.append(Slider("curve_seed", "Seed of the random curve", steps(0, 9, 1)))
        if several:
            title = "Random curves, or places, averaged over"
            more.append(Slider("curves", title, steps(1, 16, 1)))
    fold = Folded("Basis, place, random curves, your own curve", [*more, _upload])
    draw_fields(source, [*first, fold])


def _in_use(source: Open) -> None:
    curve = own()
    assert curve is not None
    note = f" {curve.note}" if curve.note else ""
    ends = "" if curve.periodic else " Its ends differ; wavelets with edges suit it better."
    st.info(f"**Your own curve** is in use: {curve.formula}.{note}{ends}", icon=":material/draw:")
    button("Back to the curves of the page", "regression_own_drop", OWN_CURVE.drop)


def _upload(source: Open) -> None:
    OWN_CURVE.draw()
    st.caption(
        "The curve is the truth of a simulation: data are drawn around it. It stays in this "
        "session, is not in the link, and nothing about it is released privately."
    )


def _job(made: Any) -> Mapping[str, object]:
    """Return what is different of a run on one's own curve, which is another run."""
    if own() is None:
        return {}
    request: Request = getattr(made, "request", made)
    # A run on another curve must not show the numbers of the one before.
    key = f"{request.experiment.name}_own_{OWN_CURVE.count()}"
    return {"key": key, "auto": False, "repeat": own_lines(request)}


def warning(found: Iterable[sim.Guarantee]) -> Iterable[Block]:
    """Say at which budgets the noise keeps less than is asked for; nothing if at none."""
    failing = sim.shortfalls(found)
    if failing:
        told = "; ".join(_told(g) for g in failing[:_MOST_TOLD])
        more = len(failing) - _MOST_TOLD
        rest = f"; and {more} more" if more > 0 else ""
        yield Note(
            f"**Less private than asked.** One release, one record replaced: {told}{rest}. With "
            "exact noise a release keeps what is asked.",
            "warning",
        )


def _told(g: sim.Guarantee) -> str:
    start = f"at ε = **{number(g.epsilon)}**"
    # Laplace noise promises ε alone, so it is ε that is exceeded.
    if g.law == "Laplace":
        real = number(g.actual_epsilon)
        return f"{start} the value at a point really has ε = **{real}**"
    return f"{start} δ is really **{number(g.actual_delta)}**, not {number(g.delta)}"


def weak(setup: sim.Setup, request: Request) -> Iterable[Block]:
    """Warn of the budgets of a run at which its noise keeps less than is asked for."""
    return warning(_shortfalls(request.experiment, setup, request.values, complete(request.values)))


@of_visitor(16)
def _shortfalls(
    base: Experiment, setup: sim.Setup, given: Values, full: Values
) -> tuple[sim.Guarantee, ...]:
    return sim.run_shortfalls(full, base.points(given), setup)


def own_lines(request: Request) -> str:
    """Return the lines of Python that repeat a run on one's own curve."""
    experiment = f"with_curve(find({request.experiment.name!r}), curve)"
    imports = (
        "from sims.experiments import find",
        "from sims.ccv import with_curve",
        "from sims.uploaded import read_curve",
    )
    reads = 'curve = read_curve(Path("curve.csv").read_bytes())'
    return repeat_lines(request, imports, experiment, reads)


def drawn(
    progress: Progress, *, x_title: str = "Factor on every budget", **words: Any
) -> list[Figure]:
    """Return the figure of a run, and nothing else.

    Args:
        progress: The run.
        x_title: Name of the axis.
        **words: As for `simulation.rate_figure`.
    """
    words |= {"x_title": x_title, "y_title": "Squared error"}
    return [simulation.rate_figure(progress, **words)]
