"""What is true of the lesson `columns`: two servers of [CAC], apart or with one that listens."""

from __future__ import annotations

from rates import columns
from sims.lessons.records import Question, Truth
from sims.lessons.truths_plain import chosen, exactly

_PEOPLE, _LOOSE, _STRICT = 100_000, 1.0, 0.1  # as the text of the lesson has them
_EXACT = "the mechanisms' exact laws at correlation 0"


def _ratio(strict: float) -> float:
    sizes = (_PEOPLE, _LOOSE, strict, 0.0)
    return columns.apart_error(*sizes) / columns.listening_error(*sizes)


def apart(question: Question) -> Truth:
    """The error apart over that with listening."""
    sizes = (_PEOPLE, _LOOSE, _STRICT)
    orders = [columns.order_of(of, *sizes) for of in (columns.APART, columns.LISTENING)]
    return exactly(
        [ratio := _ratio(_STRICT)],
        f"{_EXACT}; of the two apart by a normal mean over many batches",
        ratio=ratio,
        order=orders[0] / orders[1],
        bend=columns.bend(_PEOPLE),
        actual=columns.actual_bend(_PEOPLE, _LOOSE, 0.0),
    )


def equal(question: Question) -> Truth:
    """What listening changes between equal budgets."""
    ratio = _ratio(_LOOSE)
    orders = [
        columns.order_of(of, _PEOPLE, _LOOSE, _LOOSE) for of in (columns.APART, columns.LISTENING)
    ]
    seen = orders[0] / orders[1] > 3.0
    source = "the exact laws of both at equal budgets"
    return chosen(question, 2 if seen else int(ratio > 3.0), source, equal=ratio)
