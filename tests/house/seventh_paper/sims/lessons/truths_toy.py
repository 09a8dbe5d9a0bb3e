"""What is true of the lesson `toy`."""

from __future__ import annotations

from rates import toy
from sims.lessons.records import Question, Truth, chosen, exactly


def worse(question: Question) -> Truth:
    """The error with privacy over that without."""
    ratio = toy.mean_error(100, 1) / toy.mean_error(100, 1e9)
    return exactly([ratio], "the exact error", ratio=ratio)


def free(question: Question) -> Truth:
    """Whether the rate calls this budget free."""
    bend = toy.threshold(100)
    return chosen(question, int(bend > 1), "the rate", bend=bend)
