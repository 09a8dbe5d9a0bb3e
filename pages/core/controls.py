"""The one family of fields: each is made from a setting and a title, and drawn from a source.

A source holds values by name and takes new ones: a `UrlState`, or the open tab of a page. What a
field shows is always what the source holds; whatever a browser shows besides, the user did.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import streamlit as st

from pages.charts import number_text, words
from pages.core.asking import ask, number, offered
from rates.numbers import DomainError
from rates.rows import numbers_from_text
from sims.engine import Numbers


class Source(Protocol):
    """What fields read from and write to."""

    def key(self, name: str) -> str:
        """Widget name of a setting, unique on the page."""

    def setting(self, name: str) -> Any:
        """The setting of this name."""

    def value(self, name: str) -> Any:
        """What is asked for now."""

    def change(self, **values: Any) -> None:
        """Ask for something else."""

    def refuse(self, problem: str) -> None:
        """Remember why a change was not taken."""

    @property
    def refusal(self) -> str:
        """Why the last change was not taken; empty if it was."""


@dataclass(frozen=True, slots=True)
class Slider:
    """A slider with a box for one number, or for a list of one.

    Attributes:
        name: Name of the setting.
        title: Label.
        stops: Where the slider stops, where these are not the parameter's own.
    """

    name: str
    title: str
    stops: Sequence[float] = ()

    def draw(self, source: Source) -> None:
        """Draw it."""
        setting, now = source.setting(self.name), source.value(self.name)
        several = isinstance(setting, Numbers)
        number(
            source.key(self.name),
            self.title,
            setting.parameter,
            now[0] if several else now,
            lambda v: source.change(**{self.name: [v] if several else v}),
            self.stops,
        )


@dataclass(frozen=True, slots=True)
class Switch:
    """A switch for one word.

    Attributes:
        name: Name of the setting.
        title: Label.
        labels: By word, what it is called.
        then: What else changes with the word.
        hidden: Whether the label is for readers of the screen only.
    """

    name: str
    title: str
    labels: Mapping[str, str]
    then: Callable[[str], Mapping[str, Any]] | None = None
    hidden: bool = False

    def draw(self, source: Source) -> str:
        """Draw it; return the word."""
        now = str(source.value(self.name))
        shown = dict(self.labels) if now in self.labels else {now: now, **self.labels}
        also = self.then or (lambda word: {})
        return ask(
            f"{source.key(self.name)}_choice",
            now,
            lambda word: source.change(**{**also(word), self.name: word}),
            lambda **how: st.segmented_control(
                self.title,
                list(shown),
                format_func=shown.__getitem__,
                default=now,
                required=True,
                help=source.setting(self.name).help or None,
                label_visibility="collapsed" if self.hidden else "visible",
                wrap=True,
                **how,
            ),
        )


@dataclass(frozen=True, slots=True)
class Menu:
    """A list for one word, where a switch would be too wide.

    Attributes:
        name: Name of the setting.
        title: Label.
        labels: By word, what it is called.
        disabled: Whether it is shown only.
    """

    name: str
    title: str
    labels: Mapping[str, str]
    disabled: bool = False

    def draw(self, source: Source) -> str:
        """Draw it; return the word."""
        now = str(source.value(self.name))
        return ask(
            f"{source.key(self.name)}_select",
            now,
            lambda word: source.change(**{self.name: offered(word, self.labels)}),
            lambda **how: st.selectbox(
                self.title,
                list(self.labels),
                index=list(self.labels).index(now),
                format_func=self.labels.__getitem__,
                help=source.setting(self.name).help or None,
                disabled=self.disabled,
                **how,
            ),
        )


@dataclass(frozen=True, slots=True)
class Pills:
    """Pills for a list of numbers; at least one stays chosen.

    Attributes:
        name: Name of the setting.
        title: Label.
        options: Numbers on offer; those of the list are added.
    """

    name: str
    title: str
    options: Sequence[float]

    def draw(self, source: Source) -> None:
        """Draw it."""
        now = list(source.value(self.name))
        ask(
            f"{source.key(self.name)}_pills",
            now,
            lambda chosen: source.change(**{self.name: sorted(chosen, reverse=True)}),
            lambda **how: st.pills(
                self.title,
                sorted({*self.options, *now}, reverse=True),
                format_func=lambda x: "none" if x == float("inf") else words.number(x),
                selection_mode="multi",
                default=now,
                help=source.setting(self.name).help,
                wrap=True,
                **how,
            ),
        )


@dataclass(frozen=True, slots=True)
class Listing:
    """A box for an exact list of numbers.

    Attributes:
        name: Name of the setting.
        title: Label.
    """

    name: str
    title: str

    def draw(self, source: Source) -> None:
        """Draw it."""
        key = f"{source.key(self.name)}_list"
        now = ", ".join(map(number_text, source.value(self.name)))
        if source.refusal and key in st.session_state:
            now = st.session_state[key]  # what was refused stays to be mended
        ask(
            key,
            now,
            lambda given: self._take(source, given),
            lambda **how: st.text_input(
                self.title,
                now,
                help=f"{source.setting(self.name).help} Numbers with commas between; inf for no "
                "limit.",
                **how,
            ),
        )

    def _take(self, source: Source, given: str) -> None:
        try:
            source.change(**{self.name: numbers_from_text(given, self.name)})
        except DomainError as error:
            source.refuse(str(error))


@dataclass(frozen=True, slots=True)
class Between:
    """A slider with two ends for a list that runs along the axis.

    Attributes:
        name: Name of the setting.
        title: Label.
        stops: Numbers that the list takes between its ends.
    """

    name: str
    title: str
    stops: Sequence[float]

    def draw(self, source: Source) -> None:
        """Draw it."""
        now = source.value(self.name)
        ends = (min(now), max(now))
        # A new slider where the list came from elsewhere: a moved one is never written to.
        ask(
            f"{source.key(self.name)}_between_{number_text(ends[0])}_{number_text(ends[1])}",
            ends,
            lambda given: self._take(source, *given),
            lambda **how: st.select_slider(
                self.title,
                sorted({*self.stops, *ends}),
                value=ends,
                format_func=words.number,
                help=source.setting(self.name).help,
                **how,
            ),
        )

    def _take(self, source: Source, low: float, high: float) -> None:
        inside = {stop for stop in self.stops if low <= stop <= high}
        source.change(**{self.name: sorted({*inside, low, high})})


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of text, taken as it is; what cannot be used of it says whoever reads it.

    Attributes:
        name: Name of the setting.
        title: Label.
        most: Characters that it takes.
        live: Whether it is taken while one types, after a short pause.
        more: What else the widget is told, such as an icon or a placeholder.
    """

    name: str
    title: str
    most: int
    live: bool = False
    more: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def draw(self, source: Source) -> None:
        """Draw it."""
        now = str(source.value(self.name))
        ask(
            f"{source.key(self.name)}_text",
            now,
            lambda given: source.change(**{self.name: given}),
            lambda **how: st.text_input(
                self.title,
                now,
                max_chars=self.most,
                live="400ms" if self.live else False,
                **self.more,
                **how,
            ),
        )


Field = Slider | Switch | Menu | Pills | Listing | Between | Entry


def draw(source: Source, *fields: Field) -> None:
    """Draw fields, one below the other."""
    for field in fields:
        field.draw(source)


def refusal(source: Source, kept: str) -> None:
    """Say why the last change was not taken, if it was not, and what is shown instead."""
    if problem := source.refusal:
        st.warning(f"{words.plain(problem)} {kept}")
