"""Locked answers: whose they are, and as text for an address, which adds answers and takes none."""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from rates.numbers import DomainError, number_from_text, number_text, pack, unpack
from sims.lessons.catalogue import LESSONS
from sims.lessons.records import Question

Report = tuple[float, ...]
Locked = Mapping[str, Report]  # by question, as `mark` names it, in the order of locking

_OWN = "_own_"


def mark(question: Question, own: str = "") -> str:
    """Return the name of a question among what is locked.

    Of a question about a study or a rate of one's own it says about which, by a check sum of the
    entry that has it.
    """
    name = question.key.replace("-", "_")
    return f"{name}{_OWN}{zlib.crc32(own.encode()):08x}" if own else name


def taken(now: Locked, given: str) -> tuple[Locked, list[str]]:
    """Return what is locked together with what a text adds, and what of the text is refused.

    A locked answer stays: where a text says another one, that is refused.

    >>> taken({"odds": (60.0,)}, "")
    ({'odds': (60.0,)}, [])
    """
    problems: list[str] = []
    try:
        plain = unpack(given).decode("utf-8", "replace") if given else ""
    except DomainError as error:
        return now, [str(error)]
    parts = {name: entry for name, _, entry in (p.partition(":") for p in plain.split(";") if p)}
    parts.pop("ours", None)  # links of before say whose explanation was asked for
    for name, entry in parts.items():
        try:
            report = _checked(name, entry)
        except DomainError as error:
            problems.append(str(error))
            continue
        held = now.get(name, report)
        if held != report:
            problems.append(
                f"It says {_said(report)} where {_said(held)} is locked (question {name}). The "
                "locked answer is kept."
            )
        now = {**now, name: held}
    return now, problems


def _checked(name: str, entry: str) -> Report:
    """Return an answer of a link as it is kept.

    Raises:
        DomainError: No lesson asks this, or the answer is none to it.
    """
    asked = {mark(q): q for lesson in LESSONS.values() for q in lesson.questions}
    values = tuple(float(number_from_text(piece, "locked")) for piece in entry.split(","))
    if name not in asked:
        raise DomainError("No lesson asks this question.", "locked", name)
    return asked[name].check(values)


def _said(report: Report) -> str:
    return ",".join(map(number_text, report))


def packed(locked: Locked) -> str:
    """Return what is locked as text for an address, which `taken` reads; empty for nothing.

    What is locked about a study or a rate of one's own stays in the session.
    """
    parts = [f"{name}:{_said(report)}" for name, report in locked.items() if _OWN not in name]
    return pack(";".join(parts)) if parts else ""
