"""A question with what is true of it, for page, projector and paper; its answers in words.

What is true is computed when it is asked for: whoever shows a task before its lock leaves alone
what comes after `blank`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages.charts import Figure, words
from pages.core import Block, Note, Text
from pages.core.live import panel
from pages.lessons import reveals
from pages.lessons.progress import PROGRESS, Report, mark
from rates.numbers import DomainError
from rates.orders import Inquiry
from rates.study import Study
from sims import lessons, regression
from sims.engine import Progress, Request
from sims.lessons import CHOICE, SHARES, Entry, Lesson, Question, Score, Truth, hands

SEEDS = "lesson_seeds"  # by question, the seed that was asked for in this session

true = functools.lru_cache(maxsize=128)(lessons.truth)


@dataclass(frozen=True, slots=True)
class Task:
    """One question as it is asked in a place.

    Attributes:
        lesson: The lesson that asks it.
        question: The question.
        study: The study that stands in for the lesson's own; None for that.
        rate: The rate that does.
    """

    lesson: Lesson
    question: Question
    study: Study | None = None
    rate: Inquiry | None = None

    @property
    def name(self) -> str:
        """Its name in the address."""
        return mark(self.question, self.study or self.rate)

    @property
    def locked(self) -> Report | None:
        """The answer that is locked; None before."""
        return PROGRESS.get().answer(self.name)

    @property
    def choice(self) -> bool:
        """Whether one of several options is right."""
        return self.question.kind == CHOICE

    def blank(self, report: Report | None = None, *, titled: bool = True) -> Figure:
        """Return its axes with the prediction alone; a title may say again what stands above."""
        figure = reveals.blank(self.question, report, self.study)
        return figure if titled else replace(figure, figure=replace(figure.figure, title=""))

    @property
    def truth(self) -> Truth:
        """What is true."""
        return true(self.question, self.study, self.rate)

    @property
    def right(self) -> int:
        """Place of the right option."""
        return self.truth.low.index(max(self.truth.low))

    def reveal(self, report: Report | None = None, run: Progress | None = None) -> Figure:
        """Return its figure with what is true, and with what was simulated so far."""
        return reveals.reveal(self.question, report, self.truth, self.study, run)

    @property
    def why(self) -> str:
        """Our explanation, Markdown."""
        return lessons.explained(self.lesson.explanation(self.question), self.truth)

    def reasons(self) -> Iterator[Block]:
        """What many believe, our explanation, and where what is true comes from."""
        if self.question == self.lesson.question:
            yield Text(f"*{self.lesson.misconception}*")
        yield Text(self.why)
        yield Note(f"True by: {self.truth.source.rstrip('.')}.")

    @property
    def request(self) -> Request | None:
        """What is simulated for it, with the seed of this session; None for nothing."""
        if self.study is not None or self.rate is not None:
            return None
        try:
            seeds = st.session_state.get(SEEDS, {})
            return lessons.simulated(self.question, seeds.get(self.question.key, 0))
        except DomainError:
            return None

    def seed(self, seed: float) -> None:
        """Simulate with another seed from now on."""
        memory = st.session_state
        memory[SEEDS] = {**memory.get(SEEDS, {}), self.question.key: int(seed)}

    def arrive(self, key: str, draw: Callable[[Progress], None], **how: Any) -> None:
        """Simulate, and draw what there is so far; the page must end with `live.panel.go_on`."""
        if request := self.request:
            job = panel.Job(key=key, request=request, draw=draw, auto=True, **how)
            panel.panel(job, st.container())


def tasks(entry: Entry) -> tuple[Task, ...]:
    """Return both questions of an entry of a list; none of a pause."""
    lesson = entry.lesson
    asked = lesson.questions if lesson else ()
    return tuple(Task(lesson, question, entry.study, entry.rate) for question in asked if lesson)


def on_curve(found: Progress) -> str:
    """Return how many simulated points lie on the exact curve so far."""
    held = regression.on_curve(found.request.points, found.estimates)
    if not held.points:
        return "The curves are exact. Simulated points arrive on them."
    return (
        f"**{held.inside} of {held.points}** simulated points hold the exact error in their 95% "
        "intervals."
    )


# Answers, truths and scores in words ------------------------------------------------------------


def answer(question: Question, report: Report) -> str:
    """Return what was predicted, as Markdown of a few words.

    >>> vote = Question(key="a", kind=CHOICE, text="?", parts=("yes", "no"))
    >>> answer(vote, (0.8, 0.2)), answer(vote, (1.0, 0.0)), answer(vote, (0.5, 0.5))
    ('yes, 80% sure', 'yes', 'all options alike')
    """
    if question.kind == CHOICE:
        place, *others = hands.foremost(report)
        if others:
            return "all options alike"
        sure = f", {words.percent(report[place])} sure" if report[place] < 1 else ""
        return words.md(question.parts[place]) + sure
    return _joined(question, [_counted(question, v) for v in report])


def truth_words(question: Question, found: Truth) -> str:
    """Return what is true, as Markdown of a few words; a band by its ends."""
    if question.kind == CHOICE:
        return words.md(question.parts[found.low.index(max(found.low))])
    ends = zip(found.low, found.high, strict=True)
    return _joined(question, [_counted(question, *end) for end in ends])


def _counted(question: Question, *ends: float) -> str:
    unit = "" if question.kind == SHARES else question.unit
    return words.counted(words.between(min(ends), max(ends)), unit)


def _joined(question: Question, numbers: Sequence[str]) -> str:
    if question.kind == lessons.NUMBER and len(numbers) == 1:
        return numbers[0]
    if question.kind == SHARES:
        return " / ".join(numbers)
    return "; ".join(
        f"{words.md(part)}: {number}" for part, number in zip(question.parts, numbers, strict=True)
    )


def loss(question: Question, found: Score) -> str:
    """Return how far off an answer was, in the terms of its question."""
    if question.kind == CHOICE:
        return f"{words.number(found.loss, 2)} (squared differences of probabilities, summed)"
    if question.kind == SHARES:
        return f"{words.number(found.loss, 2)} (squared differences of shares, summed)"
    if question.log:
        return f"a factor of {words.number(10**found.loss)}"
    unit = question.unit if question.unit != "times" else ""  # no factor, but how far off
    far = words.counted(words.number(found.loss), unit)
    return f"{far}{' on average' if len(question.parts) > 1 else ''}"


def zero(question: Question) -> str:
    """Return what an answer of skill 0 is like."""
    if question.kind == CHOICE:
        return "the same probability for every option"
    if question.kind == SHARES:
        return f"{lessons.POINTS} points dealt evenly, on average over what could be true"
    far = Score(question.constant, 0.0)
    return f"an answer that is off by {loss(question, far)}"
