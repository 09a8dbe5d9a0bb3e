"""The list of lessons: kept for the session, and shared by ``?list=``."""

from __future__ import annotations

from pages.parts.session import Bound, Texts
from rates.study import codec
from sims.lessons import LISTS, Playlist, read_list


class _List(Bound[Playlist]):
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
