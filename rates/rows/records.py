"""What a table was read as: columns, rows, what was done, what is open, what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rates.numbers import DomainError

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    Attributes:
        title: As it stands there; empty if there is none.
        field: What it was read as; empty if it was left out.
        said: What was done with it, in a sentence.
    """

    title: str
    field: str
    said: str


@dataclass(frozen=True, slots=True)
class Question:
    """Something that a table leaves open.

    Attributes:
        key: By which it is answered.
        text: The question.
        options: By answer, what it is called.
    """

    key: str
    text: str
    options: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Told:
    """What a table says of itself while it is read.

    Attributes:
        answers: By key of a question, what a visitor answered.
        notes: What was done without being told.
        questions: What is open.
        refusals: What is refused of the whole table.
    """

    answers: Mapping[str, str]
    notes: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    refusals: list[DomainError] = field(default_factory=list)

    def ask(self, key: str, text: str, options: Mapping[str, str]) -> str:
        """Return which of the options was answered; empty if none was, and then it is open."""
        answer = self.answers.get(key, "")
        if answer in options:
            return answer
        self.questions.append(Question(key, text, options))
        return ""


@dataclass(frozen=True, slots=True)
class Reading:
    """A table as it was read.

    Attributes:
        columns: Every column.
        rows: Plain data of each row, as a study takes them; complete if nothing is open or refused.
        given: The cells of each row as they stand there, by what their column was read as.
        notes: What was done, as sentences.
        questions: What is open.
        refusals: What is refused; each names row and field.
        curve: Whether these are the sites of a curve, which has no target.
    """

    columns: tuple[Column, ...] = ()
    rows: tuple[Row, ...] = ()
    given: tuple[Mapping[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()
    refusals: tuple[DomainError, ...] = field(default=(), compare=False)
    curve: bool = False

    @property
    def ready(self) -> bool:
        """Whether the rows can be used."""
        return not self.questions and not self.refusals
