"""The figure of every question about numbers; options are words.

Before the lock it has the prediction alone, after it what is true as well, which enters through
`Shown.truth` alone; what that is drawn of is kept once it is computed.
"""

from __future__ import annotations

import html
import math
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Literal

from pages import charts
from pages.charts import Figure, curves, predictions, shares
from pages.core import figure_card, with_lines
from pages.current import state
from pages.logistic import sources
from pages.phases import page as designs
from rates import logistic as scale
from rates.answer import Breakdown
from rates.numbers import decades
from rates.study import Study
from sims import lessons
from sims.lessons import Question, Truth, hits, own, runs

Report = tuple[float, ...]
_WIDE = 46  # letters of a title that a phone has room for
SCALE, COVARIATES = 0.1, 50  # of `noise`
BUDGETS = tuple(10 ** (k / 15) for k in range(-30, 46))  # of `free`
MISPRINT = designs.EXAMPLES["The misprinted threshold"]
BACK = replace(MISPRINT, n0=80_000, epsilon=0.05)
STEPS = {  # what is asked from one size to another, and the axes
    "twice": predictions.Step(
        parts=lessons.question("twice").parts,
        start=runs.START["twice"],
        end=2.0 * runs.START["twice"],
        x=(8e3, 4.2e4),
        title="Records of the registry n",
        y=(0.15, 1.3),
        at=("top right", "bottom left"),  # both lines fall
    ),
    "spread": predictions.Step(
        parts=lessons.question("spread").parts,
        start=runs.START["spread"],
        end=100.0,
        x=(0.9, 420.0),
        title="Sites m, a million records in all",
        y=(0.25, 110.0),
    ),
    "class": predictions.Step(
        parts=(),
        lines=("Coins, one in each hand", "Noise once, on the tally"),
        start=runs.START["class"],
        name=f"The tally of {runs.PEOPLE}",
        end=runs.START["class"],
        x=runs.CLASSES,
        title="People in the class",
        y=(0.04, 130.0),
        up=f"Times the tally's at {runs.PEOPLE}",
        at="top right",
        legend=(66, charts.LOOSE, 12),
    ),
}

# Figures ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shown:
    """What a figure is drawn of.

    Attributes:
        question: The question.
        report: The answer; None where nobody has answered.
        truth: What is true; None before the lock.
        study: The study that stands in for the lesson's own; None for that.
    """

    question: Question
    report: Report | None
    truth: Truth | None
    study: Study | None

    @property
    def one(self) -> float | None:
        """The answer to a question with one part."""
        return None if self.report is None else self.report[0]

    @property
    def true(self) -> float | None:
        """What is true of such a question."""
        return None if self.truth is None else self.truth.low[0]

    @property
    def ends(self) -> tuple[float, ...]:
        """Both ends of the band of what is true; nothing before the lock."""
        return () if self.truth is None else (*self.truth.low, *self.truth.high)

    @property
    def more(self) -> charts.Fields:
        """Title and name of the files; before the lock the question alone stands above."""
        title = ""
        if self.truth is not None:
            true = f"True: {lessons.true_answer(self.question, self.truth)}"
            title = "<br>".join(textwrap.wrap(html.escape(true, quote=False), _WIDE))
        return {"title": title, "name": f"lesson-{self.question.key}"}


def figure(
    question: Question,
    report: Report | None = None,
    truth: Truth | None = None,
    study: Study | None = None,
) -> Figure:
    """Return the figure of a question: its axes with the prediction, and with what is true.

    Args:
        question: The question.
        report: The answer; None for a class, which has none of its own.
        truth: What is true; None before the lock, when nothing is computed of it.
        study: The study that stands in for the lesson's own; None for that.

    Raises:
        DomainError: The report is not one of the question.
    """
    key, kept = question.key, None if report is None else question.check(report)
    drawn = _MAKERS.get(key, _scale)(Shown(question, kept, truth, study))
    keyed = key.removesuffix(lessons.TRANSFER) in lessons.LESSONS
    if truth is None or not keyed or lessons.question(key, study) != question:
        return drawn  # of an own rate or question: no key stands for it in lines of Python
    return replace(drawn, lines=partial(figure_card.of, again, drawn.name, key, kept, study))


def again(key: str, report: Report | None, study: Study | None = None) -> Figure:
    """Return the figure of a question by its key, with what is true computed anew."""
    asked = lessons.question(key, study)
    return figure(asked, report, lessons.truth(asked, study), study)


def beside(question: Question) -> tuple[Figure, ...]:
    """Return the figures of pages that show why the right option is; for locked questions."""
    if question.key == "back":
        shown = with_lines(designs.map_of, BACK, "none")
        return shown, with_lines(designs.cut_of, BACK)
    return (with_lines(designs.cut_of, MISPRINT),) if question.key == "back-transfer" else ()


def _scale(shown: Shown) -> Figure:
    asked, truth = shown.question, shown.truth
    true = [] if truth is None else [*zip(truth.low, truth.high, strict=True)]
    given = shown.report or ()
    return predictions.answers_figure(axis(asked), asked.parts, true=true, mine=given, **shown.more)


def axis(question: Question) -> charts.Fields:
    """Return the scale of a question about numbers."""
    stops = question.parameter.stops if question.parameter else (0.0, float(lessons.POINTS))
    powers = "Power of each letter" if question.kind == lessons.TYPED else ""
    title = powers or (question.unit or question.parts[0]).capitalize()
    ends = stops[0], stops[-1]
    plain = charts.axis(title, span=ends)
    return charts.log_axis(title, ends) if question.log else plain


def _odds(shown: Shown) -> Figure:
    ends = low, high = predictions.ATTACKED
    marks = [charts.line(ends, (50.0, 50.0), "Guessing blindly", dash="dot", width=1.5)]
    if shown.truth is not None:
        budgets = [x for x in decades(-2, 1) if low <= x <= high]
        look: charts.Fields = {"width": 2.5, "hover": "ε = %{x:.3g}: %{y:.1f} of 100"}
        most = [hits(x) for x in budgets]
        name, colour = "At most, whatever is released", charts.EQUATION
        marks.append(charts.line(budgets, most, name, colour, **look))
    return predictions.point_figure(
        marks,
        1.0,
        shown.one,
        shown.true,
        label="Budget ε of the release",
        ends=ends,
        up=charts.axis("Right out of 100", span=(46, 104)),
        **shown.more,
    )


def _factors(shown: Shown) -> Figure:
    key, truth = shown.question.key, shown.truth
    found, low = ([], ()) if truth is None else (runs.curves(key), truth.low)
    return predictions.step_figure(STEPS[key], shown.report, found, low, **shown.more)


def _carry(shown: Shown) -> Figure:
    """Who carries the answer: the page's figure, or before the lock its rows without any bar."""
    study, known = own.study_of("carry", shown.study), shown.truth is not None
    bars: Breakdown
    if known:
        cost = state.cost(study)[0]
        base, bars = shares.of_study(study, cost), cost.equation.answer
    else:
        bars = _nothing(len(study.servers))
        names, target = [s.name for s in study.servers], study.kind == "transfer"
        panels = [("Equation", bars), ("Mechanism", bars)]
        base = shares.shares_figure(names, panels, has_target=target, caption="")
    given = None
    if shown.report is not None:  # rows without information have no points
        points = iter(shown.report)
        rows = [next(points) if one.informative else 0.0 for one in study.servers]
        given = shares.of_bars(rows, [("", bars)])
    return predictions.shares_figure(base, given, known=known, **shown.more)


def _nothing(rows: int) -> Breakdown:
    """An answer of which no site carries anything."""
    signals = ("elasticity_n", "elasticity_epsilon")
    names = ("shares", *signals, *(f"{name}_above" for name in signals))
    zeros = dict.fromkeys(names, (0.0,) * rows)
    none: Literal["none"] = "none"
    return Breakdown(**zeros, limited_by=(none,) * rows, residual=0.0)


def _kept(shown: Shown) -> Figure:
    """What is kept of the sample: the page's figure as the budgets are multiplied, with stars."""
    asked, half, study = shown.question, predictions.HALF, own.study_of("free", shown.study)
    if asked.at:
        given = shown.report and (asked.at, [v / 100 for v in shown.report])
        true = shown.ends and (asked.at * 2, [v / 100 for v in shown.ends])
    else:
        given = shown.report and (shown.report, [half])
        true = shown.ends and (shown.ends, [half] * 2)
    mine = asked != lessons.question(asked.key)
    label = asked.axis or (asked.parts[0] if mine else "Common budget ε")
    mark = "Budgets as they are" if mine else "ε = 1"
    base = None
    if shown.truth is not None:
        sweep = state.sweep(study, state.cost(study)[0].risk, BUDGETS)
        if asked.at:  # the mechanism's line would tell the half, which the next question asks for
            sweep = replace(sweep, half=math.nan, mechanism=sweep.mechanism[:0])
        base = curves.kept_figure(
            sweep, unit=1.0, label=label, title="", mark=mark, least=predictions.LEAST, name="kept"
        )
    ends = (BUDGETS[0], BUDGETS[-1])
    return predictions.kept_figure(
        base, label, ends, given or None, true or None, at=asked.at, **shown.more
    )


def _noise(shown: Shown) -> Figure:
    base = None if shown.truth is None else meaning()
    return predictions.point_figure(
        base.figure["data"] if base else (),
        SCALE,
        shown.one,
        shown.true,
        label="Laplace scale, the paper's Δ/ε",
        ends=predictions.SCALES,
        up=charts.log_axis("ε", (0.1, 1e4)),
        falls=True,
        ruled=base is None,
        height=440,
        foot=110,
        **shown.more,
    )


@cache
def meaning() -> Figure:
    """Return the page's figure of what a noise scale means, for clipped records."""
    low, high = predictions.SCALES
    scales = [x for x in decades(-2, 2) if low <= x <= high]
    found = [
        scale.meaning(x, dimension=COVARIATES, radius=1.0, n=300, delta=1e-5).once for x in scales
    ]
    return sources.scales_figure(scales, {"Noise once, records of norm 1": found}, SCALE)


_MAKERS: Mapping[str, Callable[[Shown], Figure]] = {
    "odds": _odds,
    "class": _factors,
    "twice": _factors,
    "spread": _factors,
    "carry": _carry,
    "free": _kept,
    "free-transfer": _kept,
    "noise": _noise,
}
