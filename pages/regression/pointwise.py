"""Tab "Global and pointwise": one curve, two errors, two exponents; exact, not simulated."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import streamlit as st

from pages.charts import Figure, signed, words
from pages.core import Between, Block, Code, Fold, Note, Slider, Table, offer
from pages.core.live import Folded, Plan, plan
from pages.regression import steps_figure as figures
from pages.regression import world
from rates.numbers import decades
from sims import regression as sim
from sims.engine import Fit, Point, Request, Values
from sims.files import to_json

_BUDGETS = tuple(float(f"{0.01 * 10 ** (k / 8):.2g}") for k in range(25))
Found = dict[str, tuple[tuple[Point, ...], Fit, sim.Exponents | None]]


@dataclass(frozen=True, slots=True)
class _Both:
    """Both errors.

    Attributes:
        asked: What was asked for.
        found: By name, exact points, their slope and the exponents.
        short: Guarantees that fail, for either error.
    """

    asked: Plan
    found: Found
    short: tuple[sim.Guarantee, ...]


def names_of(values: Values) -> dict[str, str]:
    """Return the names of both errors; the point is a cusp's only where the curve is one."""
    cusp = sim.OWN not in values and values["curve"] == "cusp"
    return words.RISKS | ({"pointwise": "At the cusp"} if cusp else {})


@functools.lru_cache(maxsize=16)
def _both(asked: Values) -> tuple[Found, tuple[sim.Guarantee, ...]]:
    out: Found = {}
    short: tuple[sim.Guarantee, ...] = ()
    for risk, name in names_of(asked).items():
        values = _values(asked, risk)
        points = tuple(replace(p, series=name) for p in sim.RATE.points(values))
        out[name] = (points, sim.exact_fits(points)[0], sim.asymptotic_slopes(values))
        short += sim.run_shortfalls(values, points, sim.rate_setup)
    return out, short


def _values(values: Values, risk: str) -> Values:
    """One series against the budget, for one kind of error."""
    one = {name: values.numbers(name)[:1] for name in ("n", "m")}
    return values.changed(**one, sweep="epsilon", risk=risk, window="private")


def answer(both: _Both) -> str:
    """Return the finding as sentences."""
    parts = []
    for name, (_, fit, far) in both.found.items():
        theory = "no rate in theory" if far is None else f"theory **{signed(far.privacy)}**"
        told = (
            "too few points lie there for a slope of the exact risk"
            if fit.slope is None
            else f"the exact risk has slope **{signed(fit.slope.value)}** in ε"
        )
        parts.append(f"{name.lower()} {told} ({theory})")
    return f"For one curve, where privacy decides, {' and '.join(parts)}."


def drawn(both: _Both) -> Iterable[Block]:
    """The figure and the table of slopes."""
    found = both.found
    slopes = {name: math.nan if far is None else far.privacy for name, (_, _, far) in found.items()}
    series = {name: points for name, (points, _, _) in found.items()}
    yield Figure(
        figure=figures.pair_figure(
            series,
            slopes,
            x_title="Budget ε of every server",
            title="Exact squared error, over the curve and at one point",
        ),
        caption="Dotted with marks: exact risk, not simulated; filled marks lie where privacy "
        "decides. Thick: the exponent of the theory through the middle of them. The local slope "
        "wavers with the curve's phase; averaging over several curves or places smooths it.",
        alt=_alt(found),
        rows=[
            {
                "error": name,
                "epsilon": p.x,
                "exact risk": p.exact,
                "K": p.settings["K"],
                "theory": p.theory,
                "left out": p.left_out,
            }
            for name, points in series.items()
            for p in points
        ],
        name="global-and-pointwise",
    )
    yield Table(
        {
            "Error": list(found),
            "Exact slope": [words.slope(fit) for _, fit, _ in found.values()],
            "Calibrated theory": [signed(fit.theory) for _, fit, _ in found.values()],
            "Exponent": [
                "no rate" if far is None else signed(far.privacy) for _, _, far in found.values()
            ],
            "Points": [f"{fit.used} of {len(points)}" for points, fit, _ in found.values()],
        },
        "Exact slopes beside the theory's for both errors",
    )
    yield Note("± measures how much the exact curve bends; there is no simulation in it.")


def _alt(found: Found) -> str:
    told = "; ".join(
        f"{name}: exact risk from {words.number(points[0].exact or math.nan)} to "
        f"{words.number(points[-1].exact or math.nan)}, {_slope(fit)}"
        for name, (points, fit, _) in found.items()
    )
    return f"Squared error against the budget, both logarithmic. {told}."


def _slope(fit: Fit) -> str:
    return f"slope {signed(fit.slope.value)}" if fit.slope else "too few points for a slope"


def _after(both: _Both) -> Iterable[Block]:
    """What repeats the numbers."""
    runs = {
        risk: (
            f"{name}: run as JSON",
            both.asked.request(sim.RATE, _values(both.asked.values, risk)),
        )
        for risk, name in names_of(world.complete(both.asked.values)).items()
    }
    yield lambda: _buttons(runs)
    names = (f"regression-{risk}" for risk in runs)
    lines = "\n".join(f"python -m sims run {name}.json --out {name}.csv" for name in names)
    said = Note("The column named exact holds the numbers of this figure.")
    yield Fold("What repeats these numbers by simulation", [Code(lines, "bash"), said])


def _buttons(runs: Mapping[str, tuple[str, Request]]) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        for risk, (label, request) in runs.items():
            make = functools.partial(to_json, request)
            offer(label, make, f"regression-{risk}.json", f"json_regression_{risk}")


TAB = world.tab(
    name="pointwise",
    title="Global and pointwise",
    usual=plan(
        sim.RATE.parameters,
        replicates=20,
        defaults={
            "epsilon": _BUDGETS,
            "n": (1e5,),
            "curve": "cusp",
            "exponent": 0.75,
            "curves": 16.0,
            "moments": 3.0,
        },
    ),
    fields=(
        Between("epsilon", "Range of ε", _BUDGETS),
        Slider("n", "Records of each server n", decades(3, 8, whole=True)),
        Slider("m", "Number of servers m", decades(0, 3, whole=True)),
        world.ask_curve,
        Folded("Noise, threshold, δ", world.RECIPE),
    ),
    made=lambda asked: _Both(asked, *_both(world.complete(asked.values))),
    cannot="These parameters cannot be computed together.",
    before=lambda both: world.warning(both.short),
    answer=answer,
    drawn=drawn,
    after=_after,
    privacy=sim.RATE.privacy,
    formula=r"(mn^2\varepsilon^2)^{-\frac{2\alpha}{2\alpha+2}} \text{ over the curve}, \qquad"
    r"(mn^2\varepsilon^2)^{-\frac{2\nu}{2\nu+2}} \text{ at a point}, \qquad"
    r"\nu = \alpha - \tfrac1p",
    why=(
        "A cusp |sin π(x − x₀)|^ν is as rough as its worst point says only there: over the whole "
        "curve it counts as α = ν + 1/2 (p = 2). So one curve shows both exponents. At a point a "
        "server adds Laplace noise to one number, over the curve Gaussian noise to K of them."
    ),
    limits=(
        "- Two errors of one curve. The theorems speak of the worst curve for each error, and "
        "these two worst curves differ.\n"
        "- Exponents of at most 1/2 at a point have no calibrated rate; ν = 0.75 is shown because "
        "both windows are wide enough there.\n"
        "- Exact means computed without simulation for this estimator in this world; it is not the "
        "minimax risk."
    ),
    statements={
        "CCV:Eq15:kernel": "The estimate at a point",
        "CCV:Thm3.4:bias": "Its bias",
        "CCV:Lem3.3:constant": "Its sensitivity, Lemma 3.3",
    },
)
