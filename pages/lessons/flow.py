"""One lesson: read, predict, lock, see, explain, predict again, see the score, go on.

Nothing that is true, neither a figure, a number nor a sentence, is computed before the answer to
its question is locked.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

import streamlit as st

from pages.charts import Figure, words
from pages.core import button, figure_card, layout, ledger_links, sentence, tables
from pages.lessons import arriving, fields, reveals, said
from pages.lessons.progress import PROGRESS, mark
from rates.orders import Inquiry
from rates.study import Study
from sims.lessons import Lesson, Question, Truth, explained, score, truth

Report = tuple[float, ...]

_STATEMENT = re.compile(r"\b[A-Z]{2,}:[\w.]+:[\w-]+")
_WANTED = "lesson_lock"
_MOST_WORDS = 400  # characters of one's own explanation

true = functools.lru_cache(maxsize=128)(truth)


@dataclass(frozen=True, slots=True)
class Task:
    """One question as it is asked here.

    Attributes:
        question: The question.
        study: The study that stands in for the lesson's own; None for that.
        rate: The rate that does.
    """

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
    def truth(self) -> Truth:
        """What is true; for locked questions alone."""
        return true(self.question, self.study, self.rate)


def draw(
    lesson: Lesson,
    study: Study | None = None,
    rate: Inquiry | None = None,
    *,
    brief: bool = False,
) -> bool:
    """Draw a lesson as far as its answers are locked.

    Args:
        lesson: The lesson.
        study: The study that stands in for the lesson's own; None for that.
        rate: The rate that does.
        brief: Whether it ends with the first question, without words of one's own.

    Returns:
        Whether all that is asked is answered.
    """
    first, second = (Task(question, study, rate) for question in lesson.questions)
    st.header(lesson.title, anchor=False)
    st.markdown(words.keyed(lesson.read))
    if not _asked(first, brief=brief):
        return False
    st.markdown(f"*{words.keyed(lesson.misconception)}*")
    _explain(lesson, first)
    if brief:
        _scores(first)
        _further(lesson)
        return True
    st.header("One step further", anchor=False)
    if not _asked(second):
        return False
    _explain(lesson, second)
    _scores(first, second)
    _further(lesson)
    return True


def _asked(task: Task, *, brief: bool = False) -> bool:
    """Ask a question, or show what came of it; whether it is time to explain."""
    PROGRESS.settle(task.question, task.name)
    if st.session_state.get(_WANTED) == task.name:
        _lock(task)
    layout.from_here(f"top_{task.name}", "asked" if task.locked is None else "seen")
    st.markdown(f"**{words.keyed(task.question.text)}**")
    if task.locked is None:
        _predict(task)
        return False
    st.markdown(
        f"You expected **{said.answer(task.question, task.locked)}**.  \n"
        f"Computed now: **{said.truth(task.question, task.truth)}**."
    )
    told = brief or task.name in PROGRESS.get().ours
    figure, beside = layout.beside()
    with figure:
        _reveal(task, task.locked)
    with beside:
        if not brief:
            _own_words(task)
        if not told:
            button(
                "Show our explanation",
                f"ours_{task.name}",
                PROGRESS.explain,
                task.name,
                icon=":material/lightbulb:",
            )
    return told


def _reveal(task: Task, report: Report) -> None:
    """Show the figure with what is true, what is simulated arriving on it, and what shows why."""
    run = arriving.run_of(task.question) if task.study is None and task.rate is None else None
    if run is not None:
        arriving.show(task.question, report, task.truth, run)
    else:
        _figure(reveals.reveal(task.question, report, task.truth, task.study), task, "seen")
    for drawn in reveals.beside(task.question):
        _figure(drawn, task, "seen")


def _own_words(task: Task) -> None:
    sentence(
        f"lesson_words_{task.name}",
        "In your own words: why?",
        most=_MOST_WORDS,
        help="For yourself, before you read ours. It stays in this session and is in no link.",
    )


def _predict(task: Task) -> None:
    figure, controls = layout.beside()
    with controls:
        report = fields.ask(task.question, task.name)
        missing = fields.missing(task.question, task.name)
        button(
            "Lock my answer",
            f"lock_{task.name}",
            _want,
            task.name,
            type="primary",
            icon=":material/lock:",
            disabled=bool(missing),
        )
        unsaid = fields.unsaid(task.question, task.name)
        st.caption(missing or unsaid or "What is locked cannot be changed.")
    with figure:
        _figure(reveals.blank(task.question, report, task.study), task, "asked")


def _want(name: str) -> None:
    """Ask for a lock, which is made once what was moved and typed has been taken over."""
    st.session_state[_WANTED] = name


def _lock(task: Task) -> None:
    st.session_state[_WANTED] = None
    report = fields.report(task.question, task.name)
    if problem := fields.problem(task.question, task.name):
        st.warning(f"Nothing was locked: {words.plain(problem)}")
    elif report is not None and not fields.missing(task.question, task.name):
        PROGRESS.lock(task.name, report)


def _figure(drawn: Figure, task: Task, stage: str) -> None:
    key = f"figure_lesson_{task.name}_{stage}_{drawn.name}"
    figure_card.show(drawn, key=key, files=stage == "seen")


def _explain(lesson: Lesson, task: Task) -> None:
    """Our explanation, with the way to what it names of the ledger."""
    shown = explained(lesson.explanation(task.question), task.truth)
    st.markdown(words.keyed(shown))
    for name in _STATEMENT.findall(shown):
        ledger_links.link(name)


def _scores(*tasks: Task) -> None:
    st.header("How close", anchor=False)
    rows: dict[str, list[str]] = {"Question": [], "Off by": [], "Skill": []}
    for name, task in zip(("First", "Second"), tasks, strict=False):
        assert task.locked is not None
        found = score(task.question, task.locked, task.truth)
        rows["Question"].append(name)
        rows["Off by"].append(said.loss(task.question, found))
        rows["Skill"].append(said.skill(found))
    tables.wrapped(rows)
    zeros = [said.zero(task.question) for task in tasks]
    ways = f"{zeros[0]} in the first, {zeros[1]} in the second" if len({*zeros}) > 1 else zeros[0]
    st.caption(
        f"Skill 1 is an exact answer, 0 is as good as {ways}, below 0 is worse than that. It "
        "tells how well you knew this one number, nothing about you among others."
    )


def _further(lesson: Lesson) -> None:
    st.page_link(
        layout.page(lesson.page),
        label="Where this goes on",
        icon=":material/open_in_new:",
        query_params={name: str(value) for name, value in lesson.link.items()},
    )
