"""The figure of every question: with the prediction alone before the lock, with the truth after it.

What is true enters a figure through `Shown.truth` alone, which `blank` has not; what it is drawn of
is kept once it is computed.
"""

from __future__ import annotations

import functools
import html
import math
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from pages.charts import Figure, budget, factors, number, predictions, shares, votes, words
from pages.core import figure_card, with_lines
from pages.current import state
from pages.logistic import figures as logistic_figures
from pages.phases import designs
from rates import logistic as scale
from rates.answer import Breakdown
from rates.numbers import decades
from rates.study import Study, TransferStudy
from rates.tally import coin_error, laplace_error
from sims import regression
from sims.engine import Estimate, Progress
from sims.lessons import CHOICE, Question, Truth, catalogue, own, simulated, truths_plain
from sims.lessons import question as question_of
from sims.lessons import truth as truth_of

Report = tuple[float, ...]
_WIDE = 46  # letters of a title that a phone has room for
_INTERVAL = "95% Monte-Carlo intervals of the mean over the replicates"
_BEFORE = "The prediction alone. What is true is computed after the lock."
_EMPTY = "What is true is computed after the lock."
_ASKED = {
    "odds": "At ε = 1: how often of 100 is the attacker right?",
    "odds-transfer": "Three records at ε = 1: protected like what?",
    "class": "How many times larger is the error of the coins?",
    "class-transfer": "A million phones: worth how many records?",
    "twice": "What is left of the error when the records double?",
    "twice-transfer": "Twice the records, or twice the budget?",
    "spread": "How does the error grow from 10 to 100 sites?",
    "spread-transfer": "Which error grows more?",
    "carry": "How much of the answer does each site carry?",
    "carry-transfer": "10% more records, or 10% more budget?",
    "free": "What part of the sample is kept?",
    "free-transfer": "From where on is half of the sample kept?",
    "back": "Who decides, as ε grows from nearly 0 to 1?",
    "back-transfer": "Who decides at ε = 0.4?",
    "noise": "Which ε does Laplace noise of scale 0.1 give?",
    "noise-transfer": "Nominally 15: which ε is it really?",
    "rate": "Which of the terms decides?",
    "rate-transfer": "What happens to the rate?",
}
SCALE, COVARIATES = 0.1, 50  # of `noise`
BUDGETS = tuple(10 ** (k / 15) for k in range(-30, 46))  # of `free`
MISPRINT = designs.EXAMPLES["The misprinted threshold"]
BACK = replace(MISPRINT, n0=80_000, epsilon=0.05)
STEPS = {  # what `twice` and `spread` ask: from one size to another, and the axes
    "twice": factors.Step(
        parts=question_of("twice").parts,
        start=float(catalogue.REGISTRY),
        end=2.0 * catalogue.REGISTRY,
        x=(8e3, 4.2e4),
        title="Records of the registry n",
        y=(0.15, 1.3),
    ),
    "spread": factors.Step(
        parts=question_of("spread").parts,
        start=10.0,
        end=100.0,
        x=(0.9, 420.0),
        title="Sites m, a million records in all",
        y=(0.25, 110.0),
    ),
}
_FOUND = {  # what is true, in the terms of `_finding`
    "odds": "At ε = 1 an attacker is right at most {low:.1f} times of 100",
    "class": "The coins' error is {0} times that of the tally",
    "class-transfer": "Worth {0} records by the equation, {1} by the mechanism",
    "twice": "Twice the records leave {0} of the error, {1} at ε = 0.2",
    "spread": "Ten times the sites: the error grows × {0}, at ε = 0.2 × {1}",
    "carry": "{who} carries most: {most} of 100 by the mechanism",
    "free": "The mechanism keeps {shares}",
    "free-transfer": "The mechanism keeps half from {band} on",
    "noise": "Laplace noise of scale 0.1 gives ε = {0}",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a figure is drawn of.

    Attributes:
        question: The question.
        report: The answer; None where nobody has answered.
        truth: What is true; None before the lock.
        study: The study that stands in for the lesson's own; None for that.
        run: What has been simulated so far; None where nothing is.
    """

    question: Question
    report: Report | None
    truth: Truth | None = None
    study: Study | None = None
    run: Progress | None = None

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
    def own(self) -> bool:
        """Whether a study or a rate of one's own stands in."""
        return self.question != question_of(self.question.key)

    @property
    def options(self) -> tuple[str, ...]:
        """The options of a choice, with their formulas where they have any."""
        asked = self.question
        pairs = zip(asked.parts, asked.details or [""] * len(asked.parts), strict=True)
        return tuple(f"{part}: {more}" if more else part for part, more in pairs)

    @property
    def more(self) -> dict[str, str]:
        """Title, caption and name of the files.

        The title is the finding once it is known, else the question; the caption then says where
        what is true comes from.
        """
        key, true = self.question.key, self.truth
        if true is None:
            title = _ASKED.get(key, "What do you expect?")
            caption = _EMPTY if self.report is None else _BEFORE
        else:
            if self.question.kind == CHOICE:
                k = true.low.index(max(true.low))
                title = f"{votes.LETTERS[k]} is right: {html.escape(self.options[k], quote=False)}"
            else:
                title = _finding(self.question, true)
            caption = f"True by: {true.source.rstrip('.')}."
            if true.seed is not None:
                caption += f" Seed {true.seed}."
            if self.run is not None:
                caption += f" Dots: simulated, seed {self.run.request.seed}, with {_INTERVAL}."
        title = "<br>".join(textwrap.wrap(title, _WIDE)[:3])
        return {"title": title, "caption": words.keyed(caption), "name": f"lesson-{key}"}


def _finding(question: Question, truth: Truth) -> str:
    """Return what is true of a question as the title of its figure."""
    most, bands = max(truth.low), list(zip(truth.low, truth.high, strict=True))
    return _FOUND[question.key].format(
        *map(number, truth.low),
        low=truth.low[0],
        band=words.between(*bands[0], number),
        shares=", ".join(
            words.between(low / 100, high / 100, words.percent) for low, high in bands
        ),
        who=words.label(question.parts[truth.low.index(most)]),
        most=number(most, 2),
    )


def reveal(
    question: Question,
    report: Report | None,
    truth: Truth,
    study: Study | None = None,
    run: Progress | None = None,
) -> Figure:
    """Return the figure of a question with what is true, and the prediction marked in it.

    Args:
        question: The question.
        report: The answer that is locked; None for a class, which has none of its own.
        truth: What is true.
        study: The study that stands in for the lesson's own; None for that.
        run: What has been simulated so far, for what is simulated.

    Raises:
        DomainError: The report is not one of the question.
    """
    kept = None if report is None else question.check(report)
    shown = Shown(question=question, report=kept, truth=truth, study=study, run=run)
    return _drawn(shown, again)


def blank(question: Question, report: Report | None = None, study: Study | None = None) -> Figure:
    """Return the same axes with the prediction alone: nothing in it is computed of the truth.

    Args:
        question: The question.
        report: The answer so far; None where nobody has answered.
        study: The study that stands in for the lesson's own; None for that.

    Raises:
        DomainError: The report is not one of the question.
    """
    kept = None if report is None else question.check(report)
    return _drawn(Shown(question=question, report=kept, study=study), before)


def beside(question: Question) -> tuple[Figure, ...]:
    """Return the figures of pages that show why the right option is; for locked questions."""
    if question.key not in ("back", "back-transfer"):
        return ()
    cut = with_lines(designs.cut_of, MISPRINT if question.key != "back" else BACK)
    if question.key != "back":
        return (cut,)
    return with_lines(designs.map_of, BACK, "gamma", "none"), cut


def again(key: str, report: Report | None, study: Study | None = None) -> Figure:
    """Return the figure of a question by its key, with what is true computed anew."""
    asked = question_of(key, study)
    return reveal(asked, report, truth_of(asked, study), study)


def before(key: str, report: Report | None = None, study: Study | None = None) -> Figure:
    """Return the figure of a question by its key, without what is true."""
    return blank(question_of(key, study), report, study)


def _drawn(shown: Shown, by_key: Callable[..., Figure]) -> Figure:
    """Draw it, with the lines of Python that do the same where its key is enough for them."""
    key, study, run = shown.question.key, shown.study, shown.run
    maker = _choice if shown.question.kind == CHOICE else _MAKERS.get(key, _scale)
    figure = maker(shown)
    whole = run is None or run.done == 0
    if not whole or question_of(key, study) != shown.question:  # of a run, or of an own rate
        return figure
    return replace(
        figure,
        lines=functools.partial(figure_card.of, by_key, figure.name, key, shown.report, study),
    )


def _choice(shown: Shown) -> Figure:
    right = None if shown.truth is None else shown.truth.low.index(max(shown.truth.low))
    return votes.choice_figure(shown.options, shown.report, right, **shown.more)


def _scale(shown: Shown) -> Figure:
    asked, truth = shown.question, shown.truth
    stops = asked.parameter.stops if asked.parameter else ()
    ruler = predictions.Ruler(
        parts=asked.parts,
        ends=(stops[0], stops[-1]),
        log=asked.log,
        axis=(asked.unit or asked.parts[0]).capitalize(),
    )
    true = None if truth is None else tuple(zip(truth.low, truth.high, strict=True))
    return predictions.scale_figure(ruler, shown.report, true, **shown.more)


def _odds(shown: Shown) -> Figure:
    line = None if shown.truth is None else attacker()
    return predictions.attacker_figure(shown.one, 1.0, line, shown.true, **shown.more)


@functools.cache
def attacker() -> predictions.Pairs:
    """Return budgets, and of 100 the most hits of an attacker there."""
    low, high = predictions.ATTACKED
    budgets = [x for x in decades(-2, 1) if low <= x <= high]
    return budgets, [truths_plain.hits(x) for x in budgets]


def _class(shown: Shown) -> Figure:
    found = None if shown.truth is None else class_errors(shown.run)
    return factors.class_figure(shown.one, catalogue.PEOPLE, found, **shown.more)


def class_errors(run: Progress | None) -> factors.ClassErrors:
    """Return both errors against the size of a class, with a run's points."""
    laws = {factors.COINS: coin_error, factors.TALLY: laplace_error}
    low, high = factors.CLASSES
    sizes = [x for x in decades(1, 3, whole=True) if low <= x <= high]
    return factors.ClassErrors(
        sizes=sizes,
        errors={key: [law(int(n), catalogue.BUDGET) for n in sizes] for key, law in laws.items()},
        own={key: law(catalogue.PEOPLE, catalogue.BUDGET) for key, law in laws.items()},
        points=() if run is None else run.request.points,
        estimates=() if run is None else tuple(map(root, run.estimates)),
    )


def root(one: Estimate) -> Estimate:
    """Return a mean squared error's root; its interval is that of the square, as roots rise."""
    if one.replicates < 2:
        return one
    mean = math.sqrt(one.mean)
    ends = (math.sqrt(max(one.low, 0.0)), math.sqrt(one.high))
    return Estimate(mean, one.stderr / (2 * mean) if mean else 0.0, one.replicates, *ends)


def _factors(shown: Shown) -> Figure:
    key, truth, run = shown.question.key, shown.truth, shown.run
    found = None
    if truth is not None:
        found = factors.ExactErrors(
            curves=curves(key),
            factors=truth.low,
            points=() if run is None else run.request.points,
            estimates=() if run is None else run.estimates,
        )
    return factors.step_figure(STEPS[key], shown.report, found, **shown.more)


@functools.cache
def curves(key: str) -> dict[str, regression.ExactCurve]:
    """Return the exact errors of `twice` or `spread`, those without privacy first."""
    found = regression.exact_curves(simulated(question_of(key)).values, count=24)
    order = sorted(found, key=lambda name: name != "no privacy")
    return {name: found[name] for name in order}


def _carry(shown: Shown) -> Figure:
    """Who carries the answer: the page's figure, or before the lock its rows without any bar."""
    parts, true = shown.question.parts, shown.truth is not None
    study = own.study_of("carry", shown.study) if true else shown.study
    servers = study.servers if study else ()
    bars: Breakdown
    names = [server.name for server in servers] or list(parts)
    if study and true:
        cost = state.cost(study)[0]
        base, bars = shares.of_study(study, cost), cost.equation.answer
    else:
        bars = _nothing(len(names))
        panels = [("Equation", bars), ("Mechanism", bars)]
        has_target = isinstance(study, TransferStudy)
        base = shares.shares_figure(names, panels, has_target=has_target, caption="")
    given = None
    if shown.report is not None:  # rows without information have no points
        points = iter(shown.report)
        rows = [next(points) if one.informative else 0.0 for one in servers] or shown.report
        given = shares.of_bars(rows, [("", bars)])
    axes = "Sites in a row, with room for a share of 0 to 100%."
    return predictions.shares_figure(base, given, axes, known=true, **shown.more)


def _nothing(rows: int) -> Breakdown:
    """An answer of which no site carries anything."""
    signals = ("elasticity_n", "elasticity_epsilon")
    names = ("shares", *signals, *(f"{name}_above" for name in signals))
    zeros = dict.fromkeys(names, (0.0,) * rows)
    none: Literal["none"] = "none"
    return Breakdown(**zeros, limited_by=(none,) * rows, residual=0.0)


def _free(shown: Shown) -> Figure:
    at = shown.question.at
    given = None if shown.report is None else (at, [v / 100 for v in shown.report])
    true = [v / 100 for v in shown.ends]
    return _kept(shown, given, (at * 2, true) if true else None)


def _half(shown: Shown) -> Figure:
    given = None if shown.report is None else (shown.report, [predictions.HALF])
    return _kept(shown, given, (shown.ends, [predictions.HALF] * 2) if shown.ends else None)


def _kept(shown: Shown, given: predictions.Pairs | None, true: predictions.Pairs | None) -> Figure:
    asked = shown.question
    label = asked.axis or (asked.parts[0] if shown.own else "Common budget ε")
    mark = "Budgets as they are" if shown.own else "ε = 1"
    base = None
    if shown.truth is not None:
        base = kept(own.study_of("free", shown.study), label, mark)
    axes = f"Part of the sample kept, from 0.01% to all, against {label}; both logarithmic."
    ends = (BUDGETS[0], BUDGETS[-1])
    return predictions.kept_figure(base, label, ends, given, true, axes, at=asked.at, **shown.more)


def kept(study: Study, label: str, mark: str) -> Figure:
    """Return the page's figure of what is kept as the budgets are multiplied, as it is marked."""
    sweep = state.sweep(study, state.cost(study)[0].risk, BUDGETS)
    return budget.kept_figure(
        sweep, unit=1.0, label=label, title="", mark=mark, least=predictions.LEAST, name="kept"
    )


def _noise(shown: Shown) -> Figure:
    base = None if shown.truth is None else meaning()
    axes = "ε against the Laplace scale, both logarithmic."
    return predictions.noise_figure(base, SCALE, shown.one, shown.true, axes, **shown.more)


@functools.cache
def meaning() -> Figure:
    """Return the page's figure of what a noise scale means, for clipped records."""
    low, high = predictions.SCALES
    scales_ = [x for x in decades(-2, 2) if low <= x <= high]
    found = [
        scale.meaning(x, dimension=COVARIATES, radius=1.0, n=300, delta=1e-5).once for x in scales_
    ]
    return logistic_figures.meaning(scales_, {"Noise once, records of norm 1": found}, SCALE)


_MAKERS: Mapping[str, Callable[[Shown], Figure]] = {
    "odds": _odds,
    "class": _class,
    "twice": _factors,
    "spread": _factors,
    "carry": _carry,
    "free": _free,
    "free-transfer": _half,
    "noise": _noise,
}
