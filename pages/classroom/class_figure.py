"""The answers of a class in one figure: alone, and with what is true and one's own answer."""

from __future__ import annotations

from collections.abc import Sequence

from pages import charts
from pages.charts import Figure, votes, words
from pages.lessons import Task, reveals
from rates.numbers import DomainError
from sims.classroom import Asked, Voted, estimates
from sims.lessons import CHOICE, POINTS, SHARES, Question, Truth, hands

MOST = 6  # parts that have room for a row each
Report = tuple[float, ...]


def task(one: Asked) -> Task:
    """Return a question of a lesson with what is true of it.

    Raises:
        DomainError: It is none of a lesson.
    """
    if one.lesson is None:
        raise DomainError("No lesson asks this.", "question")
    return Task(one.lesson, one.question, one.entry.study, one.entry.rate)


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
    if question.kind == CHOICE or len(question.parts) > MOST:
        counts = [hands.of_reports(question, reports) for reports in voted.rounds]
        return bars(question, counts, "answers", truth, given)
    true = zip(truth.low, truth.high, strict=True) if truth else ()
    shown = [*voted.rounds]
    if len(question.parts) > 2:  # no room for both votes
        shown = [(), *shown[1:]] if any(shown[1:]) else shown[:1]
    return votes.answers_figure(
        axis(question), question.parts, shown, true=tuple(true), mine=given or ()
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
    few = len(question.parts) <= hands.MOST and question.kind in (CHOICE, SHARES)
    return votes.votes_figure(
        [*votes.LETTERS[: len(names)]] if few else votes.columns(names),
        counts,
        title=f"True: {reveals.true_answer(question, truth)}" if truth and not choice else "",
        what=what,
        right=place(question, truth.low if truth else None),
        mine=place(question, mine),
    )


def place(question: Question, report: Report | None) -> int | None:
    """Return the option, range or part that an answer counts for; None where it is none."""
    counts = hands.of_reports(question, [report]) if report else ()
    return counts.index(1) if 1 in counts else None


def axis(question: Question) -> charts.Axis:
    """Return the scale of a question about numbers."""
    stops = question.parameter.stops if question.parameter else (0.0, float(POINTS))
    title = "Points" if question.kind == SHARES else question.unit.capitalize()
    if question.log:
        return charts.log_axis(title, (stops[0], stops[-1]), fixed=True)
    return charts.Axis(title=title or None, span=(stops[0], stops[-1]), fixed=True)


def estimated(one: Asked, voted: Voted, *, dealt: bool) -> list[str]:
    """Return the share of yes with its error by each way that a protected question used."""
    lines = [
        f"**{name}: {words.percent(share)}** yes, typical error {words.percent(error)} "
        f"(one standard deviation, from {voted.total} answers)."
        for name, share, error in (estimates(one, voted) if voted.total else ())
    ]
    if dealt and voted.dealt is not None:
        lines.append(f"**On the cards: {words.percent(voted.dealt / voted.total)}** yes.")
    return lines
