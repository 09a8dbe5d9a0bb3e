"""A record of settings that is kept for the session and stands in the address.

It alone knows the text of a record, ``name:value;name:value`` with the usual left out, late
addresses, a page that has just been entered, Back to an entry without the parameter, refusals, and
what is usual.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

import streamlit as st

from pages.charts import number_text, words
from pages.core import address, inputs
from rates.numbers import DomainError, Parameter, Words
from rates.study import codec
from sims.engine import Choice, Numbers

T = TypeVar("T")
_CARRIED = "carried_state"
_EXACT = 2**53  # up to here a float is a whole number exactly; beyond it stays a float
_PART = re.compile(r"([A-Za-z_0-9]+):(.*)", re.DOTALL)
Texts = Mapping[str, str]


class Setting(Protocol):
    """What may be asked: a name, and the check of a value."""

    @property
    def name(self) -> str:
        """Name in an address."""

    def check(self, value: object, where: str = "") -> Any:
        """Return the value as it is kept, or raise `DomainError`."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A setting with a text of its own, such as a table or a study.

    Attributes:
        name: Name in an address.
        write: From value to text, without semicolons.
        read: From text to value; raises `DomainError`.
        help: What the value means.
    """

    name: str
    write: Callable[[Any], str]
    read: Callable[[str], Any]
    help: str = ""

    def check(self, value: object, where: str = "") -> Any:
        """Return the value, which `read` has checked."""
        return value


@dataclass(frozen=True, slots=True)
class Part:
    """A number of a record, by a name that need not be its parameter's.

    Attributes:
        name: Name in an address.
        parameter: Domain, words and slider stops.
    """

    name: str
    parameter: Parameter

    def check(self, value: object, where: str = "") -> float:
        """Return the value as a plain number of its domain, or raise `DomainError`."""
        return self.parameter.check(value, where)


def choice(name: str, options: Iterable[str], help: str = "") -> Choice:
    """Return a setting for one of these words, usually the first."""
    words = tuple(options)
    return Choice(name=name, options=words, default=words[0], help=help)


def number(text: str, name: str) -> float:
    """Return a number that was typed or linked, inf included.

    Raises:
        DomainError: It is none.
    """
    try:
        found = float(text)
    except ValueError:
        raise DomainError(f"{name} must be a number.", field=name, value=text) from None
    if math.isnan(found):
        raise DomainError(f"{name} must be a number.", field=name, value=Words("nan"))
    return int(found) if found.is_integer() and abs(found) <= _EXACT else found


def written(setting: Setting, value: Any) -> str:
    """Return one value as text.

    >>> from rates.numbers import EPSILON
    >>> written(Numbers(EPSILON, (1.0,)), (0.1, math.inf))
    '0.1,inf'
    """
    if isinstance(setting, Packed):
        return setting.write(value)
    if isinstance(value, tuple):
        return ",".join(map(number_text, value))
    return value if isinstance(value, str) else number_text(value)


def parse(
    text: str, settings: Iterable[Setting], *, field: str, noun: str, gone: Collection[str] = ()
) -> dict[str, Any]:
    """Return what a text gives by name, each value checked by its setting.

    Names that once were settings and are ``gone`` are passed over, so that old links open.

    Raises:
        DomainError: The text is too long, a part cannot be read, is named twice or is outside its
            set, or a name is no setting's.
    """
    if len(text) > codec.MAX_LINK:
        rule = f"{noun} in a link has at most {codec.MAX_LINK:,} characters."
        raise DomainError(rule, field=field, value=len(text))
    known, given = {setting.name: setting for setting in settings}, dict[str, Any]()
    for part in filter(None, text.split(";")):
        if not (found := _PART.fullmatch(part)):
            rule = f"{noun} in a link is made of parts like epsilon:0.1,1 with semicolons between."
            raise DomainError(rule, field=field, value=part)
        name, entry = found.groups()
        if name in gone:
            continue
        if name not in known:
            rule = f"{noun} has no part of this name; known are {', '.join(known)}."
            raise DomainError(rule, field=name[:40], value=entry)
        if name in given:
            raise DomainError("A part of a link may be named once.", field=name, value=entry)
        given[name] = known[name].check(read(known[name], entry), noun)
    return given


def read(setting: Setting, entry: str) -> Any:
    """Return one value of a text, not checked yet."""
    if isinstance(setting, Packed):
        return setting.read(entry)
    if isinstance(setting, Numbers):
        return [number(piece, setting.name) for piece in entry.split(",")]
    return entry if isinstance(setting, Choice) else number(entry, setting.name)


@dataclass(frozen=True, slots=True)
class _Notes:
    """What is kept beside a record; one record too, as a text box looks through a whole session.

    Attributes:
        problems: What of the link was refused.
        refusal: Why the last change was not taken.
        linked: What the address says as long as nothing of a link that was opened changes.
    """

    problems: tuple[str, ...] = ()
    refusal: str = ""
    linked: Texts | None = None


@dataclass(frozen=True, kw_only=True)
class UrlState(Generic[T]):
    """A frozen record in the session and the address; a source of fields.

    What is usual stays out of the address. A page that is entered without the parameter keeps
    what the session has; Back to an entry without it asks for what is usual.

    A record whose text is made in another way overrides `read` and `write`.

    Attributes:
        parameter: Name of what is kept, and in the address.
        name: Name in the address, where that is another.
        start: What is usual.
        settings: The record's parts: one field each, written ``name:value;name:value``.
        noun: What the record is, such as "A design", for what a link is refused with.
        refused: Sentence above what was refused of a link; nothing is said where it is empty.
        old: Reads a link's text of an earlier form, which has no ``name:``.
        gone: Parts that links of before may name: they are passed over.
        opened: Called with the record before and the one of a link, to show it in the widgets.
        always: Whether it stands in the address even where it is usual; then an address without
            it asks for nothing.
    """

    parameter: str
    name: str = ""
    start: T
    settings: tuple[Setting, ...] = ()
    noun: str = ""
    refused: str = ""
    old: Callable[[str], T] | None = None
    gone: tuple[str, ...] = ()
    opened: Callable[[T, T], object] = lambda before, now: None
    always: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters of the address."""
        return (self.name or self.parameter,)

    # The parts of a record ---------------------------------------------------------------------

    def part(self, record: T, name: str) -> Any:
        """Return the part of a record that a setting is about."""
        return getattr(record, name)

    def changed(self, record: T, values: Mapping[str, Any]) -> T:
        """Return a record with some parts changed, or raise `DomainError`."""
        return replace(record, **values)  # type: ignore[type-var]

    # From and to text -------------------------------------------------------------------------

    def read(self, texts: Texts) -> T:
        """Return the record that an address asks for.

        Raises:
            DomainError: A part cannot be read, or is outside its set.
        """
        given = texts.get(self.names[0], "")
        if self.old is not None and given and ":" not in given:
            return self.old(given)
        values = parse(given, self.settings, field=self.names[0], noun=self.noun, gone=self.gone)
        return self.changed(self.start, values)

    def write(self, value: T) -> Texts:
        """Return what an address says of a record, however long."""
        pairs = [
            (setting, *(self.part(record, setting.name) for record in (value, self.start)))
            for setting in self.settings
        ]
        parts = [f"{one.name}:{written(one, now)}" for one, now, usual in pairs if now != usual]
        return {self.names[0]: ";".join(parts)}

    def link(self, value: T) -> dict[str, str]:
        """Return the parameters of a link to a record; none where it is too long for one."""
        texts = self.write(value)
        return {name: given for name, given in texts.items() if given} if _fit(texts) else {}

    # What is kept -----------------------------------------------------------------------------

    def _key(self, what: str = "") -> str:
        return f"bound_{self.parameter}{what}"

    def get(self) -> T:
        """Return what is asked for now."""
        found: T = st.session_state.get(self._key(), self.start)
        return found

    def set(self, value: T) -> None:
        """Ask for something else; what was refused before is settled."""
        self.keep(value)
        self.refuse("")
        for setting in self.settings:
            st.session_state.pop(inputs.ERROR + self.key(setting.name), None)

    def keep(self, value: T) -> None:
        """Hold a value that came about without the user's asking for it."""
        st.session_state[self._key()] = value

    @property
    def _notes(self) -> _Notes:
        notes: _Notes = st.session_state.get(self._key("_notes"), _Notes())
        return notes

    def _note(self, **notes: Any) -> None:
        st.session_state[self._key("_notes")] = replace(self._notes, **notes)

    @property
    def problems(self) -> tuple[str, ...]:
        """What of the link was refused."""
        return self._notes.problems

    # A source of fields -----------------------------------------------------------------------

    def key(self, name: str) -> str:
        """Widget name of a setting."""
        return f"{self.parameter}_{name}"

    def setting(self, name: str) -> Any:
        """The setting of this name."""
        return next(setting for setting in self.settings if setting.name == name)

    def value(self, name: str) -> Any:
        """What is asked for now."""
        return self.part(self.get(), name)

    def change(self, **values: Any) -> None:
        """Change parts of the record; what is refused is remembered and changes nothing."""
        address.touch()
        problem = ""
        try:
            self.keep(self.changed(self.get(), values))
        except DomainError as error:
            problem = str(error)
        self.refuse(problem)

    def refuse(self, problem: str) -> None:
        """Remember why a change was not taken."""
        # The text of a link that was refused does not stay in the address.
        linked = None if self.problems else self._notes.linked
        self._note(problems=(), refusal=problem, linked=linked)

    @property
    def refusal(self) -> str:
        """Why the last change was not taken; empty if it was."""
        return self._notes.refusal

    # The address ------------------------------------------------------------------------------

    def load(self) -> T:
        """Open what is new in the address, say what was refused, and return what is asked for."""
        if self.always:
            st.session_state[_CARRIED] = self
        texts = self.texts()
        if self.arrived(texts):
            before = self.get()
            address.see(self.parameter, texts)
            value, problems = self.open(texts)
            if not problems or value != before:
                self.set(value)
                self.opened(before, value)
            self._note(problems=tuple(problems), linked=self.link(self.get()))
        if self.refused:
            for problem in self.problems:
                st.error(f"{self.refused} {words.plain(problem)}")
        return self.get()

    def open(self, texts: Texts) -> tuple[T, list[str]]:
        """Return what an address asks for, and what of it was refused."""
        try:
            return self.read(texts), []
        except DomainError as error:
            return self.get(), [str(error)]

    def texts(self) -> Texts:
        """Return what the address says."""
        return {name: given for name in self.names if (given := address.get(name))}

    def arrived(self, texts: Texts) -> bool:
        """Whether the address brings other values than those that were seen or written last.

        A link, Back or Forward does. Back may also bring none; a page that is entered without any
        keeps what the session has.
        """
        seen = address.seen(self.parameter)
        changed = address.untouched() and texts != (seen or {})
        return changed and bool(texts or (seen is not None and not self.always))

    def wanted(self) -> Texts:
        """Return what the address should say."""
        wanted, texts, notes = self.link(self.get()), self.texts(), self._notes
        if notes.problems and not self.always:
            return texts
        # A link that was opened stays as it is until something changes, however it is written.
        if texts == address.seen(self.parameter) and wanted == notes.linked:
            return texts
        if notes.linked is not None:
            self._note(linked=None)
        return wanted

    def fits(self) -> bool:
        """Whether what is asked for fits into a link."""
        return _fit(self.write(self.get()))


def _fit(texts: Texts) -> bool:
    return all(len(text) <= codec.MAX_LINK for text in texts.values())


@dataclass(frozen=True, kw_only=True)
class Single(UrlState[T]):
    """One setting, which stands in the address as it is, without a name."""

    def read(self, texts: Texts) -> T:
        """Return the value that an address asks for."""
        given, (setting,) = texts.get(self.names[0], ""), self.settings
        if not given or given in self.gone:
            return self.start
        found: T = setting.check(read(setting, given), self.noun)
        return found

    def write(self, value: T) -> Texts:
        """Return what an address says of a value."""
        (setting,) = self.settings
        return {self.names[0]: "" if value == self.start else written(setting, value)}

    def part(self, record: T, name: str) -> Any:
        """Return the value, which is its own only part."""
        return record

    def changed(self, record: T, values: Mapping[str, Any]) -> T:
        """Return the value that takes the place of this one."""
        (value,) = values.values()
        return value  # type: ignore[no-any-return]


def carried() -> UrlState[Any] | None:
    """Return the record that every link of this session carries, if one has been loaded."""
    found: UrlState[Any] | None = st.session_state.get(_CARRIED)
    return found


def sync_url(*states: UrlState[Any], study: bool = True) -> None:
    """Write records into the address, at the end of a page, as one new entry of the history.

    The study that every link carries is written too, unless the page is not about it.

    The address of this request may be older than what was written last, which is on its way. But
    going back to the entry of a page that had no study yet must not add a new entry: the browser
    could never get past it.
    """
    changed: dict[str, str] = {}
    for state in (*states, *filter(None, [carried()] if study else ())):
        wanted, now, seen = state.wanted(), state.texts(), address.seen(state.parameter)
        went_back = state.always and not now and wanted == seen
        if not went_back and (wanted != now or wanted != (seen or {})):
            changed |= {name: wanted.get(name, "") for name in state.names}
        address.see(state.parameter, wanted)
    if changed:
        address.write(changed)
    address.rest()
