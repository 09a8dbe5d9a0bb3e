"""Tab "Global and pointwise": one curve, two errors, two exponents; exact, not simulated."""

from __future__ import annotations

import functools
import math
from dataclasses import replace

import streamlit as st

from pages.figures import chart
from pages.figures.chart import signed, words
from pages.parts.frame import figure_card, tables
from pages.parts.live import Plan, Tabs
from pages.parts.live import plan as asked_plan
from pages.parts.regression import steps_figure as figures
from pages.parts.regression import world as regression_world
from rates.numbers import DomainError, decades, steps
from sims.curves import Curve
from sims.engine import Fit, Point, Request, Value, Values
from sims.files import to_json
from sims.regression import (
    RATE,
    Exponents,
    Guarantee,
    asymptotic_slopes,
    exact_fits,
    rate_setup,
    run_shortfalls,
)

TAB = "pointwise"
_BUDGETS = tuple(float(f"{0.01 * 10 ** (k / 8):.2g}") for k in range(25))
USUAL = asked_plan(
    RATE.parameters,
    replicates=20,
    defaults={
        "epsilon": _BUDGETS,
        "n": (1e5,),
        "curve": "cusp",
        "exponent": 0.75,
        "curves": 16.0,
        "moments": 3.0,
    },
)
_Items = tuple[tuple[str, Value], ...]


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        _controls(tabs)
    asked = tabs.plan(TAB)
    with right:
        try:
            items, own = tuple(asked.values.items()), regression_world.own()
            found = _both(items, own)
            short = _short(items, own)
        except DomainError as error:
            place.markdown("These parameters cannot be computed together.")
            st.error(words.plain(error))
            return
        place.markdown(_answer(found))
        regression_world.warn(short)
        _figure(found)
        _table(found)
        _take_away(asked)


def _controls(tabs: Tabs) -> None:
    tabs.between(TAB, "epsilon", "Range of ε", _BUDGETS)
    tabs.number(TAB, "n", "Records of each server n", decades(3, 8, whole=True))
    tabs.number(TAB, "m", "Number of servers m", decades(0, 3, whole=True))
    regression_world.controls(tabs, TAB)
    with st.expander("Noise, threshold, δ"):
        tabs.choice(TAB, "noise", "Noise", regression_world.NOISES)
        tabs.number(TAB, "clip", "Clipping threshold τ", steps(1.5, 6.0, 0.5))
        tabs.number(TAB, "delta", "δ of every server", regression_world.DELTAS)
    tabs.refusal()


def names_of(values: Values, own: Curve | None) -> dict[str, str]:
    """Return the names of both errors; the point is a cusp's only where the curve is one."""
    cusp = own is None and values["curve"] == "cusp"
    return {
        "integrated": "Over the whole curve",
        "pointwise": "At the cusp" if cusp else "At one point",
    }


Found = dict[str, tuple[tuple[Point, ...], Fit, Exponents | None]]


@functools.lru_cache(maxsize=16)
def _both(items: _Items, own: Curve | None) -> Found:
    """Exact points, their slope and the exponents, for both errors.

    Raises:
        DomainError: The parameters do not fit together.
    """
    out: Found = {}
    for risk, name in names_of(dict(items), own).items():
        values = regression_world.complete(_values(dict(items), risk), own)
        points = tuple(replace(p, series=name) for p in RATE.points(values))
        out[name] = (points, exact_fits(points)[0], asymptotic_slopes(values))
    return out


@functools.lru_cache(maxsize=16)
def _short(items: _Items, own: Curve | None) -> tuple[Guarantee, ...]:
    """The guarantees that fail, for either error."""
    found, short = _both(items, own), ()
    for risk, name in names_of(dict(items), own).items():
        values = regression_world.complete(_values(dict(items), risk), own)
        short += run_shortfalls(values, found[name][0], rate_setup)
    return short


def _values(values: Values, risk: str) -> Values:
    """One series against the budget, for one kind of error."""
    one = {name: values[name][:1] for name in ("n", "m")}
    return {**values, **one, "sweep": "epsilon", "risk": risk, "window": "private"}


def _answer(found: Found) -> str:
    parts = []
    for name, (_, fit, far) in found.items():
        theory = "no rate in theory" if far is None else f"theory **{signed(far.privacy)}**"
        told = (
            "too few points lie there for a slope of the exact risk"
            if fit.slope is None
            else f"the exact risk has slope **{signed(fit.slope.value)}** in ε"
        )
        parts.append(f"{name.lower()} {told} ({theory})")
    return f"For one curve, where privacy decides, {' and '.join(parts)}."


def _figure(found: Found) -> None:
    slopes = {name: math.nan if far is None else far.privacy for name, (_, _, far) in found.items()}
    series = {name: points for name, (points, _, _) in found.items()}
    drawn = chart.Drawn(
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
    figure_card.show(drawn, key="figure_regression_pointwise")


def _alt(found: Found) -> str:
    told = "; ".join(
        f"{name}: exact risk from {words.number(points[0].exact or math.nan)} to "
        f"{words.number(points[-1].exact or math.nan)}, {_slope(fit)}"
        for name, (points, fit, _) in found.items()
    )
    return f"Squared error against the budget, both logarithmic. {told}."


def _slope(fit: Fit) -> str:
    return f"slope {signed(fit.slope.value)}" if fit.slope else "too few points for a slope"


def _value(fit: Fit) -> float:
    return fit.slope.value if fit.slope else math.nan


def _table(found: Found) -> None:
    tables.wide(
        {
            "Error": list(found),
            "Exact slope": [
                f"{signed(_value(fit))} ± {fit.slope.stderr:.3f}" if fit.slope else "none"
                for _, fit, _ in found.values()
            ],
            "Calibrated theory": [signed(fit.theory) for _, fit, _ in found.values()],
            "Exponent": [
                "no rate" if far is None else signed(far.privacy) for _, _, far in found.values()
            ],
            "Points": [f"{fit.used} of {len(points)}" for points, fit, _ in found.values()],
        },
        alt="Exact slopes beside the theory's for both errors",
    )
    st.caption("± measures how much the exact curve bends; there is no simulation in it.")


def _take_away(asked: Plan) -> None:
    names = names_of(asked.values, regression_world.own())
    runs = {
        risk: Request(
            experiment=RATE,
            values=_values(asked.values, risk),
            replicates=asked.replicates,
            seed=asked.seed,
        )
        for risk in names
    }
    with st.container(horizontal=True, vertical_alignment="center"):
        for risk, request in runs.items():
            st.download_button(
                f"{names[risk]}: run as JSON",
                lambda request=request: to_json(request),
                f"regression-{risk}.json",
                "application/json",
                key=f"json_regression_{risk}",
                on_click="ignore",
                icon=":material/download:",
            )
    with st.expander("What repeats these numbers by simulation"):
        st.code(
            "\n".join(
                f"python -m sims run regression-{r}.json --out regression-{r}.csv" for r in runs
            ),
            language="bash",
            wrap_lines=True,
        )
        st.caption("The column named exact holds the numbers of this figure.")


def below() -> None:
    """What stands below the tab."""
    regression_world.folds(_why, LIMITS, STATEMENTS, privacy=RATE.privacy)


def _why() -> None:
    st.latex(
        r"(mn^2\varepsilon^2)^{-\frac{2\alpha}{2\alpha+2}} \text{ over the curve}, \qquad"
        r"(mn^2\varepsilon^2)^{-\frac{2\nu}{2\nu+2}} \text{ at a point}, \qquad"
        r"\nu = \alpha - \tfrac1p"
    )
    st.markdown(
        "A cusp |sin π(x − x₀)|^ν is as rough as its worst point says only there: over the whole "
        "curve it counts as α = ν + 1/2 (p = 2). So one curve shows both exponents. At a point a "
        "server adds Laplace noise to one number, over the curve Gaussian noise to K of them."
    )


STATEMENTS = {
    "CCV:Eq15:kernel": "The estimate at a point",
    "CCV:Thm3.4:bias": "Its bias",
    "CCV:Lem3.3:constant": "Its sensitivity, Lemma 3.3",
}
LIMITS = (
    "- Two errors of one curve. The theorems speak of the worst curve for each error, and these "
    "two worst curves differ.\n"
    "- Exponents of at most 1/2 at a point have no calibrated rate; ν = 0.75 is shown because "
    "both windows are wide enough there.\n"
    "- Exact means computed without simulation for this estimator in this world; it is not the "
    "minimax risk.\n"
    "- This is a simulation, not a tool to release data."
)
