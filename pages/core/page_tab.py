"""The tabs of a page: which one is open stands in the address; only that one is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pages.core.controls import Switch
from pages.core.text import choice
from pages.core.url_state import Single, Texts

TAB = "tab"


@dataclass(frozen=True, kw_only=True)
class PageTab(Single[str]):
    """The open tab of a page, in the address as ``?tab=``; each page keeps its own.

    Attributes:
        titles: By tab, what it is called; the first one is open at first.
    """

    titles: Mapping[str, str]

    @classmethod
    def of(cls, page: str, titles: Mapping[str, str]) -> PageTab:
        """Return the tabs of a page."""
        return cls(
            parameter=f"{page}_{TAB}",
            start=next(iter(titles)),
            settings=(choice(TAB, titles),),
            noun="A page",
            refused="The tab in the address could not be opened.",
            titles=titles,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters of the address."""
        return (TAB,)

    def read(self, texts: Texts) -> str:
        """Return the tab that an address opens."""
        return super().read({self.parameter: texts.get(TAB, "")})

    def write(self, value: str) -> Texts:
        """Return what an address says of the open tab."""
        return {TAB: "" if value == self.start else value}

    def draw(self) -> str:
        """Draw the tabs; return the open one."""
        return Switch(TAB, "Part of the page", self.titles, hidden=True).draw(self)
