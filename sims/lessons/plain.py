"""A question of a lecturer's own: options to choose from or a number, written as one line.

::

    What is the capital of Australia? | Sydney | Canberra | Perth | true: Canberra
    How many patients a day? | 0 to 400

What is true is the lecturer's word; where nothing is said, a class votes all the same.
"""

from __future__ import annotations

import re
import zlib
from functools import lru_cache
from typing import Any

from rates.numbers import DomainError, Parameter, Words
from sims.lessons.records import CHOICE, NUMBER, Lesson, Question, chosen, exactly

KEY = "own"  # of an entry of a list
MOST_TEXT = 200  # characters of a question, and of an option
MOST_OPTIONS = 6
MOST_LINE = (MOST_TEXT + 3) * (MOST_OPTIONS + 2)
MINUTES = 3  # for a class
HOW = "`Which? | A | B | true: B` or `How many? | 0 to 100`; what is true may be left out"
_STOPS = 40  # of a slider
_SOURCE = "the lecturer"
_NUMBER = r"-?[0-9]{1,12}(?:\.[0-9]{1,4})?"
_ENDS = re.compile(rf"({_NUMBER}) to ({_NUMBER})", re.IGNORECASE)
_TRUE = re.compile(r"true:\s*(.+)", re.IGNORECASE)


@lru_cache(maxsize=128)
def read(line: str) -> Lesson:
    """Read a question from its line, as a lesson with nothing to read and nothing to explain.

    Raises:
        DomainError: The line is none.

    >>> read("Which? | A | B | true: B").given.low, read("How many? | 0 to 400").question.kind
    ((0.0, 1.0), 'number')
    """
    if len(line) > MOST_LINE:
        raise DomainError(f"The line of a question has at most {MOST_LINE:,} characters.")
    if not line.isprintable():
        raise DomainError("A question stands on one line, in letters that can be printed.")
    text, *rest = (part.strip() for part in line.split("|"))
    true = _TRUE.fullmatch(rest[-1]) if rest else None
    said = true[1] if true and rest.pop() else ""
    if not all(1 <= len(one) <= MOST_TEXT for one in (text, *rest)):
        raise DomainError(f"A question and its options have 1 to {MOST_TEXT} letters each.")
    ends = _ENDS.fullmatch(rest[0]) if len(rest) == 1 else None
    if ends is None and len(rest) < 2:
        rule = "After a question | says how it is answered: 0 to 100, or A | B."
        raise DomainError(rule, "question", Words(repr(line[:40])))
    if len(rest) > MOST_OPTIONS or len({*rest}) < len(rest):
        raise DomainError(f"A question has 2 to {MOST_OPTIONS} options, no two alike.")
    key, truth = f"{KEY}-{zlib.crc32(line.encode()):08x}", None
    if ends:
        parameter = _between(float(ends[1]), float(ends[2]))
        one: Any = {"kind": NUMBER, "parts": ("Your answer",), "parameter": parameter}
        asked = Question(key=key, text=text, **one)
        truth = exactly([parameter.check(_number(said), "true")], _SOURCE) if said else None
    else:
        asked = Question(key=key, text=text, kind=CHOICE, parts=tuple(rest))
        if said:
            if said not in rest:
                rule = "What is true must be one of the options."
                raise DomainError(rule, "true", Words(repr(said)))
            truth = chosen(asked, rest.index(said), _SOURCE)
    both: Any = {"question": asked, "transfer": asked, "given": truth}
    return Lesson(key=KEY, title=text, minutes=MINUTES, **both)


def _between(low: float, high: float) -> Parameter:
    """Return the parameter of a number between two others."""
    if low >= high:
        raise DomainError("A number lies between two others, the smaller one first.")
    # Rounded, or 0.1 + 0.2 would be a stop of seventeen digits.
    stops = tuple(round(low + k * (high - low) / _STOPS, 9) for k in range(_STOPS + 1))
    about = "Type another number where the slider does not stop."
    known = f"[{low!r}, {high!r}]"
    return Parameter("answer", "", known, noun="The answer", help=about, stops=stops)


def _number(text: str) -> float:
    if not re.fullmatch(_NUMBER, text):
        raise DomainError("What is true must be a number here.", "true", Words(repr(text)))
    return float(text)
