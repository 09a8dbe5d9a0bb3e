"""A question of a lecturer's own: options to choose from or a number, written as one line.

::

    What is the capital of Australia? | Sydney | Canberra | Perth | true: Canberra
    How many patients a day? | 0 to 400

What is true is the lecturer's word; where nothing is said, a class votes all the same.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

from rates.numbers import DomainError, Parameter, Words, number_text
from sims.lessons.records import CHOICE, NUMBER, Lesson, Question, Truth, chosen, exactly

KEY = "own"  # of an entry of a list
MOST_TEXT = 200  # characters of a question, and of an option
MOST_OPTIONS = 6
MOST_LINE = (MOST_TEXT + 3) * (MOST_OPTIONS + 2)
BIGGEST = 1e12  # of a number that is asked for
MINUTES = 3  # for a class
HOW = "`Which? | A | B | true: B` or `How many? | 0 to 100`; what is true may be left out"
_STOPS = 40  # of a slider
_NUMBER = r"-?[0-9]{1,12}(?:\.[0-9]{1,4})?"
_ENDS = re.compile(rf"({_NUMBER}) to ({_NUMBER})", re.IGNORECASE)
_TRUE = re.compile(r"true:\s*(.+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Plain:
    """A question of a lecturer's own.

    Attributes:
        text: What is asked.
        options: What it offers, and
        ends: where its number lies; one of the two is empty.
        true: What is true: the place of an option, from 0, or a number; None where that is open.

    Raises:
        DomainError: It is none.
    """

    text: str
    options: tuple[str, ...] = ()
    ends: tuple[float, ...] = ()
    true: float | None = None

    def __post_init__(self) -> None:
        if not all(1 <= len(one.strip()) <= MOST_TEXT for one in (self.text, *self.options)):
            rule = f"A question and its options have 1 to {MOST_TEXT} letters each."
            raise DomainError(rule)
        if self.options and self.ends:
            raise DomainError("A question has options or asks for a number, not both.")
        if self.ends:
            if not (len(self.ends) == 2 and -BIGGEST <= self.ends[0] < self.ends[1] <= BIGGEST):
                raise DomainError("A number lies between two others, the smaller one first.")
            known = self.true is None or self.ends[0] <= self.true <= self.ends[1]
        else:
            count = len(self.options)
            if not 2 <= count <= MOST_OPTIONS or len({*self.options}) < count:
                raise DomainError(f"A question has 2 to {MOST_OPTIONS} options, no two alike.")
            known = self.true is None or self.true in range(count)
        if not known:
            raise DomainError("What is true is one of the options, or a number between both ends.")

    @property
    def question(self) -> Question:
        """The question, with a key of its own."""
        parameter = None
        if self.ends:
            low, high = self.ends
            # Rounded, or 0.1 + 0.2 would be a stop of seventeen digits.
            step = (high - low) / _STOPS
            stops = tuple(round(low + k * step, 9) for k in range(_STOPS + 1))
            about = "Type another number where the slider does not stop."
            known = f"[{low!r}, {high!r}]"
            parameter = Parameter("answer", "", known, noun="The answer", help=about, stops=stops)
        return Question(
            key=f"{KEY}-{zlib.crc32(self.line.encode()):08x}",
            kind=NUMBER if self.ends else CHOICE,
            text=self.text,
            parts=("Your answer",) if self.ends else self.options,
            parameter=parameter,
        )

    @property
    def truth(self) -> Truth | None:
        """What is true of it; None where that is open."""
        if self.true is None:
            return None
        if self.ends:
            return exactly([self.true], "the lecturer")
        return chosen(self.question, int(self.true), "the lecturer")

    @property
    def line(self) -> str:
        """The line that says it.

        >>> read("Which?|A|B|True:B").line
        'Which? | A | B | true: B'
        """
        parts = [self.text, *self.options]
        if self.ends:
            parts.append(" to ".join(map(number_text, self.ends)))
        if self.true is not None:
            true = number_text(self.true) if self.ends else self.options[int(self.true)]
            parts.append(f"true: {true}")
        return " | ".join(parts)

    @property
    def lesson(self) -> Lesson:
        """The question as an entry of a list: nothing to read, and nothing to explain."""
        asked = self.question
        return Lesson(
            key=KEY,
            title=self.text,
            minutes=MINUTES,
            question=asked,
            transfer=asked,
            given=self.truth,
        )


def read(line: str) -> Plain:
    """Read a question from its line.

    Raises:
        DomainError: The line is none.

    >>> read("How many? | 0 to 400 | true: 120")
    Plain(text='How many?', options=(), ends=(0.0, 400.0), true=120.0)
    """
    if len(line) > MOST_LINE:
        raise DomainError(f"The line of a question has at most {MOST_LINE:,} characters.")
    if not line.isprintable():
        raise DomainError("A question stands on one line, in letters that can be printed.")
    text, *rest = (part.strip() for part in line.split("|"))
    true = _TRUE.fullmatch(rest[-1]) if rest else None
    if true:
        rest.pop()
    said = true[1] if true else None
    if len(rest) == 1 and (ends := _ENDS.fullmatch(rest[0])):
        value = None if said is None else _number(said)
        return Plain(text, ends=(float(ends[1]), float(ends[2])), true=value)
    if len(rest) < 2:
        rule = "After a question | says how it is answered: 0 to 100, or A | B."
        raise DomainError(rule, "question", Words(repr(line[:40])))
    if said is not None and said not in rest:
        raise DomainError("What is true must be one of the options.", "true", Words(repr(said)))
    return Plain(text, tuple(rest), true=None if said is None else rest.index(said))


def _number(text: str) -> float:
    if not re.fullmatch(_NUMBER, text):
        raise DomainError("What is true must be a number here.", "true", Words(repr(text)))
    return float(text)
