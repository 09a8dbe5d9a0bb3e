"""Tab "Share of the source": error against α, and where its minimum lies."""

from __future__ import annotations

import streamlit as st

from pages.parts import adaptation_common as common
from pages.parts import formula, inputs, live, tables, words
from pages.parts.live_plan import of_experiment
from pages.parts.live_tabs import Tabs
from rates.parameters import DomainError
from sims.adaptation_curves import MIXTURE_CURVE, PLAIN
from sims.experiment import Estimate, Request
from sims.run import Progress

TAB = "mixture"
USUAL = of_experiment(MIXTURE_CURVE)
STATEMENTS = {"BCMM:Lem4.1:sensitivity-w": "How α enters the noise"}


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        tabs.several(TAB, "private", "Private records n", (10_000.0, 1000.0, 100.0))
        tabs.number(TAB, "budget", "Budget ε", inputs.decades(-1, 1))
        common.shifts(tabs, TAB)
        tabs.choice(TAB, "loss", "Labels", common.LOSSES)
        tabs.repetition(TAB, most=200)
        with st.expander("Public records, dimension, bounds, δ, exact list"):
            tabs.number(TAB, "public", "Public records m", [100, 500, 1000, 2000, 5000, 10_000])
            tabs.number(TAB, "dimension", "Dimension d", [2, 5, 10, 20, 50])
            tabs.number(TAB, "norm_bound", "Bound Λ of the coefficients", inputs.steps(1, 4, 0.5))
            tabs.number(TAB, "delta", "δ", common.DELTAS)
            tabs.listing(TAB, "alpha", "α, exact list")
        tabs.refusal()
    asked = tabs.plan(TAB)
    with right:
        try:
            request = Request(
                experiment=MIXTURE_CURVE,
                values=asked.values,
                replicates=asked.replicates,
                seed=asked.seed,
            )
        except DomainError as error:
            place.markdown("These parameters cannot be run together.")
            st.error(str(error))
            return
        job = live.Job(
            key="adaptation_mixture", request=request, answer=answer, draw=draw, auto=asked == USUAL
        )
        live.panel(job, place)


def best(progress: Progress) -> dict[str, tuple[float, Estimate]]:
    """Return for each series the share with the smallest error, and that error."""
    found = common.by_place(progress.request.points, progress.estimates)
    out: dict[str, tuple[float, Estimate]] = {}
    for (series, share), estimate in found.items():
        if series not in out or estimate.mean < out[series][1].mean:
            out[series] = (share, estimate)
    return out


def answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    found = best(progress)
    if not found:
        return "**Run** fits mixtures of source and target, with and without privacy."
    parts = [f"{name}: α = **{words.number(share)}**" for name, (share, _) in found.items()]
    return (
        f"Smallest error at {'; '.join(parts)}. Privacy moves the best share towards the source, "
        "more private records move it back."
    )


def draw(progress: Progress) -> None:
    """Draw the figure and the table of minima."""
    request = progress.request
    series = list(dict.fromkeys(point.series for point in request.points))
    common.draw(
        request.points,
        progress.estimates,
        key="figure_adaptation_mixture",
        plain=[name for name in series if name.endswith(PLAIN)],
        x_title="Share α of the source",
        y_title=common.ERRORS[str(request.values["loss"])],
        title="Error on the target against the share of the source",
        log_x=False,
    )
    found = best(progress)
    tables.wide(
        {
            "Curve": list(found),
            "Best α": [words.number(share) for share, _ in found.values()],
            "Error there": [words.number(e.mean) for _, e in found.values()],
            "± (95 %)": [words.number(1.96 * e.stderr, 2) for _, e in found.values()],
        },
        alt="The share with the smallest error, by curve",
    )


def below() -> None:
    """What stands below the tab."""
    common.folds(_why, common.LIMITS, STATEMENTS, privacy=MIXTURE_CURVE.privacy)


def _why() -> None:
    formula.show(r"\sigma \;\propto\; \frac{(1-\alpha)\,G}{n\,\varepsilon}")
    st.markdown(
        "α is the knob between two errors. A larger share of the source brings its bias, which "
        "no sample size removes; a smaller one brings privacy noise, which falls like 1/(nε). "
        "At α = 1 nothing private is used. There is no rule here that finds the best α "
        "privately: the curve is read with the truth at hand."
    )
