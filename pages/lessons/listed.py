"""The list of lessons: kept for the session, and shared by ``?list=``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pages.core import Texts, UrlState
from rates.study import codec
from sims.lessons import LISTS, Entry, Playlist, read_list


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

    def moved(self, place: int, by: int) -> int:
        """Swap an entry with a neighbour; return where it is then."""
        entries = list(self.get().entries)
        to = min(max(place + by, 0), len(entries) - 1)
        entries.insert(to, entries.pop(place))
        self._take(entries)
        return to

    def without(self, place: int) -> None:
        """Take an entry out; the last lesson stays."""
        entries = list(self.get().entries)
        left = [*entries[:place], *entries[place + 1 :]]
        if any(entry.lesson for entry in left):
            self._take(left)

    def added(self, entry: Entry, after: int) -> bool:
        """Put an entry behind a place; return whether it could be: what is refused is said."""
        entries = list(self.get().entries)
        if entry.lesson and entry in entries:
            self.refuse(f"“{entry.lesson.title}” is there already.")
            return False
        self._take([*entries[: after + 1], entry, *entries[after + 1 :]])
        return not self.refusal

    def paused(self, place: int, minutes: int) -> None:
        """Give a pause other minutes."""
        entries = list(self.get().entries)
        entries[place] = replace(entries[place], minutes=minutes)
        self._take(entries)

    def _take(self, entries: Sequence[Entry]) -> None:
        """Make the entries a list of one's own, which has no name and all of every lesson."""
        self.change(entries=tuple(entries), title="", brief=False)


LIST = _List(
    parameter="list",
    start=LISTS["tour"],
    noun="A list",
    refused="Of the list in the address not all could be taken over.",
)
