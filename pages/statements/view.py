"""What is looked at in the ledger: one entry, a sheet, or what a search and filters leave."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from typing import Any

from pages.core import Entry as Field
from pages.core import Setting, Texts, UrlState, address, button, choice
from rates import ledger
from rates.ledger import Entry, entries, entry, verdicts
from rates.numbers import DomainError

MOST_TEXT = 80
# Our numbers of corrections are words of their own: e1 is no part of e10.
_ERRATUM = re.compile(r"e\d+")
GREEK = {unicodedata.name(x).split()[-1].casefold(): x for x in "αβγδεζηθικλμνξοπρστυφχψω"}
GREEK |= {"eps": "ε", "lambda": "λ"}
_NAMES = "|".join(sorted(GREEK, key=len, reverse=True))
_WORDGREEK = re.compile(rf"(?<![a-z])(?:{_NAMES})(?![a-z])")
_MARKS = re.compile(r"[{}_$&\\]")


@dataclass(frozen=True, slots=True)
class Look:
    """How a group of verdicts is shown, by mark, word and colour alike.

    Attributes:
        mark: A character.
        words: What the group says of the printed form.
        badge: Colour of a badge in Markdown.
    """

    mark: str
    words: str
    badge: str


LOOKS = {  # by the names that links have for them
    "refuted": Look("✗", "contradicted", "red"),
    "apart": Look("~", "not reproduced in our runs", "orange"),
    "proved": Look("●", "argued or decided", "green"),
    "survives": Look("○", "survives draws", "violet"),
    "untestable": Look("?", "not testable by numbers", "gray"),
}
_GROUPS = {
    **dict.fromkeys(ledger.FAILS, "refuted"),
    ledger.NOT_SEEN: "apart",  # a run of ours contradicts nothing
    **dict.fromkeys((ledger.ARGUED, ledger.DECIDED), "proved"),
    ledger.SURVIVES: "survives",
    ledger.UNTESTABLE: "untestable",
}


def group(words: str) -> str:
    """Return the group of `LOOKS` that a verdict belongs to."""
    return _GROUPS.get(words, "untestable")  # also what is not checked as it stands


def badge(words: str, form: str = "") -> str:
    """Return a verdict as a badge in Markdown, with a word on which form it is about."""
    look = LOOKS[group(words)]
    return f":{look.badge}-badge[{look.mark} {form}{words}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What the address of the page names; an empty text stands for all.

    Attributes:
        id: The one entry that is open.
        q: Words to search for.
        paper: One of the papers.
        verdict: One of the groups of verdicts on the printed form.
        category: The kind of slip, as `slug` writes it.
        page: A page of the app that uses the entry; links of pages name it.
        view: "sheet" for what we would write to a paper's authors.
    """

    id: str = ""
    q: str = ""
    paper: str = ""
    verdict: str = ""
    category: str = ""
    page: str = ""
    view: str = ""


PARAMETERS = tuple(field.name for field in fields(View))
FILTERS = ("q", "paper", "verdict", "category", "page")
# What links of before may name, and what stands for it now.
OLD = {"letter": "sheet", "print": ""}
GONE = ("kind", "seed")


def slug(category: str) -> str:
    """Return the name of a kind of slip in an address.

    >>> slug("needs a condition")
    'needs-a-condition'
    """
    return category.replace(" ", "-")


@cache
def allowed() -> dict[str, tuple[str, ...]]:
    """Return the values that each filter takes."""
    return {
        "paper": ledger.PAPERS,
        "verdict": tuple(LOOKS),
        "category": tuple(map(slug, ledger.CATEGORIES)),
        "page": tuple(sorted({stem for item in entries() for stem in item.pages})),
        "view": ("sheet",),
    }


def short(given: str) -> str:
    """Return words to search for, or raise `DomainError`."""
    if len(given) > MOST_TEXT:
        rule = f"Words to search for have at most {MOST_TEXT} characters."
        raise DomainError(rule, field="search", value=given)
    return given


def _read(name: str, given: str) -> Any:
    """Return a part of an address, or raise `DomainError`."""
    if name == "q":
        return short(given)
    if name == "id":
        return entry(given).id
    now = OLD.get(given, given) if name == "view" else given
    return now and choice(name, allowed()[name]).check(now)


class _Url(UrlState[View]):
    """Each part stands in the address under its own name; a link without any asks for the list."""

    @property
    def names(self) -> tuple[str, ...]:
        return (*PARAMETERS, *GONE)

    def setting(self, name: str) -> Setting:
        return choice(name, ("", *allowed()[name]))

    def open(self, texts: Texts) -> tuple[View, list[str]]:
        values: dict[str, str] = {}
        problems = []
        for name in filter(texts.get, PARAMETERS):
            try:
                values[name] = _read(name, texts[name])
            except DomainError as error:
                problems.append(str(error))
        view = View(**values)
        if view.view and not view.paper:
            problems.append("A sheet takes a paper.")
            view = replace(view, view="")
        return view, problems

    def write(self, value: View) -> Texts:
        return {
            name: getattr(value, name)
            for name in PARAMETERS
            if getattr(value, name) != getattr(self.start, name)
        }

    def arrived(self, texts: Texts) -> bool:
        return address.untouched() and texts != address.seen(self.parameter)


VIEW = _Url(parameter="ledger", start=View())


def search(name: str, title: str, example: str, help: str) -> Field:
    """Return a field for words to search for."""
    more = {"type": "search", "icon": ":material/search:", "placeholder": example, "help": help}
    return Field(name, title, MOST_TEXT, more=more)


def go(label: str, key: str, change: Mapping[str, Any], icon: str = "", **how: Any) -> None:
    """Draw a button that changes what is looked at."""
    shown = f":material/{icon}:" if icon else None
    button(label, key, partial(VIEW.change, **change), icon=shown, **how)


def folded(text: str) -> str:
    r"""Return a text as it is searched: small letters, Greek by letter, without LaTeX marks.

    >>> {folded(x) for x in ("ε_21", "eps21", "epsilon_21", "ε₂₁", r"\varepsilon_{21}", "Ε21")}
    {'ε21'}
    """
    # NFKC turns ε₂₁ into ε21; LaTeX and names of letters follow after it.
    text = unicodedata.normalize("NFKC", text).casefold()
    text = text.replace("}{", " ").replace("\\var", "\\")
    text = _WORDGREEK.sub(lambda found: GREEK[found[0]], text)
    return _MARKS.sub("", text)


@cache
def _searched(name: str) -> str:
    """What a search looks at of one entry."""
    one = entry(name)
    words = f"{one.id} {one.place} {one.title} {one.says} section {one.section} {one.why}"
    more = f"{one.untestable} {one.means} {' '.join(one.given)}"
    formulas = " ".join(line for claim in one.claims.values() for line in claim.lines)
    return folded(f"{words} {more} {one.quote} {formulas}")


def _fits(one: Entry, printed: str, view: View) -> bool:
    """Whether search and filters leave an entry whose printed form is in a group."""
    asked = (view.paper, view.verdict, view.category)
    has = (one.paper, printed, slug(one.category))
    if any(this not in ("", other) for this, other in zip(asked, has, strict=True)):
        return False
    if view.page not in ("", *one.pages):
        return False
    text = _searched(one.id)
    numbers = {number.casefold() for number in one.errata}
    return all(
        word in numbers if _ERRATUM.fullmatch(word) else word in text
        for word in folded(view.q).split()
    )


@cache
def ordered() -> tuple[Entry, ...]:
    """Return all entries but the withdrawn ones, section after section as in the papers."""
    return tuple(
        one
        for paper in ledger.PAPERS
        for section in ledger.sections(paper)
        for one in section.entries
        if not one.withdrawn
    )


def chosen(view: View) -> tuple[Entry, ...]:
    """Return the entries that search and filters leave, in the order of the papers."""
    return tuple(
        one for one in ordered() if _fits(one, group(verdicts.stored()[one.id].printed), view)
    )
