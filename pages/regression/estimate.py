"""Tab "Estimate": one draw of every server's release and of the combined estimate."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from pages import charts
from pages.charts import number, theme
from pages.core import Block, Code, Fold, Menu, Slider, choice
from pages.core.live import Folded, Open, plan, seed
from pages.regression import world
from rates.numbers import decades
from sims import regression as sim
from sims.engine import Number, Values

HELD = {"best": "Best for this ε", "free": "Best without privacy", "printed": "As printed"}
_SETTINGS = (
    Number(sim.BUDGET, 1.0),
    Number(sim.N, 10_000),
    Number(sim.M, 5),
    sim.LOSS,
    choice(
        "held",
        HELD,
        "How many basis functions. The best for this budget hides noise behind bias; the best "
        "without privacy stays where it is, so that the noise alone changes with the budget.",
    ),
    *sim.WORLD_SETTINGS,
    sim.NOISE,
    sim.THRESHOLD,
)
_MOST = 12  # servers shown
_FRAME = 2.5  # both panels end here, so that noise that exceeds it is seen to do so
_PURPLE = charts.theme.COLOURS[charts.theme.BIAS]
_DASHES = ("solid", "dash", "dot", "dashdot")


def _error(source: Open) -> None:
    """The way out of an error that a link asks for and a draw has not."""
    if source.plan.values["risk"] != "integrated":
        world.RISK.draw(source)


@dataclass(frozen=True, slots=True)
class _Draw:
    """One draw.

    Attributes:
        values: What was asked for, with the curve in use.
        seed: Where its random numbers come from.
        plan: The plan.
        free: The plan without privacy.
        look: The draw.
    """

    values: Values
    seed: int
    plan: sim.Plan
    free: sim.Plan
    look: sim.Look


@world.stored(32)
def _draw(values: Values, seed: int) -> _Draw:
    level: sim.Level = "printed" if values["held"] == "printed" else "oracle"
    there, recipe = sim.world_of(values), replace(sim.recipe_of(values), level=level)
    free = sim.plan(there, sim.servers_of(values.changed(epsilon=math.inf)), recipe)
    dimension = free.dimension if values["held"] == "free" else None
    used = sim.plan(there, sim.servers_of(values), recipe, dimension=dimension)
    return _Draw(values, seed, used, free, sim.look(used, seed, most=_MOST))


def answer(found: _Draw) -> str:
    """Return the finding as sentences."""
    m, n, epsilon = (found.values.number(name) for name in ("m", "n", "epsilon"))
    zero, loss = found.plan.world.zero, found.look.loss
    end = (
        "The privacy noise **drowns** it: estimating by zero would be better."
        if loss >= zero
        else f"Estimating by zero has **{number(zero)}**."
    )
    who = "one server" if m == 1 else f"**{int(m):,}** servers"
    noise = number(sim.transcript_noise(found.plan)[0])
    return (
        f"At ε = **{number(epsilon)}**, {who} of **{int(n):,}** records estimate "
        f"**{found.plan.dimension}** coefficients. The noise in one release is **{noise}** (root "
        f"mean square), in the combination **{number(sim.combined_noise(found.plan))}**. "
        f"Squared error of this draw: **{number(loss)}**; on average exactly "
        f"**{number(found.plan.exact)}**. {end}"
    )


def drawn(found: _Draw) -> Iterable[Block]:
    """The draw, and what repeats it."""
    look = found.look
    servers = {f"server {i + 1}": curve for i, curve in enumerate(look.private)}
    frame: dict[str, Any] = {"span": (-_FRAME, _FRAME), "zero": False}
    yield charts.plot(
        _marks(look),
        [
            charts.Axis(beside=1, like=2, labels=False),
            charts.Axis(beside=2, title="x", span=(0, 1)),
        ],
        [
            charts.Axis(title="Released", part=(0.54, 1.0), **frame),
            charts.Axis(title="Combined", part=(0.0, 0.46), **frame),
        ],
        {
            "x": look.x,
            "truth": look.truth,
            "combined before noise": look.combined_without,
            "combined": look.combined,
            **servers,
        },
        title="One draw: releases above, their combination below",
        **charts.room(620, 100, 48, charts.Legend(ordered=False)),
        kept="look",
        caption=_caption(found),
        alt=f"Two panels over [0, 1]. Above, {len(look.rows)} servers' releases and the true "
        "curve. Below, the combined estimate before and after noise; its squared error is "
        f"{number(look.loss)}.",
        name="one-draw",
    )
    yield Fold("The lines of Python that repeat this draw", [Code(_lines(found))])


def _caption(found: _Draw) -> str:
    m = found.values.whole("m")
    shown = f"The first {_MOST} servers are shown; all take part. " if m > _MOST else ""
    cut = " K was cut to the largest that is simulated." if found.plan.capped else ""
    return (
        f"{shown}Both frames end at ±{_FRAME}; what exceeds them is noise, cut off. Another "
        "budget rescales the same random numbers, so that pictures can be compared; real releases "
        f"draw new ones. Before noise is for comparison only and is never released. Best K without "
        f"privacy: {found.free.dimension}.{cut}"
    )


def _marks(look: sim.Look) -> list[charts.Curve]:
    """The servers' releases above, the combined estimate below, the truth in both."""
    colours = theme.COLOURS
    below: dict[str, Any] = {"x_axis": 2, "y_axis": 2}
    marks: list[charts.Curve] = []

    def add(y: Any, name: str, colour: str, dash: str, width: float, **more: Any) -> None:
        pointer = {"hover": "%{x:.3f}: %{y:.3g}", "extra": "%{fullData.name}"}
        x, y = look.x.astype("float32"), y.astype("float32")
        marks.append(charts.line(x, y, name, colour, dash, width, **pointer, **more))

    for i, curve in enumerate(look.private):
        more = {"group": "servers", "listed": i == 0, "opacity": 0.75}
        add(curve, "Each server's release", colours[theme.PRIVACY], _DASHES[i % 4], 1.0, **more)
    for panel in (1, 2):
        more = {"group": "truth", "listed": panel == 1, "x_axis": panel, "y_axis": panel}
        add(look.truth, "True curve", colours[theme.MIXED], "solid", 2.5, **more)
    sampled = colours[theme.SAMPLE]
    add(look.combined_without, "Combined, before noise", sampled, "dash", 2.0, **below)
    add(look.combined, "Combined, as released", _PURPLE, "solid", 2.0, **below)
    return marks


def _lines(found: _Draw) -> str:
    """Lines of Python that repeat the draw."""
    values = {k: v for k, v in found.values.items() if k not in ("held", sim.OWN)}
    read = also = curve = ""
    if sim.OWN in found.values:
        read, also = "from pathlib import Path\n\n", "from sims.uploaded import read_curve\n"
        curve = f'values["{sim.OWN}"] = read_curve(Path("curve.csv").read_bytes())  # as uploaded\n'
    level = "printed" if found.values["held"] == "printed" else "oracle"
    return (
        f"{read}from math import inf\n\n"
        f"from sims.regression import Recipe, alike, look, plan, world_of\n{also}\n"
        f"values = {values!r}\n{curve}"
        f"recipe = Recipe(noise={values['noise']!r}, level={level!r}, clip={values['clip']!r})\n"
        f"servers = alike({values['n']!r}, {values['m']!r}, {values['epsilon']!r}, "
        f"{values['delta']!r})\n"
        f"made = plan(world_of(values), servers, recipe, dimension={found.plan.dimension})\n"
        f"drawn = look(made, {found.seed})\n"
        "print(drawn.loss, made.exact)\n"
    )


TAB = world.tab(
    id="estimate",
    title="Estimate",
    usual=plan(_SETTINGS, replicates=2, defaults={"curves": 1.0}),
    inputs=(
        Slider("epsilon", "Budget ε of every server", [*decades(-2, 1), math.inf]),
        Slider("n", "Records of each server n", decades(2, 6, whole=True)),
        Slider("m", "Number of servers m", decades(0, 2, whole=True)),
        Menu("held", "Basis functions K", HELD),
        _error,
        functools.partial(world.ask_curve, several=False),
        seed("Seed of the draw"),
        Folded("Noise, threshold, δ", world.RECIPE),
    ),
    compute=lambda asked: _draw(world.complete(asked.values), asked.seed),
    cannot="These parameters cannot be drawn.",
    answer=answer,
    before=lambda found: world.warning(sim.guarantees(found.plan, sim.servers_of(found.values))),
    blocks=drawn,
    formula=r"\hat\theta_k^{(j)} = \frac{1}{n_j}\sum_i [Y_i]_\tau\,\phi_k(X_i) + s_j Z_k, \qquad"
    r"\hat f = \sum_j u_j \sum_{k \le K} \hat\theta_k^{(j)}\phi_k",
    why="Every server clips its responses, averages them against K wavelets and adds noise of one "
    "size to every coefficient, (12) of [CCV]. Its norm grows like K: one factor √K from the "
    "sensitivity, one from the number of coefficients. Averaging m releases divides it by √m.",
    limits="- One draw is one draw. The average error beside it is exact.\n"
    "- The best K knows the true curve. A real server does not.\n"
    "- The transcript that is private is the release, not the curve before noise.",
    statements={
        "CCV:Eq12:index": "The coefficients (12)",
        "CCV:Lem3.1:constant": "Their sensitivity, Lemma 3.1",
        "CCV:Sec3.2:noise": "The noise",
    },
)
