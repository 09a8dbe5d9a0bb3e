"""Tab "Sites": what is left of each under privacy, and the curve that they recover together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pages import charts, pictures
from pages.charts import Figure, number, percent, theme, words
from pages.core import Block, Note, Slider, kept_for
from pages.core.live import Folded, Open, Plan, plan, seed
from pages.current import takeaway
from pages.real import records
from pages.study import verdict
from rates.numbers import DELTA, EPSILON, decades
from rates.study import Study
from sims import real
from sims.engine import Number

_SETTINGS = (
    records.DATA,
    records.KIND,
    Number(EPSILON.within("[0.01, 100]"), 1.0),
    Number(DELTA, real.USUAL_DELTA),
)
_EPSILON = Slider("epsilon", "Budget ε of every site", decades(-2, 2))
_DELTA = Slider("delta", "δ of every site", [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3])
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """A look at one budget, and the sites as a study: at ε = 1, and as asked."""

    look: real.Look
    unit: Study
    study: Study

    @property
    def risk(self) -> str:
        """Which error of the study counts."""
        return "classification" if self.study.kind == "transfer" else "integrated"


@kept_for(16, records.private)
def _seen(sites: real.Sites, epsilon: float, delta: float, seed: int) -> _Seen:
    return _Seen(
        look=real.look(sites, epsilon=epsilon, delta=delta, seed=seed),
        # The picture multiplies budgets itself, from 1 on.
        unit=real.as_study(sites, epsilon=1.0, delta=delta),
        study=real.as_study(sites, epsilon=epsilon, delta=delta),
    )


def _compute(asked: Plan) -> _Seen:
    values = asked.values
    sites = records.sites(values)
    return _seen(sites, values.number("epsilon"), values.number("delta"), asked.seed)


def answer(seen: _Seen) -> str:
    """Return the finding as sentences."""
    look = seen.look
    # An excess risk is a share, the error of a curve is in units of y.
    show = percent if look.sites.kind == "classification" else number
    what = "an excess risk" if look.sites.kind == "classification" else "a root mean square error"
    return (
        f"At ε = **{number(look.epsilon)}** per site, {records.who(look.sites)} give {what} of "
        f"**{show(look.miss(look.parts))}**, without privacy **{show(look.miss(look.without))}**. "
        f"{_both(look)}"
    )


def _both(look: real.Look) -> str:
    """What privacy costs by the equation and on these records, squared error or excess risk."""
    if math.isnan(look.factor):
        return "The truth itself is known no better, so that these records cannot tell the cost."
    free = look.equation < verdict.FREE
    told = "calls privacy free" if free else f"says × {number(look.equation)}"
    what = records.error(look.sites)
    return f"The rate equation **{told}**; the {what} is **× {number(look.factor)}**."


def drawn(seen: _Seen) -> Iterable[Block]:
    """The sites at rest, and the curve."""
    still = pictures.sites.still(seen.unit, seen.risk, seen.look.epsilon)
    assert still is not None  # every site is protected
    yield still
    yield _curve(seen.look)
    fine = seen.look.resolution
    steps = f"{fine:.0f} steps" if seen.risk == "integrated" else f"bandwidth {number(fine)}"
    yield Note(
        f"One draw of the records and of the noise, {steps} at this budget. The truth is the mean "
        "of all records in each cell; the error above is the average over all draws."
    )


def _curve(look: real.Look) -> Figure:
    """The truth, and one estimate with and without noise, over the places of the covariate."""
    sites = look.sites
    labels = sites.kind == "classification"
    # One draw, not the mean of many: what a site would release is as jagged.
    curves = (
        (look.truth, "All records", theme.MIXED, "solid", 2.5),
        (look.free, "One draw, no privacy", theme.SAMPLE, "dash", 2.0),
        (look.released, "One draw, as released", theme.PRIVACY, "solid", 2.0),
    )
    hover: charts.Fields = {"hover": "%{y:.3g}", "extra": "%{fullData.name}"}
    marks = [
        charts.line(look.places, y, name, theme.COLOURS[cause], dash, width, **hover)
        for y, name, cause, dash, width in curves
    ]
    # The place is what the estimators see, the covariate what a reader knows.
    at = sites.covariate(_TICKS)
    return charts.plot(
        marks,
        charts.axis(
            f"{records.first(sites.words['x'])}, by its place among all",
            (0, 1),
            ticks=(list(_TICKS), [number(x) for x in at]),
        ),
        charts.axis(records.first(sites.words["y"]), _span(look), share=labels),
        title="What the sites recover together",
        **charts.room(430, 100, 48, charts.COLUMNS),
        shapes=[charts.across(0.5)] if labels else [],
        uirevision="look",
        name="real-curve",
    )


def _span(look: real.Look) -> tuple[float, float]:
    """The public bounds, or what is drawn where that is narrower: noise may leave both."""
    low, high = float(look.truth.min()), float(look.truth.max())
    room = high - low
    return max(look.sites.low - 0.2 * room, low - room), min(
        look.sites.high + 0.2 * room, high + room
    )


def _touch(seen: _Seen, still: Figure, source: Open) -> None:
    """The shrinking sites; where a hand leaves them the budget is asked for."""

    def take(sent: Mapping[str, object]) -> None:
        if (epsilon := pictures.finite(sent, "epsilon", 0.01, 100)) is not None:
            source.change(epsilon=epsilon)

    people = words.plain(seen.look.sites.words["records"])
    made = pictures.sites.picture(seen.unit, seen.risk, epsilon=seen.look.epsilon, people=people)
    assert made is not None
    pictures.show(made, key="real_sites", take=take)


def _below(seen: _Seen) -> Iterable[Block]:
    yield from records.of_sites(seen.look.sites)
    yield lambda: takeaway.as_study("Open these sites as a study", seen.study)


TAB = records.tab(
    id="sites",
    title="Sites",
    usual=plan(_SETTINGS, replicates=2),
    inputs=(records.ask, seed(), Folded("Exact budget, δ", (_EPSILON, _DELTA))),
    compute=_compute,
    answer=answer,
    touch=_touch,
    blocks=drawn,
    below=_below,
    privacy=real.PRIVACY,
    why="Each site projects its clipped outcomes on K steps, or smooths its labels with a kernel, "
    "and adds Gaussian noise with the exact calibration; releases are merged by weight. The "
    "discs are the sites' own study: a ring all records, the tint the equation, the core the "
    "mechanism.",
    limits="- Nothing here is released: a simulation on public records.\n"
    "- The covariate counts by its place among all records, which is taken as public.\n"
    "- The resolution is the best for these records, which nobody knows beforehand.",
)
