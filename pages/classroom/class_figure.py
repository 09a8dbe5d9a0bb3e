"""The answers of a class in one figure: alone, and with what is true and one's own answer."""

from __future__ import annotations

from collections.abc import Sequence

from pages.charts import Figure, predictions
from pages.lessons import Task, reveals, tasks
from sims import lessons
from sims.classroom import Asked, Voted, option_of
from sims.lessons import CHOICE, SHARES, TYPED, Question, Truth, hands

MOST = 6  # parts that have room for a row each
Report = tuple[float, ...]


def task(one: Asked) -> Task:
    """Return a question of a lesson with what is true of it."""
    return next(task for task in tasks(one.entry) if task.question.key == one.key)


def of(one: Asked, voted: Voted, truth: Truth | None = None, mine: Report | None = None) -> Figure:
    """Return how a class answered a plain question.

    Args:
        one: The question.
        voted: The answers; of a vote of few there are none.
        truth: What is true; None as long as it is not to be known, or where nothing is.
        mine: What a phone answered; None for the class.
    """
    question = one.question
    given = None if mine is None else one.report(mine)
    if question.kind in (CHOICE, TYPED) or len(question.parts) > MOST:
        counts = [hands.of_reports(question, reports) for reports in voted.rounds]
        return bars(question, counts, "answers", truth, given)
    true = zip(truth.low, truth.high, strict=True) if truth else ()
    shown = [*voted.rounds]
    if len(question.parts) > 2:  # no room for both votes
        shown = [(), *shown[1:]] if any(shown[1:]) else shown[:1]
    scale, look = reveals.axis(question), {"title": "", "name": "answers"}
    return predictions.answers_figure(
        scale, question.parts, shown, true=tuple(true), mine=given or (), **look
    )


def bars(
    question: Question,
    counts: Sequence[Sequence[int]],
    what: str,
    truth: Truth | None,
    mine: Report | None = None,
) -> Figure:
    """Return the parts of a class for each option or range, with the right one marked."""
    names, choice = hands.options(question), question.kind == CHOICE
    few = choice or (question.kind == SHARES and len(question.parts) <= hands.MOST)
    return predictions.votes_figure(
        [*predictions.LETTERS[: len(names)]] if few else predictions.columns(names),
        counts,
        title=f"True: {lessons.true_answer(question, truth)}" if truth and not choice else "",
        what=what,
        right=option_of(question, truth.low if truth else None),
        mine=option_of(question, mine),
    )
