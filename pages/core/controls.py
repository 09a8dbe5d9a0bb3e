"""The one family of fields: each is made from a setting and a title, and drawn from a source.

A source holds values by name and takes new ones: a `UrlState`, or the open tab of a page.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

import streamlit as st

from pages.charts import number_text, words
from pages.core.inputs import ask, number, offered
from rates.numbers import DomainError
from rates.rows import numbers_from_text
from sims.engine import Numbers

T = TypeVar("T")


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
class _Named:
    """A field by the name of its setting, with its label."""

    name: str
    title: str

    def _ask(
        self,
        source: Source,
        kind: str,
        now: T,
        widget: Callable[..., Any],
        *args: Any,
        take: Callable[[Any], object] | None = None,
        **how: Any,
    ) -> T:
        def change(given: object) -> None:
            source.change(**{self.name: given})

        draw = partial(widget, self.title, *args, **how)
        return ask(f"{source.key(self.name)}_{kind}", now, take or change, draw)

    def _ask_word(
        self,
        source: Source,
        kind: str,
        labels: Mapping[str, str],
        widget: Callable[..., Any],
        then: Callable[[str], Mapping[str, Any]] = lambda word: {},
        **how: Any,
    ) -> str:
        def take(word: str) -> None:
            source.change(**{**then(offered(word, labels)), self.name: word})

        now, help = str(source.value(self.name)), source.setting(self.name).help or None
        how |= {"format_func": labels.__getitem__, "help": help, "take": take}
        return self._ask(source, kind, now, widget, list(labels), **how)


@dataclass(frozen=True, slots=True)
class Slider(_Named):
    """A slider with a box for one number, or for a list of one.

    Attributes:
        name: Name of the setting.
        title: Label.
        stops: Where the slider stops, where these are not the parameter's own.
    """

    stops: Sequence[float] = ()

    def draw(self, source: Source) -> None:
        """Draw it."""
        setting, now = source.setting(self.name), source.value(self.name)
        several = isinstance(setting, Numbers)

        def take(value: float) -> None:
            source.change(**{self.name: [value] if several else value})

        key, value = source.key(self.name), now[0] if several else now
        number(key, self.title, setting.parameter, value, take, self.stops)


@dataclass(frozen=True, slots=True)
class Switch(_Named):
    """A switch for one word.

    Attributes:
        name: Name of the setting.
        title: Label.
        labels: By word, what it is called.
        then: What else changes with the word.
        hidden: Whether the label is for readers of the screen only.
    """

    labels: Mapping[str, str]
    then: Callable[[str], Mapping[str, Any]] = lambda word: {}
    hidden: bool = False

    def draw(self, source: Source) -> str:
        """Draw it; return the word."""
        now = str(source.value(self.name))
        labels = self.labels if now in self.labels else {now: now, **self.labels}
        look = {"label_visibility": "collapsed" if self.hidden else "visible", "wrap": True}
        widget = partial(st.segmented_control, default=now, required=True, **look)
        return self._ask_word(source, "choice", labels, widget, self.then)


@dataclass(frozen=True, slots=True)
class Menu(_Named):
    """A list for one word, where a switch would be too wide.

    Attributes:
        name: Name of the setting.
        title: Label.
        labels: By word, what it is called.
        disabled: Whether it is shown only.
    """

    labels: Mapping[str, str]
    disabled: bool = False

    def draw(self, source: Source) -> str:
        """Draw it; return the word."""
        place = list(self.labels).index(str(source.value(self.name)))
        widget = partial(st.selectbox, index=place, disabled=self.disabled)
        return self._ask_word(source, "select", self.labels, widget)


@dataclass(frozen=True, slots=True)
class Pills(_Named):
    """Pills for a list of numbers; at least one stays chosen.

    Attributes:
        name: Name of the setting.
        title: Label.
        options: Numbers on offer; those of the list are added.
    """

    options: Sequence[float]

    def draw(self, source: Source) -> None:
        """Draw it."""
        now = sorted(source.value(self.name), reverse=True)

        def widget(*args: Any, **how: Any) -> list[float]:
            return sorted(st.pills(*args, selection_mode="multi", **how), reverse=True)

        self._ask(
            source,
            "pills",
            now,
            widget,
            sorted({*self.options, *now}, reverse=True),
            take=lambda chosen: source.change(**{self.name: sorted(chosen, reverse=True)}),
            format_func=lambda x: "none" if x == float("inf") else words.number(x),
            default=now,
            help=source.setting(self.name).help,
            wrap=True,
        )


@dataclass(frozen=True, slots=True)
class Listing(_Named):
    """A box for an exact list of numbers.

    Attributes:
        name: Name of the setting.
        title: Label.
    """

    def draw(self, source: Source) -> None:
        """Draw it."""

        def take(given: str) -> None:
            try:
                source.change(**{self.name: numbers_from_text(given, self.name)})
            except DomainError as error:
                source.refuse(str(error))

        now = ", ".join(map(number_text, source.value(self.name)))
        if source.refusal:  # what was refused stays to be mended
            now = st.session_state.get(f"{source.key(self.name)}_list", now)
        help = source.setting(self.name).help
        help = f"{help} Numbers with commas between; inf for no limit."
        self._ask(source, "list", now, st.text_input, now, take=take, help=help)


@dataclass(frozen=True, slots=True)
class Between(_Named):
    """A slider with two ends for a list that runs along the axis.

    Attributes:
        name: Name of the setting.
        title: Label.
        stops: Numbers that the list takes between its ends.
    """

    stops: Sequence[float]

    def draw(self, source: Source) -> None:
        """Draw it."""
        now = source.value(self.name)
        ends = (min(now), max(now))

        def take(given: tuple[float, float]) -> None:
            inside = {stop for stop in self.stops if given[0] <= stop <= given[1]}
            source.change(**{self.name: sorted({*inside, *given})})

        # A new slider where the list came from elsewhere: a moved one is never written to.
        kind = f"between_{number_text(ends[0])}_{number_text(ends[1])}"
        stops, help = sorted({*self.stops, *ends}), source.setting(self.name).help
        how = {"format_func": words.number, "help": help, "take": take}
        self._ask(source, kind, ends, st.select_slider, stops, value=ends, **how)


@dataclass(frozen=True, slots=True)
class Entry(_Named):
    """A line of text, taken as it is; what cannot be used of it says whoever reads it.

    Attributes:
        name: Name of the setting.
        title: Label.
        most: Characters that it takes.
        live: Whether it is taken while one types, after a short pause.
        more: What else the widget is told, such as an icon or a placeholder.
    """

    most: int
    live: bool = False
    more: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def draw(self, source: Source) -> None:
        """Draw it."""
        now, live = str(source.value(self.name)), "400ms" if self.live else False
        how = {"max_chars": self.most, "live": live, **self.more}
        self._ask(source, "text", now, st.text_input, now, **how)


Field = Slider | Switch | Menu | Pills | Listing | Between | Entry


def draw(source: Source, *fields: Field) -> None:
    """Draw fields, one below the other."""
    for field in fields:
        field.draw(source)


def refusal(source: Source, kept: str) -> None:
    """Say why the last change was not taken, if it was not, and what is shown instead."""
    if problem := source.refusal:
        st.warning(f"{words.plain(problem)} {kept}")
