"""What the tabs of the regression page share: true curve, run, warnings."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

from pages.charts import Figure, simulation
from pages.core import Block, Menu, Note, Slider, Switch
from pages.core.live import Folded, Item, Open, Tab, draw_fields, kept
from pages.core.live import panel as live
from rates.numbers import steps
from sims import ccv as sim
from sims.engine import Experiment, Progress, Request, Spent, Values

CURVES = {
    "fourier": "Random, of smoothness α",
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
_END = "- This is a simulation, not a tool to release data."


def tab(
    base: Experiment | None = None, setup: sim.Setup | None = None, *, limits: str, **fields: Any
) -> Tab:
    """Return a tab of the page.

    Args:
        base: What Run runs; None for a look.
        setup: Servers and recipe of a point of it, to say where its noise keeps too little.
        limits: What its answer leaves open, besides what all of them do.
        **fields: Fields of the tab; they come first.
    """
    page: dict[str, Any] = {"page": "regression"}
    if base is None:
        page["privacy"] = sim.PRIVACY
    else:
        page["experiment"] = kept(base)
        # A look has no replicates, and so none of these errors.
        limits = f"{live.ERRORS}\n\n{limits}"
    if setup is not None:
        page["before"] = functools.partial(weak, setup)
    return Tab(**page | fields, limits=f"{limits}\n{_END}")


def ask_curve(source: Open, *, several: bool = True) -> None:
    """Ask for the true curve, without what the chosen one does not use."""
    values = source.plan.values
    first: list[Item] = [Menu("curve", "True curve", CURVES)]
    if values["curve"] == "fourier" and "smoothness" in values:
        first.append(Slider("smoothness", "Smoothness α", steps(0.6, 2.0, 0.1)))
    elif values["curve"] == "cusp":
        first.append(Slider("exponent", "Exponent of the cusp ν", steps(0.25, 1.75, 0.25)))
    more: list[Item] = [Switch("basis", "Wavelets", BASES)]
    if values["basis"] != "haar":
        more.append(Slider("moments", "Vanishing moments", steps(1, 6, 1)))
    more.append(Slider("at", "Place of cusp and of the error at a point", steps(0, 1, 0.01)))
    more.append(Slider("curve_seed", "Seed of the random curve", steps(0, 9, 1)))
    if several:
        title = "Random curves, or places, averaged over"
        more.append(Slider("curves", title, steps(1, 16, 1)))
    draw_fields(source, [*first, Folded("Basis, place, random curves", more)])


def warning(found: Iterable[Spent | None]) -> Iterable[Block]:
    """Warn where the noise keeps less than is asked for; nothing if it keeps all of it."""
    kept, text = simulation.guaranteed([one for one in found if one])
    if not kept:
        yield Note(f"{text} With exact noise a release keeps what is asked.", "warning")


def weak(setup: sim.Setup, request: Request) -> Iterable[Block]:
    """Warn of a run whose noise keeps less than is asked for at some point."""
    return warning(_spent(request.experiment, setup, request.values))


@functools.lru_cache(maxsize=32)
def _spent(base: Experiment, setup: sim.Setup, values: Values) -> tuple[Spent, ...]:
    return sim.run_spent(values, base.points(values), setup)


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
