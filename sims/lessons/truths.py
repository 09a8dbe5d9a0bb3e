"""What is true of every question, computed with the engine when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from rates.numbers import DomainError, Words
from rates.study import Study
from sims.lessons import (
    catalogue,
    plain,
    truths_columns,
    truths_own,
    truths_plain,
    truths_real,
    typed,
)
from sims.lessons.records import TYPED, Question, Truth

if TYPE_CHECKING:
    from rates.orders import Inquiry

PLAIN: Mapping[str, Callable[[Question], Truth]] = {
    "odds": truths_plain.odds,
    "odds-transfer": truths_plain.three_records,
    "attack": truths_plain.best_of_sixty,
    "attack-transfer": truths_plain.own_score,
    "class": truths_plain.coins,
    "class-transfer": truths_plain.phones,
    "twice": truths_plain.twice,
    "twice-transfer": truths_plain.twice_which,
    "spread": truths_plain.spread,
    "spread-transfer": truths_plain.spread_point,
    "back": truths_plain.back,
    "back-transfer": truths_plain.misprint,
    "pupils": truths_real.pupils,
    "pupils-transfer": truths_real.doubled,
    "noise": truths_plain.noise,
    "noise-transfer": truths_plain.nominal,
    "columns": truths_columns.apart,
    "columns-transfer": truths_columns.equal,
}
OF_STUDY: Mapping[str, Callable[[Question, Study | None], Truth]] = {
    "carry": truths_own.carry,
    "carry-transfer": truths_own.gain,
    "free": truths_own.free,
    "free-transfer": truths_own.half,
}
OF_RATE: Mapping[str, Callable[[Question, Inquiry | None], Truth]] = {
    "rate": truths_own.term,
    "rate-transfer": truths_own.tenfold,
}


def truth(question: Question, study: Study | None = None, rate: Inquiry | None = None) -> Truth:
    """Return what is true of a question.

    Args:
        question: One of a lesson's two.
        study: The study of one's own in the lesson, if there is one.
        rate: The rate of one's own in it, if there is one.

    Raises:
        DomainError: The question is not one of the lesson with this study or rate, or the lesson
            does not cover it; the message names the nearest that does.

    >>> round(truth(catalogue.question("odds")).low[0], 1)
    73.1
    """
    if question.key.startswith(f"{plain.KEY}-"):
        raise DomainError("The lecturer has not said what is true.")
    if question != catalogue.question(question.key, study, rate):
        rule = "The question must be one of the lesson, with the same study or rate in it."
        raise DomainError(rule, "question", Words(question.key))
    return _truth(question.key, study, rate)


@lru_cache(maxsize=512)
def _truth(key: str, study: Study | None, rate: Inquiry | None) -> Truth:
    asked = catalogue.question(key, study, rate)
    if asked.kind == TYPED:
        return typed.truth(asked)
    if key in PLAIN:
        return PLAIN[key](asked)
    return OF_STUDY[key](asked, study) if key in OF_STUDY else OF_RATE[key](asked, rate)
