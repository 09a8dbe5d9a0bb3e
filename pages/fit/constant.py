"""From a rate to a risk: a constant fitted on a world, and the price of not knowing.

The constant that a session has accepted is the only ground for an absolute risk on a page.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module

import streamlit as st

from pages.charts import Figure, words
from pages.charts import fit as figures
from pages.core import Texts, UrlState, blocks, bring, button, of_visitor, with_lines
from pages.current import fields, state
from pages.study import RISKS
from rates.numbers import DomainError, Words
from rates.study import Scope, Study, TransferStudy, alike, elicit, theory_for
from sims import fit as fits
from sims.classification import Cusp
from sims.engine import Progress, Request

REPEATS = 60  # per setting, where no exact formula exists
WORLDS = "calibration_world"  # by risk, the world that is looked at; kept between studies
NONE, PILOT = "none", "pilot"
_REPLICATE = (
    "A replicate is one such study drawn at random; the same seed draws the same ones. The median "
    "of your sites' records and budgets stands for each."
)
_CURVES = {
    "fourier": "Random waves of the study's smoothness",
    "wavelet": "Random wavelets of the study's smoothness",
    "cusps": "Curves with one cusp, error at the cusp",
}


@dataclass(frozen=True, slots=True)
class Held:
    """A calibration with what repeats it: "risk:world" and study; empty for a pilot's."""

    calibration: fits.Calibration
    name: str = ""
    study: Study | None = None


@functools.lru_cache(maxsize=32)
def fit(study: Study, world: str, pointwise: bool, scope: Scope) -> fits.Calibration:
    """Return the constant of a world at a study's sites."""
    found = fits.worlds_for(study, pointwise=pointwise)[world]
    return fits.calibrate(study, found, scope=scope, repeats=REPEATS)


class _Url(UrlState[Held | None]):
    """What a link says of the calibration: "risk:world", and nothing where that is not enough.

    A constant that was fitted before the study changed is not in the link: fitted again, at the
    sites as they are now, it would be another one.
    """

    def read(self, texts: Texts) -> Held | None:
        given = texts.get(self.parameter, "")
        if not given:
            return None
        return self.get() if texts == self.link(self.get()) else _fitted(given)

    def write(self, value: Held | None) -> Texts:
        return {self.parameter: value.name if value and value.study == state.current() else ""}


CONSTANT = _Url(
    parameter="constant",
    start=None,
    refused="The constant in the address could not be used.",
)


def keep(calibration: fits.Calibration, world: str = "", study: Study | None = None) -> None:
    """Make an accepted fit the session's calibration; one that was refused is not kept.

    Args:
        calibration: The fit.
        world: Name of its world; empty for a pilot, which no link can hold.
        study: Where it was fitted.
    """
    if calibration.accepted:
        name = f"{calibration.yardstick.kind}:{world}" if world else ""
        CONSTANT.set(Held(calibration, name, study))


def held() -> fits.Calibration | None:
    """Return the calibration whatever the study; None if none was accepted."""
    kept = CONSTANT.get()
    return kept.calibration if kept else None


def _fitted(text: str) -> Held:
    """Fit the constant that a link names."""
    kind, _, world = text.partition(":")
    study = state.current()
    transfer = isinstance(study, TransferStudy)
    allowed = [
        f"{risk}:{name}"
        for risk in (("classification",) if transfer else ("integrated", "pointwise"))
        for name in fits.worlds_for(study, pointwise=risk == "pointwise")
    ]
    if text not in allowed:
        rule = f"For this study it must be one of {', '.join(allowed)}."
        rule = rule if allowed else "For this study there is no world to fit a constant in."
        raise DomainError(rule, field=CONSTANT.parameter, value=text[:60])
    with st.spinner("Risks at 28 settings"):
        found = fit(study, world, kind == "pointwise", state.scope())
    if not found.accepted:
        raise DomainError(
            "The fit is refused.", field=CONSTANT.parameter, value=Words(found.refusal)
        )
    st.session_state.setdefault(WORLDS, {})[kind] = world
    return Held(found, text, study)


def get(study: Study, kind: str | None = None) -> fits.Calibration | None:
    """Return the calibration if it belongs to a study: its kind, its parameters, its theory.

    Args:
        study: The study on the page.
        kind: "classification", "integrated" or "pointwise", where only that risk is wanted.
    """
    found = held()
    if found is None or found.yardstick.mismatch(study):
        return None
    if kind is not None and found.yardstick.kind != kind:
        return None
    return found if theory_for(study, state.scope()).covers_numbers else None


def risk(study: Study, kind: str | None = None) -> fits.Absolute:
    """Return the absolute risk of a study by the session's calibration, or why there is none."""
    return fits.risk_of(get(study, kind), study)


def settings(calibration: fits.Calibration) -> str:
    """Say at which settings the constant was fitted, and how."""
    used = [t for t in calibration.settings if not t.left_out]
    least, most = (words.number(f(t.records for t in used)) for f in (min, max))
    if calibration.pilot:
        return f"{len(used)} training sets of {least} to {most} records, seed {calibration.seed}"
    records = words.span(least, most)
    mixed = f" and {len(calibration.uneven)} uneven ones" if calibration.uneven else ""
    finite = [t.budget for t in used if math.isfinite(t.budget)]
    spans = [f"{words.extremes(finite)} times the budgets"] if finite else []
    budgets = " or ".join([*spans, "no privacy"] if len(finite) < len(used) else spans)
    how = "by exact formula"
    if (seed := calibration.seed) is not None:
        how = f"by {calibration.method} with seed {seed}, {calibration.replicates} replicates"
    return f"{len(used)} settings with {records} times the records, {budgets}{mixed}, {how}"


def ground(calibration: fits.Calibration) -> str:
    """Say in words in which world, at which settings and how the constant was found."""
    return f"{calibration.world}; {settings(calibration)}"


def plain(study: Study, kind: str | None = None) -> str:
    """Return the absolute risk as plain text for a protocol; empty if there is none."""
    found, told = get(study, kind), risk(study, kind)
    if found is None or told.refusal:
        return ""
    return (
        f"Where the truth is {found.world}, the {RISKS[found.yardstick.kind]} of that procedure at "
        f"these sites is about {value(found, told.value)} (95% interval {ends(found, told)}; "
        f"constant fitted at {settings(found)}). Whether our patients are like this cannot be told "
        "from it."
    )


def sentence(study: Study, kind: str | None = None) -> str:
    """Return the absolute risk with world, settings and interval; empty if there is none."""
    found, told = get(study, kind), risk(study, kind)
    if found is None or told.refusal:
        return ""
    return (
        f"about **{value(found, told.value)}** (95%: {ends(found, told)}) in this world: "
        f"{words.md(ground(found))}"
    )


def ends(calibration: fits.Calibration, told: fits.Absolute) -> str:
    """Return the 95% interval of a risk as text."""
    return words.span(value(calibration, told.low), value(calibration, told.high))


def value(calibration: fits.Calibration, x: float) -> str:
    """Return a risk as text: per cent for a classifier, a number for a curve."""
    if calibration.yardstick.kind == "classification":
        return f"{words.number(100.0 * x)}%"
    return words.number(x)


# The section of the page -------------------------------------------------------------------------

_request = functools.lru_cache(maxsize=32)(fits.price_request)  # its points hold exact risks


_fit_pilot = of_visitor(8)(fits.calibrate_pilot)


def section(study: Study, chosen: str) -> None:
    """Offer worlds, show the fit or the refusal, and what rests on an accepted one.

    Args:
        study: The current study.
        chosen: Which error counts: "classification", "integrated" or "pointwise".
    """
    place = st.container()
    worlds = fits.worlds_for(study, pointwise=chosen == "pointwise")
    left, right = st.columns([1, 1], gap="large")
    with left:
        st.markdown(
            "The **rate** says how the error falls with records and budgets, and leaves out its "
            "constant, so it is not yet a risk. The **named mechanism** is one concrete procedure "
            "with all its constants: every site releases a smoothed summary of its records once, "
            "with noise. A **world** is a made-up truth in which everything is known, the risk of "
            "this procedure too. There the constant C of *risk = C × rate* can be found for your "
            "own sites, and only there."
        )
        found = _offered(study, chosen, worlds)
    with right:
        if found is not None and found[0].settings:
            blocks.show([found[1]()], page="fit")
    with place:
        st.markdown(_answer(study, chosen))
    if get(study, chosen) is not None:
        _needed(study, chosen)


def _offered(
    study: Study, chosen: str, worlds: dict[str, fits.World]
) -> tuple[fits.Calibration, Callable[[], Figure]] | None:
    """Take a world or a pilot; return the fit and what draws it."""
    options = {NONE: "None: rates only", **{name: _label(name, w) for name, w in worlds.items()}}
    if isinstance(study, TransferStudy):
        options[PILOT] = "The records of a pilot (not private)"
    if not worlds:
        st.info(
            f"Your study has {study.dimension} covariates. The worlds in which the risk is known "
            "have one or two, and the constant of one says nothing about the other. So no "
            "absolute risk is shown without a pilot; rates and ratios above still hold."
            if isinstance(study, TransferStudy)
            else "No world has curves as smooth as this study's: the smoothest random ones have "
            "α = 2, the smoothest cusps below 2. So no absolute error is shown."
        )
    if len(options) == 1:
        return None
    kept = st.session_state.setdefault(WORLDS, {})
    name = kept[chosen] = fields.choose(
        f"world_{chosen}",
        "World",
        options,
        kept.get(chosen, NONE),
        help="Choose the one most like your patients. Whether they are like it cannot be tested "
        "here.",
    )
    found = None
    if name == PILOT and isinstance(study, TransferStudy):
        if brought := _pilot(study):
            found, pilot = brought
            draw = functools.partial(with_lines, pilot_drawn, study, pilot, state.scope())
    elif name != NONE:
        with st.spinner("Risks at 28 settings"):
            asked = study, name, chosen == "pointwise", state.scope()
            found = fit(*asked)
            draw = functools.partial(with_lines, calibration_drawn, *asked)
    if found is None:
        return None
    if found.refusal:
        st.warning(f"**Refused.** {words.md(found.refusal)} No absolute risk is shown.")
        return found, draw
    button(
        _button(found, study),
        "keep_calibration",
        _keep,
        found,
        "" if name == PILOT else name,
        icon=":material/straighten:",
        disabled=get(study, chosen) == found,
    )
    return found, draw


def _pilot(study: TransferStudy) -> tuple[fits.Calibration, bytes] | None:
    """Take a pilot and fit the constant to it; None without one that can be read."""
    st.markdown(
        "A table with a header: the study's covariates first, the outcome last as 0 or 1. "
        f"Some thousand records are needed; at most {elicit.MOST_RECORDS:,}. It is read in this "
        "session and not kept. **Not private**: the constant depends on every record. The "
        f"smoothness β = {words.number(study.smoothness)} and margin "
        f"α = {words.number(study.margin)} of the Study page are taken as true."
    )

    def read(data: bytes) -> tuple[fits.Calibration, bytes]:
        with st.spinner("Errors of ever smaller training sets"):
            return _fit_pilot(study, data, scope=state.scope()), data

    title = "Pilot to calibrate with (.csv)"
    return bring("calibration_pilot", title, read, "Nothing was calibrated.")


def _label(name: str, world: fits.World) -> str:
    if isinstance(world, Cusp):
        beta, alpha = words.number(world.smoothness), words.number(world.margin)
        return f"Risk crosses 50% along a line, β = {beta}, α = {alpha}"
    return _CURVES[name]


def _button(found: fits.Calibration, study: Study) -> str:
    yard = found.yardstick
    if isinstance(study, TransferStudy) and yard.mismatch(study):
        beta, alpha = words.number(yard.smoothness), words.number(yard.margin)
        return f"Use this constant, and set β = {beta} and α = {alpha} in the study"
    return "Use this constant"


def _keep(found: fits.Calibration, world: str) -> None:
    study, yard = state.current(), found.yardstick
    if isinstance(study, TransferStudy) and yard.mismatch(study):
        state.adopt(replace(study, smoothness=yard.smoothness, margin=yard.margin), state.scope())
    keep(found, world, state.current())


def calibration_drawn(study: Study, world: str, pointwise: bool, scope: Scope) -> Figure:
    """Risk against rate in a world, at a study's sites."""
    return picture(fit(study, world, pointwise, scope))


def pilot_drawn(study: TransferStudy, pilot: bytes, scope: Scope) -> Figure:
    """The pilot's error with ever fewer records."""
    return picture(_fit_pilot(study, pilot, scope=scope))


def picture(found: fits.Calibration) -> Figure:
    """Risk against rate, and the constant between them if there is one."""
    title = "No constant"
    if found.constant is not None and not found.refusal:
        title = f"Risk is {words.number(found.constant.value)} times the rate in this world"
    y_title = "Excess error" if found.yardstick.kind == "classification" else "Squared error"
    caption = (
        "The pilot's own error with ever fewer records, its lowest level taken off. "
        if found.pilot
        else "Your sites with fewer and more records, smaller and larger budgets, and without "
        "privacy, in this world. Both axes are logarithmic. "
    )
    caption += _quality(found)
    return figures.calibration_figure(found, title=title, y_title=y_title, caption=caption)


def _quality(found: fits.Calibration) -> str:
    constant, slope = found.constant, found.slope
    used = sum(not t.left_out for t in found.settings)
    parts = [f"{used} of {len(found.settings)} settings are in the fit."]
    if constant is not None:
        more = slope and (
            f"; risk falls like the rate to the power {words.number(slope.value)}, 1 by theory; at "
            f"a single setting C moves by {words.percent(found.scatter)} (standard deviation)"
        )
        ends = words.between(constant.low, constant.high)
        parts.append(f"C = {words.number(constant.value)} (95%: {ends}){more or ''}.")
    if found.uneven:
        parts.append(
            f"{len(found.uneven)} further settings change the sites of each signal exponent by "
            "factors of their own: the risk of a study takes its C from them, by its own mix."
        )
    if found.seed is None:
        parts.append(
            "All risks are exact, nothing is simulated: the intervals say how far C moves between "
            "settings."
        )
    elif slope is None:
        parts.append(
            f"The interval comes from {found.replicates} disjoint groups of its records, seed "
            f"{found.seed}."
        )
    else:
        parts.append(
            f"Where no exact formula exists risks are simulated: {found.replicates} replicates, "
            f"seed {found.seed}, bars are 95% intervals."
        )
    if found.note:
        parts.append(words.md(found.note))
    return " ".join(parts)


def _answer(study: Study, chosen: str) -> str:
    """The absolute risk, or why there is none."""
    if get(study, chosen) is None:
        if held() is None:
            return "**No absolute risk yet**: nothing has been calibrated."
        return (
            "**No absolute risk**: the constant that was used belongs to another study, to other "
            "parameters, or the answers above leave its theory."
        )
    told = risk(study, chosen)
    if told.refusal:
        return f"**No absolute risk at these sites.** {words.md(told.refusal)}"
    what = (
        "The **excess error** of the named mechanism at your sites, its share of wrong answers "
        "beyond that of the best possible rule,"
        if isinstance(study, TransferStudy)
        else "The **squared error** of the named mechanism, for a curve of largest value 1,"
    )
    return f"{what} is {sentence(study, chosen)}."


def _needed(study: Study, chosen: str) -> None:
    """How many records an error needs."""
    percent = isinstance(study, TransferStudy)
    label = "Excess error aimed at, per cent" if percent else "Squared error aimed at"
    fields.text("goal", label, "")
    try:
        goal = fields.number("goal", "goal", percent=percent)
        if goal is None:
            return
        found = get(study, chosen)
        with fields.in_percent(percent):
            needed = fits.sample_size(found, study, goal)
    except DomainError as refusal:
        st.error(words.plain(refusal))
        return
    if needed.refusal:
        st.warning(f"No sample size. {words.md(needed.refusal)}")
        return
    assert found is not None
    st.markdown(
        f"An error of {value(found, goal)} needs about "
        f"**{words.number(needed.factor)} times** the records at every site (95%: "
        f"{words.between(needed.low, needed.high)}), **{needed.total:,.0f}** in all, with the "
        f"same budgets, in this world: {words.md(ground(found))}."
    )


# The price of not knowing ----------------------------------------------------------------------


def price(study: Study) -> None:
    """Offer a run that prices not knowing the parameters."""
    st.header("What does not knowing cost the method itself?", anchor=False)
    place = st.container()
    try:
        request = _request(study)
    except DomainError as refusal:
        place.markdown(f"No price: {refusal}")
        return
    st.caption(_stand_in(study, request))
    live = import_module("pages.core.live.panel")  # other pages take the constant alone
    live.panel(live.Job(key="fit_price", request=request, answer=price_answer, draw=draw), place)


def _stand_in(study: Study, request: Request) -> str:
    values = request.values
    budgets = [e for e in values.numbers("epsilon") if math.isfinite(e)]
    epsilon = f"ε = {words.number(budgets[0])}" if budgets else "no privacy"
    n = f"{values.whole('n'):,} records"
    if request.experiment.name == "adaptive-price":
        sources = int(values.numbers("m")[0])
        others = "one other site" if sources == 1 else f"{sources} other sites"
        whose = "one site" if alike(study, state.scope()) else "the target"
        where = (
            "the paper's own made-up world with two covariates"
            if values["world"] == "quadrants"
            else "a made-up world with one covariate"
        )
        return (
            f"Sites alike stand in for yours: {whose} and {others} with {n} each, {epsilon}, "
            f"in {where}. The rule that does not know the parameters tries several bandwidths (how "
            "far patients may differ and still count as alike) and splits its budget over them. "
            + _REPLICATE
        )
    smoothness = words.number(values.number("smoothness"))
    return (
        f"Sites alike stand in for yours: {values.whole('m'):,} with {n} each, {epsilon}, and "
        f"random curves of smoothness {smoothness}. **Heuristic**: the "
        "theory has no rule here that need not know the smoothness. This one splits its budget "
        "over levels of detail and picks how many to keep from the release alone; nothing is "
        "proved about it. " + _REPLICATE
    )


def price_answer(progress: Progress) -> str:
    """Return the price so far as a sentence."""
    found = fits.found_prices(progress)
    if not found:
        return (
            "All answers above are for a method that is told the parameters. A method that has to "
            "find them in its own releases pays for it. **Run** measures how much."
        )
    classifier = progress.request.experiment.name == "adaptive-price"
    what = "Not knowing the parameters" if classifier else "The heuristic for an unknown smoothness"
    listed = " and by ".join(
        f"**{words.number(p.ratio)}** (95%: {words.between(p.low, p.high)}) {_at(p)}" for p in found
    )
    return f"{what} multiplies its error by {listed}."


def _at(p: fits.Price) -> str:
    return "without privacy" if math.isinf(p.epsilon) else f"at ε = {words.number(p.epsilon)}"


def draw(progress: Progress) -> None:
    """List the prices."""
    if found := fits.found_prices(progress):
        columns = {
            "Budget": [_at(p) for p in found],
            "Error times": [words.number(p.ratio) for p in found],
            "95% interval": [words.between(p.low, p.high) for p in found],
            "Replicates": [str(p.replicates) for p in found],
        }
        table = blocks.Table(columns, "Price of not knowing the parameters")
        blocks.show([table], page="fit")
