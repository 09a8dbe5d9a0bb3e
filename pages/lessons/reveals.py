"""The figure of every question: with the prediction alone before the lock, with the truth after it.

What is true enters a figure through `Shown.truth` alone, which `blank` has not.
"""

from __future__ import annotations

import html
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from pages.charts import Figure, between, number, percent, words
from pages.charts.lessons import choices, classes, factors, hits, over, scales
from pages.core import lines
from pages.lessons import known
from rates.study import Study
from sims.engine import Progress
from sims.lessons import CHOICE, Question, Truth, catalogue, own
from sims.lessons import question as question_of
from sims.lessons import truth as truth_of

Report = tuple[float, ...]
_WIDE = 46  # letters of a title that a phone has room for
_INTERVAL = "95 % Monte-Carlo intervals of the mean over the replicates"
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
    "carry-transfer": "10 % more records, or 10 % more budget?",
    "free": "What part of the sample is kept?",
    "free-transfer": "From where on is half of the sample kept?",
    "back": "Who decides, as ε grows from nearly 0 to 1?",
    "back-transfer": "Who decides at ε = 0.4?",
    "noise": "Which ε does Laplace noise of scale 0.1 give?",
    "noise-transfer": "Nominally 15: which ε is it really?",
    "rate": "Which of the terms decides?",
    "rate-transfer": "What happens to the rate?",
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
    def own(self) -> bool:
        """Whether a study or a rate of one's own stands in."""
        return self.question != question_of(self.question.key)

    @property
    def title(self) -> str:
        """The finding once it is known, else the question."""
        key = self.question.key
        asked = _ASKED.get(key, "What do you expect?")
        if self.truth is None:
            text = asked
        elif self.question.kind == CHOICE:
            k = self.truth.low.index(max(self.truth.low))
            text = f"{choices.LETTERS[k]} is right: {html.escape(self.options[k], quote=False)}"
        else:
            text = _FOUND[key](self.question, self.truth)
        return "<br>".join(textwrap.wrap(text, _WIDE)[:3])

    @property
    def options(self) -> tuple[str, ...]:
        """The options of a choice, with their formulas where they have any."""
        asked = self.question
        pairs = zip(asked.parts, asked.details or [""] * len(asked.parts), strict=True)
        return tuple(f"{part}: {more}" if more else part for part, more in pairs)

    @property
    def caption(self) -> str:
        """Where what is true comes from, once it is known."""
        if self.truth is None:
            return _EMPTY if self.report is None else _BEFORE
        text = f"True by: {self.truth.source.rstrip('.')}."
        if self.truth.seed is not None:
            text += f" Seed {self.truth.seed}."
        if self.run is not None:
            text += f" Dots: simulated, seed {self.run.request.seed}, with {_INTERVAL}."
        return words.keyed(text)

    @property
    def more(self) -> dict[str, str]:
        """Title, caption and name of the files."""
        return {
            "title": self.title,
            "caption": self.caption,
            "name": f"lesson-{self.question.key}",
        }

    def words(self, told: str) -> over.Words:
        """What stands around a page's figure; `told` says its axes."""
        return over.Words(**self.more, told=told)


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
        run: What has been simulated so far, for what `arriving` runs.

    Raises:
        DomainError: The report is not one of the question.
    """
    kept = None if report is None else question.check(report)
    shown = Shown(question=question, report=kept, truth=truth, study=study, run=run)
    return _drawn(shown, again, whole=run is None or run.done == 0)


def untitled(drawn: Figure) -> Figure:
    """Return a figure whose title would say again what stands above it."""
    return replace(drawn, figure=replace(drawn.figure, title=""))


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
    shown = Shown(question=question, report=kept, study=study)
    return _drawn(shown, before, whole=True)


def beside(question: Question) -> tuple[Figure, ...]:
    """Return the figures of pages that show why the right option is; for locked questions."""
    if question.key == "back":
        return known.switching(known.BACK)
    return known.switching(known.MISPRINT)[1:] if question.key == "back-transfer" else ()


def again(key: str, report: Report | None, study: Study | None = None) -> Figure:
    """Return the figure of a question by its key, with what is true computed anew."""
    asked = question_of(key, study)
    return reveal(asked, report, truth_of(asked, study), study)


def before(key: str, report: Report | None = None, study: Study | None = None) -> Figure:
    """Return the figure of a question by its key, without what is true."""
    return blank(question_of(key, study), report, study)


def _drawn(shown: Shown, by_key: Callable[..., Figure], *, whole: bool) -> Figure:
    """Draw it, with the lines of Python that do the same where its key is enough for them."""
    key, study = shown.question.key, shown.study
    maker = _choice if shown.question.kind == CHOICE else _MAKERS.get(key, _scale)
    made = maker(shown)
    if not whole or question_of(key, study) != shown.question:  # of a run, or of an own rate
        return made
    return replace(made, lines=lines.of(by_key, made.name, key, shown.report, study))


def _choice(shown: Shown) -> Figure:
    right = None if shown.truth is None else shown.truth.low.index(max(shown.truth.low))
    return choices.drawn(shown.options, shown.report, right, **shown.more)


def _scale(shown: Shown) -> Figure:
    asked, truth = shown.question, shown.truth
    stops = asked.parameter.stops if asked.parameter else ()
    ruler = scales.Ruler(
        parts=asked.parts,
        ends=(stops[0], stops[-1]),
        log=asked.log,
        axis=(asked.unit or asked.parts[0]).capitalize(),
    )
    true = None if truth is None else tuple(zip(truth.low, truth.high, strict=True))
    return scales.drawn(ruler, shown.report, true, **shown.more)


def _odds(shown: Shown) -> Figure:
    line = None if shown.truth is None else known.attacker()
    true = None if shown.truth is None else shown.truth.low[0]
    return hits.drawn(shown.one, 1.0, line, true, **shown.more)


def _class(shown: Shown) -> Figure:
    found = None if shown.truth is None else known.class_errors(shown.run)
    return classes.drawn(shown.one, catalogue.PEOPLE, found, **shown.more)


def _factors(shown: Shown) -> Figure:
    key, truth = shown.question.key, shown.truth
    found = None if truth is None else known.errors(key, truth.low, shown.run)
    return factors.drawn(known.step(key, shown.question.parts), shown.report, found, **shown.more)


def _carry(shown: Shown) -> Figure:
    asked = shown.question
    true = shown.truth is not None
    study = own.study_of("carry", shown.study) if true else shown.study
    base = known.carriers(study) if study and true else known.no_carriers(study, asked.parts)
    given = None if shown.report is None else known.of_bars(study, shown.report, true=true)
    around = shown.words("Sites in a row, with room for a share of 0 to 100 %.")
    return over.shares(base, given, around, known=true)


def _free(shown: Shown) -> Figure:
    asked = shown.question
    given = None if shown.report is None else (asked.at, [v / 100 for v in shown.report])
    true = None
    if shown.truth is not None:  # both ends of the band
        ends = (*shown.truth.low, *shown.truth.high)
        true = (asked.at * 2, [v / 100 for v in ends])
    return _kept(shown, given, true)


def _half(shown: Shown) -> Figure:
    given = None if shown.report is None else (shown.report, [over.HALF])
    true = None
    if shown.truth is not None:
        true = ((*shown.truth.low, *shown.truth.high), [over.HALF] * 2)
    return _kept(shown, given, true)


def _kept(shown: Shown, given: over.Pairs | None, true: over.Pairs | None) -> Figure:
    study = own.study_of("free", shown.study)
    asked = shown.question
    label = asked.axis or (asked.parts[0] if shown.own else "Common budget ε")
    mark = "Budgets as they are" if shown.own else "ε = 1"
    base = None if shown.truth is None else known.kept(study, label, mark)
    told = f"Part of the sample kept, from 0.01 % to all, against {label}; both logarithmic."
    return over.kept(base, label, known.ENDS, given, true, shown.words(told), at=asked.at)


def _noise(shown: Shown) -> Figure:
    base = None if shown.truth is None else known.meaning()
    true = None if shown.truth is None else shown.truth.low[0]
    around = shown.words("ε against the Laplace scale, both logarithmic.")
    return over.noise(base, known.SCALE, shown.one, true, around)


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


def _carried(question: Question, truth: Truth) -> str:
    most = max(truth.low)
    name = question.parts[truth.low.index(most)]
    return f"{words.label(name)} carries most: {number(most, 2)} of 100 by the mechanism"


def _percents(question: Question, truth: Truth) -> str:
    pairs = zip(truth.low, truth.high, strict=True)
    found = ", ".join(between(low / 100, high / 100, percent) for low, high in pairs)
    return f"The mechanism keeps {found}"


def _worth(question: Question, truth: Truth) -> str:
    equation, mechanism = (number(v) for v in truth.low)
    return f"Worth {equation} records by the equation, {mechanism} by the mechanism"


_FOUND: Mapping[str, Callable[[Question, Truth], str]] = {
    "odds": lambda asked, true: (
        f"At ε = 1 an attacker is right at most {true.low[0]:.1f} times of 100"
    ),
    "class": lambda asked, true: (
        f"The coins' error is {number(true.low[0])} times that of the tally"
    ),
    "class-transfer": _worth,
    "twice": lambda asked, true: "Twice the records leave {} of the error, {} at ε = 0.2".format(
        *map(number, true.low)
    ),
    "spread": lambda asked, true: (
        "Ten times the sites: the error grows × {}, at ε = 0.2 × {}".format(*map(number, true.low))
    ),
    "carry": _carried,
    "free": _percents,
    "free-transfer": lambda asked, true: (
        f"The mechanism keeps half from {between(true.low[0], true.high[0], number)} on"
    ),
    "noise": lambda asked, true: f"Laplace noise of scale 0.1 gives ε = {number(true.low[0])}",
}
