"""What is looked at in the ledger: one statement, or those that a search and filters leave."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from typing import Any

import streamlit as st

from pages.core import Entry, Setting, Texts, UrlState, address, button, choice, layout, text
from pages.core.live import PAGE_SEED
from rates import statements as theory
from rates.numbers import DomainError
from rates.statements import Statement, StoredVerdict, statement, statements

# By id, the verdicts on the printed form and, where there is one, on our reading.
Verdicts = Mapping[str, tuple[StoredVerdict, ...]]

MOST_TEXT = 80
_ERRATUM = re.compile(r"e\d+")
GREEK = {unicodedata.name(x).split()[-1].casefold(): x for x in "αβγδεζηθικλμνξοπρστυφχψω"}
GREEK |= {"eps": "ε", "lambda": "λ"}
_NAMES = "|".join(sorted(GREEK, key=len, reverse=True))
_LATEXGREEK = re.compile(rf"\\(?:var)?({_NAMES})(?![a-z])")
_WORDGREEK = re.compile(rf"(?<![a-z])(?:{_NAMES})(?![a-z])")
_COMMAND = re.compile(r"\\(?:[a-z]+|.)")
_MARKS = re.compile(r"[{}_$&]")


@dataclass(frozen=True, slots=True)
class Look:
    """How a group of verdicts is shown, by mark, word and colour alike.

    Attributes:
        mark: A character for text.
        words: What the group says of the printed form.
        badge: Colour of a badge in Markdown.
        colour: Of a square, on which the mark is white.
    """

    mark: str
    words: str
    badge: str
    colour: str

    @property
    def told(self) -> str:
        """Mark and words."""
        return f"{self.mark} {self.words}"


LOOKS = {
    "refuted": Look("✗", "contradicted as printed", "red", "#c8384a"),
    "apart": Look("~", "not reproduced at our settings", "orange", "#8f5b0f"),
    "proved": Look("✓", "derived or argued", "green", "#257548"),
    "survives": Look("○", "tests only", "violet", "#7a5cc0"),
    "untestable": Look("?", "not testable by numbers", "gray", "#626c7a"),
    "dropped": Look("–", "dropped from the ledger", "gray", "#626c7a"),
}
_GROUPS = {  # of `LOOKS`, by the words of a verdict; any others are no test by numbers
    **dict.fromkeys(theory.CONTRADICTED, "refuted"),
    theory.NOT_REPRODUCED: "apart",  # a run of ours contradicts nothing
    **dict.fromkeys(theory.SUPPORTED, "proved"),
    theory.TESTED: "survives",
    theory.DROPPED: "dropped",
}


def group(verdict: StoredVerdict) -> str:
    """Return the group of `LOOKS` that a verdict belongs to."""
    return _GROUPS.get(verdict.words, "untestable")


def badge(verdict: StoredVerdict, form: str = "") -> str:
    """Return a verdict as a badge in Markdown, with a word on which form it is about."""
    style = LOOKS[group(verdict)]
    return f":{style.badge}-badge[{style.mark} {form}{verdict.words}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What the address of the page names; an empty text stands for all.

    Attributes:
        id: The one statement that is open.
        q: Words to search for.
        paper: One of the papers.
        verdict: One of the groups of verdicts on the printed form.
        category: The kind of slip, as `slug` writes it.
        kind: One of the kinds of statement.
        page: A page of the app that uses the statement.
        seed: Seed of the next run.
        view: "print" for one statement without anything around it, "letter" for a paper's errata.
    """

    id: str = ""
    q: str = ""
    paper: str = ""
    verdict: str = ""
    category: str = ""
    kind: str = ""
    page: str = ""
    seed: int = 0
    view: str = ""


PARAMETERS = tuple(field.name for field in fields(View))
FILTERS = ("q", "paper", "verdict", "category", "kind", "page")


def slug(category: str) -> str:
    """Return the name of a kind of slip in an address.

    >>> slug("needs a condition")
    'needs-a-condition'
    """
    return category.replace(" ", "-")


@cache
def allowed() -> dict[str, tuple[str, ...]]:
    """Return the values that each filter takes."""
    slips, kinds = {s.category for s in statements()}, {s.kind for s in statements()}
    return {
        "paper": theory.PAPERS,
        "verdict": tuple(name for name in LOOKS if name != "dropped"),
        "category": tuple(slug(name) for name in theory.CATEGORIES if name in slips),
        "kind": tuple(kind for kind in theory.KINDS if kind in kinds),
        "page": tuple(sorted({stem for item in statements() for stem in item.pages})),
        "view": ("print", "letter"),
    }


def short(given: str) -> str:
    """Return words to search for, or raise `DomainError`."""
    if len(given) > MOST_TEXT:
        rule = f"Words to search for have at most {MOST_TEXT} characters."
        raise DomainError(rule, field="search", value=given)
    return given


def _read(name: str, given: str) -> object:
    """Return a part of an address, or raise `DomainError`."""
    if name == "q":
        return short(given)
    if name == "id":
        return statement(given).id
    if name == "seed":
        return int(PAGE_SEED.check(text.number(given, name)))
    return choice(name, allowed()[name]).check(given)


class _Url(UrlState[View]):
    """Each part stands in the address under its own name; a link without any asks for the list."""

    @property
    def names(self) -> tuple[str, ...]:
        return PARAMETERS

    def setting(self, name: str) -> Setting:
        return choice(name, ("", *allowed()[name]))

    def open(self, texts: Texts) -> tuple[View, list[str]]:
        values: dict[str, Any] = {}
        problems = []
        for name in filter(texts.get, self.names):
            try:
                values[name] = _read(name, texts[name])
            except DomainError as error:
                problems.append(str(error))
        view = View(**values)
        if (view.view, view.id) == ("print", "") or (view.view, view.paper) == ("letter", ""):
            problems.append("To print takes the id of a statement, a letter takes a paper.")
            view = replace(view, view="")
        return view, problems

    def write(self, value: View) -> Texts:
        return {
            name: str(getattr(value, name))
            for name in PARAMETERS
            if getattr(value, name) != getattr(self.start, name)
        }

    def arrived(self, texts: Texts) -> bool:
        return address.untouched() and texts != address.seen(self.parameter)


VIEW = _Url(parameter="ledger", start=View())


def search(name: str, title: str, example: str, help: str) -> Entry:
    """Return a field for words to search for."""
    more = {"type": "search", "icon": ":material/search:", "placeholder": example, "help": help}
    return Entry(name, title, MOST_TEXT, more=more)


def go(label: str, key: str, change: Mapping[str, Any], icon: str = "", **how: Any) -> None:
    """Draw a button that changes what is looked at."""
    shown = f":material/{icon}:" if icon else None
    button(label, key, partial(VIEW.change, **change), icon=shown, **how)


def page_link(page: str, label: str, icon: str = "", **query: str) -> None:
    """Draw a link to a page of the app."""
    shown = f":material/{icon}:" if icon else None
    st.page_link(layout.page(page), label=label, icon=shown, query_params=query or None)


def folded(text: str) -> str:
    r"""Return a text as it is searched: small letters, Greek by letter, without LaTeX marks.

    >>> {folded(x) for x in ("ε_21", "eps21", "epsilon_21", "ε₂₁", r"\varepsilon_{21}", "Ε21")}
    {'ε21'}
    """
    text = unicodedata.normalize("NFKC", text).casefold()
    text = _LATEXGREEK.sub(lambda found: GREEK[found[1]], text)
    text = _COMMAND.sub(" ", text.replace("}{", " "))
    text = _WORDGREEK.sub(lambda found: GREEK[found[0]], text)
    return _MARKS.sub("", text)


@cache
def _searched(name: str) -> str:
    """What a search looks at of one statement."""
    item = statement(name)
    place = f"{item.id} {item.title} {item.claim} section {item.section} {item.kind}"
    state = "corrected" if item.reading is not None else ""
    reasons = f"{item.why} {item.untestable} {' '.join(item.hypotheses)}"
    return folded(f"{place} {state} {reasons} {item.printed} {item.reading or ''}")


def _fits(item: Statement, printed: str, view: View) -> bool:
    """Whether search and filters leave a statement whose printed form is in a group."""
    asked = (view.paper, view.verdict, view.category, view.kind)
    has = (item.paper, printed, slug(item.category), item.kind)
    if any(one not in ("", other) for one, other in zip(asked, has, strict=True)):
        return False
    if view.page not in ("", *item.pages):
        return False
    text = _searched(item.id)
    numbers = {number.casefold() for number in item.errata}
    return all(
        word in numbers if _ERRATUM.fullmatch(word) else word in text
        for word in folded(view.q).split()
    )


@cache
def ordered() -> tuple[Statement, ...]:
    """Return all statements but the dropped ones, section after section as in the papers."""
    places = [(row.paper, row.section) for row in theory.coverage()]
    kept = [item for item in statements() if not item.withdrawn]
    return tuple(sorted(kept, key=lambda item: places.index((item.paper, item.section))))


def chosen(verdicts: Verdicts, view: View) -> tuple[Statement, ...]:
    """Return the statements that search and filters leave, in the order of the papers."""
    return tuple(item for item in ordered() if _fits(item, group(verdicts[item.id][0]), view))
