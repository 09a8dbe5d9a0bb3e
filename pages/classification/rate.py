"""Tab "Rate": simulated risk over C times the calibrated rate."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pages.charts import simulation, words
from pages.classification import common, privacy
from pages.core import Block, Listing, Note, Slider, Switch, Table
from pages.core.live import Folded, Item, Plan, kept, of_experiment, repetition, sweep
from rates.numbers import decades
from sims.classification import NAMES, RATE, SIZES, Kink, asymptotic_slopes, kinks, rate_spent
from sims.engine import Fit, Progress, Value, fits, scaling

SWEEPS = {"n": "Sample size n", "epsilon": "Budget ε", "m": "Number of sources m"}
SERVERS = {"target": "Target", "sources": "Sources", "both": "Both"}
_BUDGETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
_COUNTS = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1e3, 3e3, 1e4)
_STOPS = {"n": (100.0, 300.0, 1e3, *SIZES, 3e8, 1e9), "epsilon": _BUDGETS, "m": _COUNTS}
_LISTS: dict[str, dict[str, Value]] = {  # what each sweep starts with
    "n": {"n": SIZES, "epsilon": (math.inf, 1.0, 0.1), "m": (1.0,)},
    "epsilon": {"n": (1e6, 1e5, 1e4), "epsilon": _BUDGETS, "m": (1.0,)},
    "m": {"n": (1e6,), "epsilon": (math.inf, 1.0, 0.1), "m": _COUNTS},
}
_MOST_NAMED = 3  # series spelled out in the answer
_SPREAD = "± is a standard error."


def _fields(asked: Plan) -> Iterator[Item]:
    alone = asked.values["servers"] == "target"
    yield Switch("servers", "Who releases", SERVERS, then=_of_servers)
    yield from sweep.along(
        asked,
        {name: title for name, title in SWEEPS.items() if name != "m" or not alone},
        lists=_LISTS,
        stops=_STOPS,
        budgets=(math.inf, 10.0, 1.0, 0.1, 0.01),
        sizes=(1e4, 1e5, 1e6, 1e7),
    )
    if not alone:
        yield common.SIGNAL
        if sweep.swept(asked) != "m":
            yield Slider("m", "Number of sources m", decades(0, 4, whole=True))
        if asked.values["servers"] == "both":
            yield Slider("n0", "Target records n₀", decades(2, 8, whole=True))
    yield from repetition()
    lists = ("n", "epsilon") if alone else ("n", "epsilon", "m", "gamma")
    exact = [Listing(name, f"{name}, exact list") for name in lists]
    more: list[Item] = [common.WORLD, common.NOISE, common.KAPPA, *exact]
    yield Folded("World, mechanism, exact lists", more)


def _of_servers(servers: str) -> Mapping[str, Value]:
    """A sweep over sources makes no sense for a target alone."""
    return {"sweep": "n", **_LISTS["n"]} if servers == "target" else {}


def rivals(progress: Progress) -> dict[str, dict[str, float]]:
    """Return, by series, the slopes far out where one of two terms decides alone."""
    out = {}
    for series, exponents in asymptotic_slopes(progress.request.values).items():
        if exponents.privacy is not None:
            out[series] = {"sampling alone": exponents.sampling, "privacy alone": exponents.privacy}
    return out


def judged(fit: Fit, others: Mapping[str, float]) -> str:
    """Return the verdict on one curve in words."""
    verdict = fit.verdict(others)
    if verdict != scaling.CANNOT_DISTINGUISH:
        return verdict
    names = [n for n, s in others.items() if fit.verdict({n: s}) == scaling.CANNOT_DISTINGUISH]
    return f"agrees, but cannot distinguish it from {' or '.join(names)}"


def answer(progress: Progress) -> str:
    """Return the finding so far as a sentence."""
    if not progress.done:
        return (
            "The dotted lines are the classifier's exact risk, computed without simulation. "
            "**Run** puts simulated points beside them and fits the slope."
        )
    found = [f for f in _fits(progress) if f.slope is not None]
    counts = words.span(f"{min(progress.counts):,}", f"{max(progress.counts):,}")
    seen = sum(count >= 2 for count in progress.counts)
    start = f"After **{seen} points** and **{counts} replicates**, "
    if not found:
        return f"{start}there are too few points for a slope."
    other = rivals(progress)
    verdicts = {fit.series: judged(fit, other.get(fit.series, {})) for fit in found}
    named = [
        f"{fit.series} **{words.slope(fit)}** against **{words.signed(fit.theory)}** "
        f"({verdicts[fit.series]})"
        for fit in found[:_MOST_NAMED]
    ]
    if len(found) == 1:
        fit = found[0]
        return (
            f"{start}the fitted slope is **{words.slope(fit)}**; the calibrated rate's over the "
            f"same window is **{words.signed(fit.theory)}**: **{verdicts[fit.series]}**. {_SPREAD}"
        )
    more = f"; and {len(found) - _MOST_NAMED} more below" if len(found) > _MOST_NAMED else ""
    agreed = sum(v.startswith(scaling.AGREES) for v in verdicts.values())
    return (
        f"{start}**{agreed} of {len(found)}** fitted slopes agree with the calibrated rate's "
        f"over the same window: {'; '.join(named)}{more}. {_SPREAD}"
    )


def _fits(progress: Progress) -> tuple[Fit, ...]:
    return fits(progress.request.points, progress.estimates)


_kinks = functools.lru_cache(maxsize=64)(kinks)


def drawn(progress: Progress) -> Iterable[Block]:
    """The figure and the table of slopes."""
    request, estimates = progress.request, progress.estimates
    swept = request.values.word("sweep")
    bends = _kinks(request.values)
    at: dict[str, list[float]] = {}
    for kink in bends:
        at.setdefault(kink.series, []).append(kink.x)
    yield simulation.rate_drawn(
        request.points,
        estimates,
        name="rate",
        alt=simulation.alt(request.points, estimates, SWEEPS[swept]),
        caption=_bends(bends, swept),
        x_title=SWEEPS[swept],
        y_title="Excess risk",
        title="Excess risk over C times the calibrated rate",
        curve="calibrated rate",
        bends=at,
    )
    yield from _table(progress, _fits(progress))


def _bends(bends: Sequence[Kink], swept: str) -> str:
    listed = "; ".join(
        f"{kink.series}: {sweep.SHORT[swept]} = {words.number(kink.x)} ({NAMES[kink.server]}, the "
        f"{kink.server})"
        for kink in bends
    )
    return (
        f"Thin vertical lines: where the privacy and the sampling term of a server are equal, "
        f"and its rate bends. {listed}. The constants are the mechanism's; the rates of (4), "
        "without constants, put the bends elsewhere."
        if listed
        else "No curve bends within this range: one term decides throughout."
    )


def _table(progress: Progress, found: Sequence[Fit]) -> Iterable[Block]:
    """Slopes side by side."""
    far, other = asymptotic_slopes(progress.request.values), rivals(progress)

    def asymptotic(series: str) -> str:
        if series not in far:
            return "no single one"
        ends = far[series]
        if ends.privacy is None:
            return words.signed(ends.sampling)
        return f"privacy {words.signed(ends.privacy)}, sampling {words.signed(ends.sampling)}"

    yield Table(
        {
            "Curve": [fit.series for fit in found],
            "Fitted slope": [words.slope(fit) for fit in found],
            "Calibrated": [words.signed(fit.theory) for fit in found],
            "Verdict": [judged(fit, other.get(fit.series, {})) for fit in found],
            "95 % interval": [
                f"{words.signed(fit.slope.low)} to {words.signed(fit.slope.high)}"
                if fit.slope
                else ""
                for fit in found
            ],
            "Far out": [asymptotic(fit.series) for fit in found],
            "Constant C": [
                f"{words.number(fit.constant.value)} ± {words.number(fit.constant.stderr, 2)}"
                if fit.constant
                else ""
                for fit in found
            ],
            "Points": [f"{fit.used} used, {len(fit.left_out)} left out" for fit in found],
        },
        "Fitted slopes beside the slopes of the theory",
    )
    yield Note(
        "Fitted slope ± its standard error, beside the slope of the calibrated curve over the "
        "same points with the same weights. Far out: the exponents of (4) where one term "
        "decides. Privacy, sampling and the range decide how far out is far."
    )
    reasons = dict.fromkeys(reason for fit in found for _, reason in fit.left_out)
    if progress.done and reasons:
        yield Note(f"Left out of the fits, drawn hollow: {'; '.join(reasons)}.")


TAB = common.tab(
    "rate",
    "Rate",
    usual=of_experiment(RATE),
    fields=_fields,
    experiment=kept(RATE),
    privacy="",
    auto=True,
    answer=answer,
    drawn=drawn,
    after=lambda request: privacy.said(rate_spent(request.values)),
)
