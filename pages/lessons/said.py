"""Answers, truths and scores in words."""

from __future__ import annotations

from collections.abc import Sequence

from pages.charts import words
from sims.lessons import CHOICE, NUMBER, POINTS, SHARES, Question, Score, Truth, hands

Report = tuple[float, ...]


def answer(question: Question, report: Report) -> str:
    """Return what was predicted, as Markdown of a few words.

    >>> vote = Question(key="a", kind=CHOICE, text="?", parts=("yes", "no"))
    >>> answer(vote, (0.8, 0.2)), answer(vote, (1.0, 0.0)), answer(vote, (0.5, 0.5))
    ('yes, 80 % sure', 'yes', 'all options alike')
    """
    if question.kind == CHOICE:
        place, *others = hands.foremost(report)
        if others:
            return "all options alike"
        sure = f", {words.percent(report[place])} sure" if report[place] < 1 else ""
        return words.md(question.parts[place]) + sure
    return _joined(question, [_counted(question, v) for v in report])


def truth(question: Question, found: Truth) -> str:
    """Return what is true, as Markdown of a few words; a band by its ends."""
    if question.kind == CHOICE:
        return words.md(question.parts[found.low.index(max(found.low))])
    ends = zip(found.low, found.high, strict=True)
    return _joined(question, [_counted(question, *end) for end in ends])


def _counted(question: Question, *ends: float) -> str:
    unit = "" if question.kind == SHARES else question.unit
    number = words.between(min(ends), max(ends))
    return f"{words.between(min(ends), max(ends))} {unit}".strip() if unit else number


def _joined(question: Question, numbers: Sequence[str]) -> str:
    if question.kind == NUMBER and len(numbers) == 1:
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
    unit = f" {question.unit}" if question.unit != "times" else ""  # no factor, but how far off
    return f"{words.number(found.loss)}{unit}{' on average' if len(question.parts) > 1 else ''}"


def skill(found: Score) -> str:
    """Return the skill, with two digits.

    >>> skill(Score(0.1, 0.8)), skill(Score(2.0, -1.0))
    ('0.80', '-1.00')
    """
    return f"{found.skill:.2f}"


def zero(question: Question) -> str:
    """Return what an answer of skill 0 is like."""
    if question.kind == CHOICE:
        return "the same probability for every option"
    if question.kind == SHARES:
        return f"{POINTS} points dealt evenly, on average over what could be true"
    far = Score(question.constant, 0.0)
    return f"an answer that is off by {loss(question, far)}"
