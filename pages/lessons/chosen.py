"""Which lesson of the list is open, in the address as ``?lesson=``; one's own study in it too."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from pages.charts import words
from pages.core import Packed, Single
from pages.current import state
from pages.lessons.progress import PROGRESS, mark
from pages.orders import asked
from rates.numbers import DomainError
from rates.orders import Inquiry
from rates.study import Study
from sims.lessons import LESSONS, LISTS, Lesson, Playlist, lesson

OWN = ".own"
_MOST = 80  # letters of a name in an address
AT_THE_END = ("carry", "free")  # with one's own study, for who is alone


def _read(text: str) -> str:
    if len(text) > _MOST:
        raise DomainError(f"A lesson's name has at most {_MOST} letters.", "lesson", text)
    return text


LESSON: Single[str] = Single(
    parameter="lesson",
    start="",
    settings=(Packed("lesson", write=str, read=_read),),
    noun="A lesson",
    refused="The lesson in the address could not be opened.",
)


@dataclass(frozen=True, slots=True)
class Place:
    """One lesson as it stands in the list.

    Attributes:
        name: In the address: the lesson's key, numbered where it stands there again, and with
            `OWN` where the current study or rate of the app is in it.
        key: The lesson's key.
        study: A study of one's own in it; None for the lesson's.
        rate: A rate of one's own in it; None for the lesson's.
    """

    name: str
    key: str
    study: Study | None = None
    rate: Inquiry | None = None

    @property
    def lesson(self) -> Lesson:
        """The lesson; raises `DomainError` where it does not cover what is one's own."""
        return lesson(self.key, self.study, self.rate)

    @property
    def title(self) -> str:
        """Its title, with what is one's own only if the lesson covers that."""
        try:
            return self.lesson.title
        except DomainError:
            return f"{LESSONS[self.key].title} (your own)"

    def done(self, *, brief: bool) -> bool:
        """Whether it is answered: both questions, or the first where it is brief."""
        try:
            questions = self.lesson.questions
        except DomainError:
            return False
        own_ = self.study or self.rate
        asked = questions[:1] if brief else questions
        return all(PROGRESS.get().answer(mark(q, own_)) is not None for q in asked)


def own(key: str) -> Place | None:
    """Return a lesson with the app's current study or rate in it; None where none fits."""
    if key == "rate":
        return Place(key + OWN, key, rate=asked.RATE.get())
    return Place(key + OWN, key, study=state.current()) if LESSONS[key].own else None


def places(playlist: Playlist) -> list[Place]:
    """Return the lessons of a list, each with a name of its own; pauses are left out.

    Who is alone ends with the app's current study.
    """
    out: list[Place] = []
    seen: dict[str, int] = {}
    for entry in playlist.entries:
        if entry.lesson is not None:
            seen[entry.key] = k = seen.get(entry.key, 0) + 1
            name = entry.key if k == 1 else f"{entry.key}.{k}"
            out.append(Place(name, entry.key, entry.study, entry.rate))
    if playlist == LISTS["alone"]:
        out += filter(None, map(own, AT_THE_END))
    return out


def now(all_places: list[Place]) -> Place:
    """Return the lesson that is open; one that the list lacks is shown all the same.

    Where there is no such lesson, the first is shown, and why.
    """
    name = LESSON.get()
    for place in all_places:
        if place.name == name:
            return place
    key = name.removesuffix(OWN)
    if name in LESSONS:
        return Place(name, name)
    mine = own(key) if key in LESSONS else None
    if mine is not None:
        return mine
    if name:
        st.error(
            f"There is no lesson {words.md(name)} here; the first of the list is shown. Known "
            f"are {', '.join(LESSONS)}."
        )
    return all_places[0]
