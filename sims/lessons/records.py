"""What a lesson is made of: questions, reports, truths and scores; no truth is stored in them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from rates.numbers import DomainError, Parameter, Words
from sims.engine import Value, Values

NUMBER, CHOICE, SHARES, TYPED = "number", "choice", "shares", "typed"
POINTS = 100  # what shares sum to
SLACK = 1e-6  # of a sum that was written with rounded shares


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate in the language of rates, and what is asked about it.

    Attributes:
        text: The rate, or an equation in `unknown`.
        usual: Answers that are often given, the true one among them, in no order.
        along: The size at which its two terms cross; empty where that is not asked.
        unknown: The letter that is solved for; empty for none.
        where: Conditions under which a sum is like one of its terms.
    """

    text: str
    usual: tuple[str, ...]
    along: str = ""
    unknown: str = ""
    where: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One thing to predict, in one or several parts.

    Attributes:
        key: Its name in an address, unique among all questions.
        kind: `NUMBER` (one slider a part), `CHOICE` (a probability for each part), `SHARES`
            (100 points over the parts) or `TYPED` (a rate, kept as the power of each part).
        text: What is asked, Markdown.
        parts: What is asked for, in words: labels of sliders, the options, the sites,
            or the letters of a rate.
        parameter: Domain, unit and slider stops of each part; None for choices and shares.
        log: Whether differences count on the log scale.
        at: Where numbers lie that a line joins, with the axis's title under `axis`.
        axis: Title of that axis.
        unit: What a number counts, such as "of 100" or "times".
        details: What is known of each part, in words; empty where the labels say all.
        rate: What a typed answer is about.
    """

    key: str
    kind: str
    text: str
    parts: tuple[str, ...]
    parameter: Parameter | None = None
    log: bool = False
    at: tuple[float, ...] = ()
    axis: str = ""
    unit: str = ""
    details: tuple[str, ...] = ()
    rate: Rate | None = None

    @property
    def options(self) -> tuple[str, ...]:
        """Its parts, each with what is known of it, in one line."""
        more = self.details or self.parts
        return tuple(", ".join(dict.fromkeys(pair)) for pair in zip(self.parts, more, strict=True))

    @property
    def constant(self) -> float:
        r"""The loss at which the skill is zero; the question's own, whatever is true.

        It is what the best report of somebody loses on average who knows no more than what is
        possible, and holds all of it for equally likely:

        * a choice of k: every option has 1/k, and whatever is true costs :math:`1 - 1/k`;
        * points over k parts: the even split, :math:`(k - 1) / (k (k + 1))` over all splits;
        * a number: the middle of its slider, a quarter of its length;
        * a typed rate is right or not: 1, which every wrong one loses.

        >>> Question(key="a", kind=CHOICE, text="?", parts=("yes", "no")).constant
        0.5
        """
        k = len(self.parts)
        if self.kind == TYPED:
            return 1.0
        if self.kind == CHOICE:
            return 1.0 - 1.0 / k
        if self.parameter is None:
            return (k - 1.0) / (k * (k + 1.0))
        low, high = self.parameter.low, self.parameter.high
        return (math.log10(high / low) if self.log else high - low) / 4.0

    def check(self, values: object) -> tuple[float, ...]:
        """Return a report as it is kept: one number for each part.

        Numbers lie in the question's domain; probabilities sum to 1 and points to 100.

        Raises:
            DomainError: There are too many or too few, or one is outside its set.
        """
        given = tuple(values) if isinstance(values, tuple | list) else (values,)
        if len(given) != len(self.parts):
            rule = f"An answer to this question has {len(self.parts)} numbers."
            raise DomainError(rule, self.key, Words(f"{len(given)}"))
        if self.parameter is not None:
            return tuple(self.parameter.check(v, self.key) for v in given)
        total = 1.0 if self.kind == CHOICE else float(POINTS)
        share = _SHARE.within(f"[0, {total:g}]")
        checked = tuple(float(share.check(v, self.key)) for v in given)
        if abs(math.fsum(checked) - total) > SLACK * total:
            rule = f"What is given to the parts must sum to {total:g}."
            raise DomainError(rule, self.key, math.fsum(checked))
        return checked


_SHARE = Parameter("share", "s", "[0, 1]", help="Part of the whole given to one option.")


@dataclass(frozen=True, slots=True)
class Truth:
    """What is true, computed when it was asked for.

    Attributes:
        low: Lower end of what is true for each part; for choices 1 for the right one, else 0.
        high: Upper end; the same as `low` where the truth is one number.
        source: What computed it, in words: the equation, or a mechanism with its constants; the
            seed of what was simulated.
        said: Further numbers that the explanation names, by name.
    """

    low: tuple[float, ...]
    high: tuple[float, ...]
    source: str
    said: Values = field(default_factory=Values)


def band(low: Sequence[float], high: Sequence[float], source: str, /, **said: Value) -> Truth:
    """Return a truth that is a band for each part."""
    return Truth(tuple(low), tuple(high), source, Values(said))


def exactly(values: Sequence[float], source: str, /, **said: Value) -> Truth:
    """Return a truth that is one number for each part."""
    return band(values, values, source, **said)


def chosen(question: Question, place: int, source: str, **said: Value) -> Truth:
    """Return that the option at this place is the right one."""
    return exactly([float(k == place) for k in range(len(question.parts))], source, **said)


@dataclass(frozen=True, slots=True)
class Facts:
    """The sites that a question is about, in plain text.

    Attributes:
        sites: By site its name, and what it holds in words.
        said: What holds of all of them.
    """

    sites: tuple[tuple[str, str], ...]
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A lesson: read, predict, reveal, explain, transfer.

    Attributes:
        key: Its name in an address.
        title: Its title, a question or a statement to wonder at.
        minutes: What it takes in a class.
        misconception: What many believe, one sentence; shown after the reveal.
        read: What is read first, Markdown, one minute.
        facts: The sites of it, where there are some.
        question: What is predicted.
        explain: Our explanation, Markdown with ``{name}`` for what `Truth.said` holds.
        transfer: The question after it.
        explain_transfer: Our explanation of that.
        page: The page that goes further, and
        link: the parameters of its address.
        given: What is true by the lecturer's word, of a question of their own; None where it is
            computed, or open.
    """

    key: str
    title: str
    minutes: int
    misconception: str = ""
    read: str = ""
    question: Question
    explain: str = ""
    transfer: Question
    explain_transfer: str = ""
    page: str = ""
    link: Values = field(default_factory=Values)
    facts: Facts | None = None
    given: Truth | None = None

    @property
    def open(self) -> bool:
        """Whether nobody knows what is true: neither the app nor, by their word, the lecturer."""
        return not self.explain and self.given is None

    @property
    def questions(self) -> tuple[Question, ...]:
        """Its two questions in order; one of a lecturer's own is alone."""
        return tuple(dict.fromkeys((self.question, self.transfer)))

    def explanation(self, asked: Question) -> str:
        """Return our explanation of one of its two questions."""
        return self.explain_transfer if asked.key == self.transfer.key else self.explain
