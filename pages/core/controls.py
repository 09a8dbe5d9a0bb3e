"""Every widget of a page: fields of a source, views, boxes, folds and buttons.

A source, which is a `UrlState`, holds values by name and takes new ones. What a field shows is
always what the source holds; whatever a browser shows besides, the user did.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import streamlit as st

from pages.charts import number_text, words
from pages.core import address
from pages.core.inputs import number
from pages.core.url_state import Single, UrlState, choice
from rates.numbers import DomainError, numbers_from_text
from sims.engine import Numbers

T = TypeVar("T")
Take = Callable[[Any], object]
Labels = Mapping[Any, str]  # by what may be chosen, what it is called
KEPT: dict[str, Any] = {"persist_state": "session"}
_PRESSED = "pressed"


def ask(key: str, now: T, take: Take, draw: Callable[..., Any]) -> T:
    """Draw a widget that shows ``now``, and take over what the user chooses.

    A widget that answers at once with something else was drawn for the first time in a session,
    and the browser brought what the user chose in the one before, which is lost.

    Args:
        key: Widget name, unique on the page.
        now: What is kept. A widget that shows another is written to. That alone can be lost on
            its way to the browser, so the widget must have it as its default too.
        take: Called with what was chosen; what it refuses, as it was sent by hand, is left out.
        draw: Draws the widget, with the arguments that it is called with besides its own.
    """
    memory = st.session_state
    if key in memory and memory[key] != now:
        memory[key] = now
    given = draw(key=key, on_change=_changed, args=(key, take))
    if given != now and _taken(take, given):
        st.rerun()
    return now


def _changed(key: str, take: Take) -> None:
    address.touch()
    _taken(take, st.session_state.get(key))


def _taken(take: Take, value: Any) -> bool:
    """Take a value over; whether it was one to take."""
    if value is None or value == []:
        return False
    address.touch()
    try:
        take(value)
    except (LookupError, TypeError, ValueError):  # no option of this list, sent by hand
        return False
    return True


def offered(word: T, options: Collection[T]) -> T:
    """Return a word of a list; any other, which Streamlit hands on, is none to take."""
    if word not in options:
        raise ValueError(word)
    return word


def choose(key: str, title: str, labels: Labels, now: T, take: Take, **how: Any) -> T:
    """Draw a list that shows ``now``, and take over what is chosen of it."""
    # The widget has the value as its default too: see `ask`.
    options = list(labels)
    draw = partial(st.selectbox, title, options, options.index(now), **how)
    draw = partial(draw, format_func=labels.__getitem__)
    return ask(key, now, lambda word: take(offered(word, labels)), draw)


# Fields of a source


Source = UrlState[Any]
Read = Callable[[Any], Mapping[str, Any]]  # from what was chosen to what changes


@dataclass(frozen=True, slots=True)
class _Named:
    """A field by the name of its setting, with its label."""

    name: str
    title: str

    def _ask(self, source: Source, kind: str, now: T, draw: Callable[..., Any], read: Read) -> T:
        """Draw a widget that shows ``now``; what is read of what was chosen, the source takes."""

        def take(given: Any) -> None:
            try:
                source.change(**read(given))
            except DomainError as error:
                source.refuse(str(error))

        return ask(f"{source.key(self.name)}_{kind}", now, take, partial(draw, self.title))


@dataclass(frozen=True, slots=True)
class Slider(_Named):
    """A slider with a box for one number, or for a list of one.

    Attributes:
        name: Name of the setting.
        title: Label.
        stops: Where the slider stops, where these are not the parameter's own.
        now: What it shows, where that is not what the source holds.
    """

    stops: Sequence[float] = ()
    now: float | None = None

    def draw(self, source: Source) -> None:
        """Draw it."""
        setting = source.setting(self.name)
        now: Any = source.value(self.name) if self.now is None else self.now
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

    labels: Labels
    then: Callable[[str], Mapping[str, Any]] = lambda word: {}
    hidden: bool = False

    def draw(self, source: Source) -> str:
        """Draw it; return the word."""
        now, about = str(source.value(self.name)), source.setting(self.name).help or None
        labels = self.labels if now in self.labels else {now: now, **self.labels}
        look: dict[str, Any] = {"options": list(labels), "format_func": labels.__getitem__}
        look |= {"label_visibility": "collapsed" if self.hidden else "visible", "wrap": True}

        def read(word: str) -> Mapping[str, Any]:
            return {**self.then(offered(word, labels)), self.name: word}

        draw = partial(st.segmented_control, default=now, required=True, help=about, **look)
        return self._ask(source, "choice", now, draw, read)


@dataclass(frozen=True, slots=True)
class Menu(_Named):
    """A list for one word, where a switch would be too wide.

    Attributes:
        name: Name of the setting.
        title: Label.
        labels: By word, what it is called.
        disabled: Whether it is shown only.
    """

    labels: Labels
    disabled: bool = False

    def draw(self, source: Source) -> str:
        """Draw it; return the word."""

        def take(word: str) -> None:
            source.change(**{self.name: word})

        key, now = f"{source.key(self.name)}_select", str(source.value(self.name))
        how = {"help": source.setting(self.name).help or None, "disabled": self.disabled}
        return choose(key, self.title, self.labels, now, take, **how)


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
        now, help = list(source.value(self.name)), source.setting(self.name).help
        options = sorted({*self.options, *now}, reverse=True)
        look = {"selection_mode": "multi", "format_func": _pill, "wrap": True, "help": help}

        def draw(title: str, **how: Any) -> list[float]:
            chosen = st.pills(title, options, default=now, **look, **how)
            return now if sorted(chosen) == sorted(now) else chosen

        self._ask(
            source, "pills", now, draw, lambda chosen: {self.name: sorted(chosen, reverse=True)}
        )


def _pill(value: float) -> str:
    return "none" if value == float("inf") else words.number(value)


@dataclass(frozen=True, slots=True)
class Listing(_Named):
    """A box for an exact list of numbers.

    Attributes:
        name: Name of the setting.
        title: Label.
    """

    def draw(self, source: Source) -> None:
        """Draw it."""
        now = ", ".join(map(number_text, source.value(self.name)))
        if source.refusal:  # what was refused stays to be mended
            now = st.session_state.get(f"{source.key(self.name)}_list", now)
        help = source.setting(self.name).help
        help = f"{help} Numbers with commas between; inf for no limit."
        draw = partial(st.text_input, value=now, help=help)

        def read(given: str) -> Mapping[str, Any]:
            if not given.strip():  # from a box that a browser has not drawn yet: nothing was said
                raise ValueError(given)
            return {self.name: numbers_from_text(given, self.name)}

        self._ask(source, "list", now, draw, read)


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
        now, help = source.value(self.name), source.setting(self.name).help
        ends = (min(now), max(now))
        how = {"options": sorted({*self.stops, *ends}), "format_func": words.number, "help": help}
        # A new slider where the list came from elsewhere: a moved one is never written to.
        kind = f"between_{number_text(ends[0])}_{number_text(ends[1])}"
        self._ask(source, kind, ends, partial(st.select_slider, value=ends, **how), self._inside)

    def _inside(self, ends: tuple[float, float]) -> Mapping[str, Any]:
        low, high = ends
        return {self.name: sorted({low, high, *(x for x in self.stops if low <= x <= high)})}


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
        draw = partial(st.text_input, value=now, **how)
        self._ask(source, "text", now, draw, lambda given: {self.name: given})


Field = Slider | Switch | Menu | Pills | Listing | Between | Entry


def draw(source: Source, *fields: Field) -> None:
    """Draw fields, one below the other."""
    for field in fields:
        field.draw(source)


def once(draw: Callable[[], object]) -> Callable[[], None]:
    """Return what draws where it is called first, and nothing after that."""
    waiting = [draw]

    def first() -> None:
        while waiting:
            waiting.pop()()

    return first


def refusal(source: Source, kept: str) -> None:
    """Say why the last change was not taken, if it was not, and what is shown instead."""
    if problem := source.refusal:
        st.warning(f"{words.plain(problem)} {kept}")


# The tabs of a page

TAB, RUN = "tab", "run"


@dataclass(frozen=True, kw_only=True)
class PageTab(Single[str]):
    """The open tab of a page, in the address as ``?tab=``; each page keeps its own.

    Only the open one is computed.

    Attributes:
        titles: By tab, what it is called; the first one is open at first.
    """

    titles: Labels

    @classmethod
    def of(cls, page: str, titles: Labels, gone: tuple[str, ...] = ()) -> PageTab:
        """Return the tabs of a page; links may name those that are ``gone``."""
        return cls(
            parameter=f"{page}_{TAB}",
            name=TAB,
            start=next(iter(titles)),
            settings=(choice(TAB, titles),),
            noun="A page",
            refused="The tab in the address could not be opened.",
            titles=titles,
            gone=gone,
        )

    def draw(self) -> str:
        """Draw the tabs, if there are several; return the open one."""
        if len(self.titles) == 1:
            return str(*self.titles)
        return Switch(TAB, "Part of the page", self.titles, hidden=True).draw(self)


# What stands in no address


def pick(
    key: str,
    title: str,
    labels: Labels,
    *,
    start: Any = None,
    hidden: bool = False,
    kept: bool = True,
    **how: Any,
) -> Any:
    """Draw a switch for how something is shown: kept for the session, in no address."""
    first = next(iter(labels)) if start is None else start
    look = {"label_visibility": "collapsed" if hidden else "visible", **_of(labels, key, kept=kept)}
    given = st.segmented_control(title, default=first, required=True, **look, **how)
    return first if given is None else given  # a browser may bring a choice that is not offered


def menu(key: str, title: str, labels: Labels, *, start: Any) -> Any:
    """Draw a list for what is looked at, kept while it is drawn."""
    place = list(labels).index(start)
    return st.selectbox(title, index=place, **_of(labels, key, kept=False))


def _of(labels: Labels, key: str, *, kept: bool) -> dict[str, Any]:
    """What a widget is told that offers these labels."""
    how = {"options": list(labels), "format_func": labels.__getitem__, "key": key}
    return {**how, "on_change": address.touch, **(KEPT if kept else {})}


def toggle(key: str, title: str) -> bool:
    """Draw a tick for what is shown only when it is wanted."""
    return st.toggle(title, key=key, on_change=address.touch)


def fold(title: str, key: str, *, expanded: bool = False) -> Any:
    """Draw a fold; return its place while it is open, and None while it is shut.

    What is shut is not drawn: a page with less on it is redrawn sooner.
    """
    place = st.expander(title, expanded, key=key, on_change=address.touch)
    return place if place.open else None


def box(key: str, title: str, icon: str) -> Any:
    """Draw a button that opens a box, which closes when what it asks for is done: see `shut`.

    A long one is drawn only while it is `open`, as a fold is.
    """
    name = f"{key}_{st.session_state.get(_shut(key), 0)}"
    return st.popover(title, icon=icon, key=name, on_change=address.touch)


def chip(key: str, title: str) -> Any:
    """Draw words that open a box; return its place while it is open, and None while it is shut.

    Streamlit makes a box with another title a new one, which is shut: an open one keeps its title.
    """
    titles = st.session_state.setdefault("chip_titles", {})
    if not st.session_state.get(key):
        titles[key] = title
    place = st.popover(titles[key], type="tertiary", key=key, on_change=address.touch)
    return place if place.open else None


def shut(key: str) -> None:
    """Close a box: the next run draws a new one in its place.

    A browser only heeds a change, and what it says meanwhile may still call the box open; what is
    said of the old one changes nothing in the new.
    """
    st.session_state[_shut(key)] = st.session_state.get(_shut(key), 0) + 1


def _shut(key: str) -> str:
    return f"{key}_shut"


def button(label: str, key: str, press: Callable[..., object], *args: Any, **how: Any) -> None:
    """Draw a button; one that was pressed before its session began works like any other."""
    memory = st.session_state
    pressed = st.button(label, key=key, on_click=_pressed, args=(key, press, args), **how)
    # Else the press is of a session before, and its callback was not called.
    if memory.get(_PRESSED) == key:
        memory[_PRESSED] = None
    elif pressed:
        address.touch()
        press(*args)
        st.rerun()


def forget_pressed() -> None:
    """Forget which button was pressed last: where that would tell what a visitor answered."""
    st.session_state[_PRESSED] = None


def _pressed(key: str, press: Callable[..., object], args: tuple[Any, ...]) -> None:
    address.touch()
    st.session_state[_PRESSED] = key
    press(*args)
