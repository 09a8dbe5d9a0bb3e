"""Tab "Which to drop": one draw, every source's held-out loss, and what was decided."""

from __future__ import annotations

import functools

import streamlit as st

from pages.figures import chart
from pages.figures.chart import words
from pages.parts.frame import figure_card, tables
from pages.parts.live import Tabs, plan
from pages.parts.logistic import common as logistic_common
from pages.parts.logistic import figures
from rates.numbers import DomainError, steps
from sims.engine import Value
from sims.logistic import PRIVACY, SETTINGS, Look, look

TAB = "sources"
USUAL = plan(SETTINGS, replicates=2)


@functools.lru_cache(maxsize=64)
def _look(items: tuple[tuple[str, Value], ...], seed: int) -> Look:
    return look(dict(items), seed)


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        _controls(tabs)
    asked = tabs.plan(TAB)
    with right:
        try:
            found = _look(tuple(asked.values.items()), asked.seed)
        except DomainError as error:
            place.markdown("These parameters cannot be drawn.")
            st.error(words.plain(error))
            return
        place.markdown(_answer(found))
        _warn(found)
        drawn = chart.Drawn(
            figure=figures.detection(
                found.sources,
                found.alone,
                found.threshold,
                title="Left of the threshold a source is kept",
            ),
            caption="Held-out loss of the target after pooling with one source at a time, over "
            "three "
            "folds. Circles are sources like the target, crosses are not. A filled green mark "
            "is kept, a hollow orange one dropped.",
            alt=_alt(found),
            rows=[
                {"source": s.name, "loss": s.loss, "kept": s.kept, "like_target": s.alike}
                for s in found.sources
            ],
            name="sources",
        )
        figure_card.show(drawn, key="figure_logistic_sources")
    _fits(found)


def _controls(tabs: Tabs) -> None:
    kind = logistic_common.noise(tabs, TAB)
    if kind in logistic_common.HONEST:
        tabs.number(TAB, "epsilon", "Budget ε of every site", list(logistic_common.BUDGETS))
    tabs.number(TAB, "size", "Factor on all records", [0.1, 0.2, 0.5, 1, 2, 5, 10, 20])
    tabs.number(TAB, "transferable", "Sources like the target |A|", steps(0, 20, 1))
    tabs.number(TAB, "deviation", "Their distance h", steps(0, 20, 1))
    tabs.seed(TAB, "Seed of the draw")
    with st.expander("Design and clipping"):
        logistic_common.design(tabs, TAB)
        logistic_common.more_noise(tabs, TAB, kind)
    tabs.refusal()


def _answer(found: Look) -> str:
    kept = [s for s in found.sources if s.kept]
    false = sum(not s.alike for s in kept)
    missed = sum(bool(s.alike) and not s.kept for s in found.sources)
    wrong = (
        "every one of them rightly"
        if not found.wrong
        else f"**{false}** kept although unlike the target, **{missed}** dropped although like it"
    )
    scores = {name: f"**{100 * x:.1f} %**" for name, x in found.accuracy.items()}
    noise = (
        logistic_common.budget(found.how.epsilon)
        if found.how.kind in logistic_common.HONEST
        else "the printed noise"
        if found.how.kind != "none"
        else "**no noise**"
    )
    return (
        f"With {noise}, detection keeps **{len(kept)}** of {len(found.sources)} sources and drops "
        f"**{len(found.sources) - len(kept)}**: {wrong}. A new record of the target is labelled "
        f"rightly with probability {scores['Target alone']} by the target alone, "
        f"{scores['All sources']} with all sources, {scores['Detected sources']} with the detected "
        f"and {scores['True sources']} with the true ones; the best possible is "
        f"**{100 * found.best:.1f} %**."
    )


def _warn(found: Look) -> None:
    """Say what spoils this draw."""
    if found.noise > 1:
        st.warning(
            f"**All noise.** In each fold of the target the noise alone has an eigenvalue about "
            f"**{words.number(found.noise)}** times a covariate's variance. Raise ε, take more "
            "records or fewer covariates.",
            icon=":material/grain:",
        )
    empty = [name for name, values in found.coefficients.items() if not any(values)]
    if empty:
        st.warning(
            f"**Nothing selected.** With {words.names([e.lower() for e in empty])} the chosen "
            "penalty sets every coefficient to 0; such a rule always says 0.",
            icon=":material/filter_alt_off:",
        )


def _alt(found: Look) -> str:
    kept = ", ".join(s.name for s in found.sources if s.kept) or "none"
    return (
        f"Held-out losses of {len(found.sources)} sources; target alone "
        f"{words.number(found.alone)}, threshold {words.number(found.threshold)}. Kept: {kept}."
    )


def _fits(found: Look) -> None:
    """Coefficients and scores of the four fits."""
    st.header("The coefficients", anchor=False)
    drawn = chart.Drawn(
        figure=figures.strip(found, title="The surrogate shrinks every coefficient"),
        caption=f"Solid: the truth. Dashed: what the surrogate estimates with infinitely many "
        "records, "
        f"c = {words.number(found.factor)} times the truth. The direction, and with it the "
        "label, is not affected.",
        alt=f"Coefficients of four fits over {len(found.truth)} covariates, beside the truth and "
        f"{words.number(found.factor)} times it.",
        rows=[
            {"covariate": j + 1, "truth": b, **{n: v[j] for n, v in found.coefficients.items()}}
            for j, b in enumerate(found.truth)
        ],
        name="coefficients",
    )
    figure_card.show(drawn, key="figure_logistic_strip")
    tables.wide(
        {
            "Fit": list(found.accuracy),
            "Right labels": [f"{100 * x:.1f} %" for x in found.accuracy.values()],
            "Angle to the truth": [f"{x:.1f}°" for x in found.angle.values()],
            "Selected": [
                f"{sum(v != 0 for v in row)} of {len(row)}" for row in found.coefficients.values()
            ],
        },
        alt="Accuracy, angle and selected covariates of the four fits",
    )
    st.caption(
        "One draw; the next tab averages over many. Probabilities are exact for the drawn fit: "
        "the angle to the truth decides them. 90° is no information."
    )


def below() -> None:
    """What stands below the tab."""
    logistic_common.folds(_why, logistic_common.LIMITS, STATEMENTS, privacy=PRIVACY)


def _why() -> None:
    logistic_common.reduction()
    st.markdown(
        "**Detection breaks first.** The threshold is the target's own loss plus twice the "
        "standard deviation of its three losses. Noise in the folds makes these three differ, "
        "the threshold moves to the right, and nearly every source passes, harmful ones included. "
        "The penalty of the second step is chosen on noisy losses too; where it ends near 0, the "
        "fit falls back on the target alone, and all four coincide."
    )


STATEMENTS = {
    "DPLR:Eq13:reduction": "Three numbers per site are enough",
    "DPLR:Alg1:penalty": "Choices by held-out losses",
    "DPLR:Eq11:bias": "What the surrogate estimates",
}
