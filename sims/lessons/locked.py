"""Locked answers: whose they are, and as text for an address, which adds answers and takes none."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rates.numbers import DomainError, number_from_text, number_text, pack, unpack
from rates.study import Study, codec
from sims.lessons.catalogue import LESSONS
from sims.lessons.records import Question

if TYPE_CHECKING:
    from rates.orders import Inquiry

Report = tuple[float, ...]

_OURS = "ours"
_OWN = "_own_"
_OF_OWN = re.compile(rf"(\w+){_OWN}[0-9a-f]{{8}}")


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
    if isinstance(own, Study):
        # The text of the study, which two visitors with the same study share.
        plain = codec.to_json(own)
    else:
        from rates.orders import inquiry

        plain = inquiry.to_json(own)
    return f"{name}{_OWN}{zlib.crc32(plain.encode()):08x}"


def taken(now: Progress, given: str) -> tuple[Progress, list[str]]:
    """Return what is locked together with what a text adds, and what of the text is refused.

    >>> taken(Progress((("odds", (60.0,)),)), "")
    (Progress(locked=(('odds', (60.0,)),), ours=()), [])
    """
    problems: list[str] = []
    try:
        plain = unpack(given).decode("utf-8", "replace") if given else ""
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
        # A locked answer stays: an address adds answers and takes none.
        now = now.with_answer(name, report)
    seen = (name for name in (*now.ours, *ours) if now.answer(name) is not None)
    return replace(now, ours=tuple(dict.fromkeys(seen))), problems


def _checked(name: str, entry: str) -> Report:
    """Return an answer of a link as it is kept.

    Raises:
        DomainError: No lesson asks this, or the answer is none to it.
    """
    found = _OF_OWN.fullmatch(name)
    asked = {mark(q): q for lesson in LESSONS.values() for q in lesson.questions}
    bare = found[1] if found else name
    values = tuple(float(number_from_text(piece, "locked")) for piece in entry.split(","))
    if bare not in asked:
        raise DomainError("No lesson asks this question.", "locked", name)
    # What an own study asks for is known only where it is open; the page looks then.
    return values if found else asked[bare].check(values)


def _said(report: Report) -> str:
    return ",".join(map(number_text, report))


def packed(progress: Progress) -> str:
    """Return what is locked as text for an address, which `taken` reads; empty for nothing."""
    parts = [f"{name}:{_said(report)}" for name, report in progress.locked]
    parts += [f"{_OURS}:{','.join(progress.ours)}"] if progress.ours else []
    return pack(";".join(parts)) if parts else ""
