"""What a reader has in session and address: the list, the lesson that is open, what is locked.

An address adds answers and takes none away. Where it says another answer than the session has
locked, the locked one stays and the page says so.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, replace

import streamlit as st

from pages.charts import number_text, words
from pages.core import Packed, Single, Texts, UrlState, address, text
from rates.numbers import DomainError
from rates.orders import Inquiry, inquiry
from rates.study import Study, codec
from sims.lessons import LESSONS, LISTS, Playlist, Question, read_list

Report = tuple[float, ...]

_OURS = "ours"
_OWN = "_own_"
_OF_OWN = re.compile(rf"(\w+){_OWN}[0-9a-f]{{8}}")

# What is locked ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Progress:
    """What was locked, and whose explanation was asked for.

    Attributes:
        locked: By question, as `mark` names it, the answer; in the order of locking.
        ours: Questions whose explanation was asked for.
    """

    locked: tuple[tuple[str, Report], ...] = ()
    ours: tuple[str, ...] = ()

    def answer(self, name: str) -> Report | None:
        """Return the answer that is locked for a question; None if there is none."""
        return dict(self.locked).get(name)

    def with_answer(self, name: str, report: Report) -> Progress:
        """Return the progress with one more answer; one that is locked stays as it is."""
        if self.answer(name) is not None:
            return self
        return replace(self, locked=(*self.locked, (name, report)))


def mark(question: Question, own: Study | Inquiry | None = None) -> str:
    """Return the name of a question in the address.

    Of a question about a study or a rate of one's own it says about which, by a check sum.
    """
    name = question.key.replace("-", "_")
    if own is None:
        return name
    plain = inquiry.to_json(own) if isinstance(own, Inquiry) else codec.to_json(own)
    return f"{name}{_OWN}{zlib.crc32(plain.encode()):08x}"


def taken(now: Progress, given: str) -> tuple[Progress, list[str]]:
    """Return what is locked together with what a text adds, and what of the text is refused.

    >>> taken(Progress((("odds", (60.0,)),)), "")
    (Progress(locked=(('odds', (60.0,)),), ours=()), [])
    """
    problems: list[str] = []
    try:
        plain = codec.unpack(given).decode("utf-8", "replace") if given else ""
    except DomainError as error:
        return now, [str(error)]
    parts = {name: entry for name, _, entry in (p.partition(":") for p in plain.split(";") if p)}
    ours = parts.pop(_OURS, "").split(",")
    for name, entry in parts.items():
        try:
            report = _checked(name, entry)
        except DomainError as error:
            problems.append(str(error))
            continue
        held = now.answer(name)
        if held is not None and held != report:
            problems.append(
                f"It says {_said(report)} where {_said(held)} is locked (question {name}). The "
                "locked answer is kept."
            )
        now = now.with_answer(name, report)
    seen = (name for name in (*now.ours, *ours) if now.answer(name) is not None)
    return replace(now, ours=tuple(dict.fromkeys(seen))), problems


class _Locked(UrlState[Progress]):
    """The locked answers, packed; the packing holds a check sum, so damage is noticed."""

    def open(self, texts: Texts) -> tuple[Progress, list[str]]:
        """Return what is locked together with what an address adds, and what of it is refused."""
        return taken(self.get(), texts.get(self.parameter, ""))

    def write(self, value: Progress) -> Texts | None:
        """Return what an address says of it; None where it is too long for one."""
        parts = [f"{name}:{_said(report)}" for name, report in value.locked]
        parts += [f"{_OURS}:{','.join(value.ours)}"] if value.ours else []
        written = codec.pack(";".join(parts)) if parts else ""
        return {self.parameter: written} if len(written) <= codec.MAX_LINK else None

    def lock(self, name: str, report: Report) -> None:
        """Lock an answer."""
        address.touch()
        self.keep(self.get().with_answer(name, report))
        self.refuse("")

    def settle(self, question: Question, name: str) -> None:
        """Drop an answer of a link that is none to its question, and say so.

        What is asked about a study of one's own is known only where that study is open.
        """
        held = self.get().answer(name)
        try:
            if held is not None:
                question.check(held)
        except DomainError as problem:
            rest = tuple(pair for pair in self.get().locked if pair[0] != name)
            self.keep(replace(self.get(), locked=rest))
            st.error(f"{self.refused} {words.plain(problem)}")

    def explain(self, name: str) -> None:
        """Note that our explanation was asked for, of a question that is locked; for a button."""
        now = self.get()
        self.keep(replace(now, ours=tuple(dict.fromkeys((*now.ours, name)))))


def _checked(name: str, entry: str) -> Report:
    """Return an answer of a link as it is kept.

    Raises:
        DomainError: No lesson asks this, or the answer is none to it.
    """
    found = _OF_OWN.fullmatch(name)
    asked = {mark(q): q for lesson in LESSONS.values() for q in lesson.questions}
    bare = found[1] if found else name
    values = tuple(float(text.number(piece, "locked")) for piece in entry.split(","))
    if bare not in asked:
        raise DomainError("No lesson asks this question.", "locked", name)
    # What an own study asks for is known only where it is open; the page looks then.
    return values if found else asked[bare].check(values)


def _said(report: Report) -> str:
    return ",".join(map(number_text, report))


PROGRESS = _Locked(
    parameter="locked",
    start=Progress(),
    noun="An answer",
    refused="Of the answers in the address not all could be taken over.",
)


# The list ---------------------------------------------------------------------------------------


class _List(UrlState[Playlist]):
    """The list in its short form; of one that holds unknown lessons the rest is kept."""

    def open(self, texts: Texts) -> tuple[Playlist, list[str]]:
        """Return the list that an address asks for, and what of it was refused."""
        if not (given := texts.get(self.parameter, "")):
            return self.start, []
        found, problems = read_list(given)
        return (found, list(problems)) if found.entries else (self.get(), list(problems))

    def write(self, value: Playlist) -> Texts | None:
        """Return what an address says of a list; None where it is too long for one."""
        written = "" if value == self.start else value.text()
        return {self.parameter: written} if len(written) <= codec.MAX_LINK else None


LIST = _List(
    parameter="list",
    start=LISTS["tour"],
    noun="A list",
    refused="Of the list in the address not all could be taken over.",
)


# The lesson that is open -------------------------------------------------------------------------


LESSON: Single[str] = Single(
    parameter="lesson",
    start="",
    settings=(Packed("lesson", write=str, read=str),),
    noun="A lesson",
    refused="The lesson in the address could not be opened.",
)
