"""What a reader has in session and address: the list, the lesson that is open, what is locked.

An address adds answers and takes none away. Where it says another answer than the session has
locked, the locked one stays and the page says so.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.charts import words
from pages.core import Packed, Single, Texts, UrlState, address
from rates.numbers import DomainError
from sims.lessons import LISTS, Playlist, Progress, Question, locked, read_list

Report = tuple[float, ...]

# What is locked ---------------------------------------------------------------------------------


class _Locked(UrlState[Progress]):
    """The locked answers, packed; the packing holds a check sum, so damage is noticed."""

    def open(self, texts: Texts) -> tuple[Progress, list[str]]:
        """Return what is locked together with what an address adds, and what of it is refused."""
        return locked.taken(self.get(), texts.get(self.parameter, ""))

    def write(self, value: Progress) -> Texts:
        """Return what an address says of it."""
        return {self.parameter: locked.packed(value)}

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

    def write(self, value: Playlist) -> Texts:
        """Return what an address says of a list."""
        return {self.parameter: "" if value == self.start else value.text()}


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
